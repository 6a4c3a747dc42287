from every import every

from appliance.retrieval.numbers import numbers


@every("generous", [True, False])
@every(
    ("text", "value"),
    [
        ("9" * 5000, "9" * 5000),  # more digits than Python reads as a number
        (f"{'1' * 400}.5", f"{'1' * 400}5"),  # more than a float holds
        (f"{'9' * 310} million", "9" * 310),
        (f"the {'9' * 5000}th and the 19th century", None),
        ("the ፩ and the 19th century", None),  # a digit that stands for no place
        ("1 200 km", "1200"),
        ("2.5 million", "2500000"),
    ],
)
def test_any_row_of_digits_is_read(text: str, value: str | None, generous: bool) -> None:
    found = numbers(text, generous)
    assert value in found.values if value else found.centuries == {19}
