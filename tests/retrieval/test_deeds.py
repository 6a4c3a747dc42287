from every import every

from appliance.retrieval.deeds import untold

BRIDGE = "The new bridge of iron was opened on 3 October 1926 by the district governor. It is 46 metres long."


@every(
    ("question", "text", "lost"),
    [
        ("Who designed the iron bridge?", BRIDGE, ["designed"]),
        ("Who designed the iron bridge?", "The plans were by Ilse Brandt, an engineer.", []),
        ("Who designed the iron bridge?", "Its architect was Ilse Brandt.", []),
        ("Who designed the iron bridge?", "The stone bridge was built in 1871.", ["designed"]),
        ("Who designed the iron bridge?", "It was built in great haste by Ilse Brandt.", []),
        ("Who opened the iron bridge?", BRIDGE, []),
        ("When was Edda Marrow born?", "Edda Marrow kept a journal in 1923.", ["born"]),
        ("When was Edda Marrow born?", "Edda Marrow (12 March 1890 – 3 May 1961) kept a journal.", []),
        ("When was Edda Marrow born?", "Edda Marrow (1890-1961) kept a journal.", []),
        ("When was Edda Marrow born?", "Edda Marrow, b. 1890.", []),
        ("When was Edda Marrow born?", "Of Edda Marrow's birthplace little is known.", []),
        ("Quand est née Edda Marrow ?", "Edda Marrow tenait un journal.", ["est nee"]),
        ("Quand est née Edda Marrow ?", "Née en 1890, elle tenait un journal.", []),
        ("¿Cuándo nació Edda Marrow?", "Edda Marrow escribía un diario.", ["nacio"]),
        ("¿Cuándo nació Edda Marrow?", "Edda Marrow, nacida en 1890.", []),
        ("Who invented the telephone?", "The first patent was given to Bell.", []),
        ("Who invented the telephone?", "The telephone stands in the hall.", ["invented"]),
        ("When did Perrin Holt die?", "Perrin Holt rowed people across.", ["die"]),
        ("When did Perrin Holt die?", "Perrin Holt was buried in 1931.", []),
        ("When was the mill built?", "The mill burned in 1852.", ["built"]),
        ("When was the mill built?", "The mill dates from 1794.", []),
        ("Whom did Thomas marry?", "His wife Sanna came from Port Leven.", []),
        ("When was the band founded and who died?", "The band plays.", ["died", "founded"]),
        ("How many were designated All-Pro?", "Eight were chosen.", []),
        ("Was she a concubine?", "She was an empress.", []),
        ("Qui ne chante pas ?", "Personne.", []),
        ("What is the largest lake?", "Lake Superior.", []),
    ],
)
def test_a_deed_that_is_asked_for_must_be_told(question, text, lost):
    assert untold(question, [text]) == lost


def test_one_of_several_passages_is_enough():
    assert untold("Who designed the bridge?", [BRIDGE, "Ilse Brandt designed it."]) == []
