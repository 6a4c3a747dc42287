from every import every

from appliance.answer.forms import alike, among, by_beginning


@every(
    ("one", "other"),
    [
        ("wrote", "written"),
        ("wrote", "writer"),
        ("fell", "fall"),
        ("bees", "bee"),
        ("running", "run"),
        ("dying", "died"),
        ("stopping", "stop"),
        ("studies", "study"),
        ("lives", "life"),
        ("lives", "living"),
        ("tooth", "teeth"),
        ("boxes", "box"),
        ("australian", "australia"),
    ],
)
def test_two_forms_of_a_word_are_alike_and_found(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)
    assert among(one, by_beginning([other]))
    assert among(other, by_beginning([one]))


@every(
    ("one", "other"),
    [
        ("string", "strap"),
        ("seed", "sew"),
        ("king", "kin"),
        ("fell", "felt"),
        ("glass", "glance"),
        ("bus", "bun"),
        ("rose", "rosin"),
        ("drew", "withdrew"),
        ("need", "knee"),
    ],
)
def test_two_words_that_look_alike_are_not(one: str, other: str) -> None:
    assert not alike(one, other)
    assert not among(one, by_beginning([other]))
