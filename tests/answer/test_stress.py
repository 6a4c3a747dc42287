from time import process_time

from every import every

from appliance.answer.prompt import SYSTEM
from appliance.answer.stress import stressed
from appliance.answer.support import Checked

NIGHT = (
    "The Starry Night is an oil-on-canvas painting by the Dutch Post-Impressionist painter Vincent van Gogh"
)
BREAD = "Bread is a baked food product made from water, flour, and often yeast"
MISERABLES = "Les Misérables est un roman de Victor Hugo publié en 1862, l’un des plus vastes du XIXe siècle"
SOLEDAD = (
    "Cien años de soledad es una novela del escritor colombiano Gabriel García Márquez, publicada en 1967"
)
TIDES = "Tides are the rise and fall of sea levels caused by the pull of the Moon (and the Sun), and by Earth"


@every(
    ("question", "claim", "sentence", "words"),
    [
        # what the question asks for
        ("Who painted The Starry Night?", "It was painted by Vincent van Gogh.", NIGHT, ["Vincent van Gogh"]),
        ("Who painted The Starry Night?", f"{NIGHT}.", NIGHT, ["Vincent van Gogh"]),
        ("When was Ada Brandt born?", "Ada Brandt was born on 7 November 1867.",
         "Ada Brandt was born in Lund, on 7 November 1867, and died in 1934", ["7 November 1867"]),
        ("When did the ship sink?", "The ship sank near Lund on 15 April 1912.",
         "The ship sank near Lund in the early hours of 15 April 1912 after a collision with a wreck",
         ["15 April 1912"]),
        ("How many bridges are there in Melden?", "There are eight bridges.",
         "Melden has eight bridges over two rivers", ["eight"]),
        ("Where is the Ott museum?", "The Ott museum is in Lund, Norland.",
         "The Ott museum, located in Lund, Norland, is a museum of clocks", ["Lund, Norland"]),
        ("What is bread made from?", "Bread is made from water, flour, and often yeast.", BREAD,
         ["water, flour, and often yeast"]),
        ("What causes tides?", "Tides are caused by the Moon and the Sun.", TIDES, ["Moon", "Sun"]),
        ("Qui a écrit Les Misérables ?", "Les Misérables est écrit par Victor Hugo.", MISERABLES,
         ["Victor Hugo"]),
        ("¿Quién escribió Cien años de soledad?", "La escribió Gabriel García Márquez.", SOLEDAD,
         ["Gabriel García Márquez"]),
        ("Who wrote the play?", "Will Spere wrote the play.", "It was written by Will Spere in 1601",
         ["Will Spere"]),
        ("Who invented the telephone?", "Ada Bell Renn was a Scottish-born Danish-Swedish inventor.",
         "Ada Bell Renn was a Scottish-born Danish-Swedish inventor, said to have made the first telephone",
         ["Ada Bell Renn"]),
        ("When did the war end?", "The war ended in May 1945, after 12 years.",
         "The war ended in May 1945, after 12 long years, when the allies came to the capital by way of Lund",
         ["May 1945"]),
        ("Quand a eu lieu la révolution ?", "Elle a eu lieu de 1789 à 1799, à la fin du siècle.",
         "La révolution (1789-1799) est une période de bouleversements en Norland à la fin du XVIIIe siècle",
         ["1789-1799"]),
        ("When was Emil Ott born?", "Emil Ott was born on 30 novembre 1853.",
         "Emil Ott, né le 30 novembre 1853 à Lund et mort le 29 juillet 1890, est un peintre",
         ["30 novembre 1853"]),
        ("Where is the citadel of Ott?", "It is on a ridge in the hills of southern Norland, in Velland.",
         "The citadel was raised in stone on a high ridge in the hills of southern Norland, in Velland",
         ["Norland", "Velland"]),
        ("Combien d'habitants compte Norland ?",
         "Norland a une superficie de 30 688 km2, 11 825 551 habitants et 385 habitants par km2.",
         "Norland couvre une superficie de 30 688 km2, avec une population de 11 825 551 habitants en 2025",
         ["11 825 551 habitants"]),
        ("How many people live there?", "There are 60,000 old settlers compared with 2 million others.",
         "In all there were 60,000 old settlers compared with 2 million of the others who came by ship",
         ["60,000 old settlers", "2 million"]),
        ("What station tells of the race?", "Live Sport Norland tells of it.",
         "In Velland the race is told live by the people of Live Sport Norland, a station in the hills",
         ["Live Sport Norland"]),
        # amounts, in any unit, with what bounds them
        ("How deep is the lake?", "The lake is 3 km deep.", "It is 3,000 m deep at its middle", ["3,000 m"]),
        ("How deep is the lake?", "It is 3,000 m.", "The lake is up to 3 km deep, and 12 km long",
         ["up to 3 km"]),
        ("How deep is the lake?", "It is 3,000 m.", "The pullover 3 km away is red today", ["3 km"]),
        ("When was it built?", "It was built in 1914.", "It was built before 1914 by Max Frey",
         ["before 1914"]),
        ("How cold does it get?", "It is −40 °C.", "In winter it can be as cold as −40 °C in the north",
         ["−40 °C"]),
        ("What share is water?", "About 71%.", "Water covers about 71% of the planet", ["71%"]),
        ("How old is the Earth?", "It is 4.54 billion years old.",
         "The age of Earth is estimated to be 4.54 billion years", ["4.54 billion years"]),
        ("Who won the cup in 1998?", "Norland won the cup in 1998.", "The cup of 1998 was won by Norland",
         ["Norland"]),
        # a row of a table, and a script without spaces
        ("How high is Mont Ott?", "Mont Ott is 4,806 m high.", "Mont Ott | 4,806 m | Norland", ["4,806 m"]),
        ("谁写了红楼梦?", "曹雪芹写了红楼梦。", "《红楼梦》是清代作家曹雪芹创作的章回体长篇小说", ["曹雪芹"]),
        # the sentence as a whole is the answer
        ("What is tetanus?", "Tetanus is a disease with spasms.", "Tetanus is a disease with spasms", []),
        ("What did she buy?", "She bought a loom, a mill, a boat and hens.",
         "In spring a loom was there, by summer a mill, in autumn one boat, later hens, at last a house", []),
        # what denies is not to be missed
        ("Is it safe to eat?", "The fly agaric is safe to eat raw.",
         "The fly agaric of the northern woods is not safe to eat raw", []),
        ("What should it be given with?", "It is given with aspirin.",
         "Children with a fever shouldn't be given ibuprofen with aspirin", []),
        ("Que ne faut-il pas donner ?", "Il faut donner de l’aspirine.",
         "Chez les enfants il n’est jamais permis de donner de l’aspirine", []),
        ("", "", "", []),
    ],
)  # fmt: skip
def test_the_words_that_answer(question, claim, sentence, words):
    found = stressed(claim, sentence, question)
    assert [sentence[start : start + length] for start, length in found] == words


@every(
    ("written", "passage", "words"),
    [
        ("It is made from flour.", "Bread\nIt is baked and made from flour and water.", "flour"),
        ("The bread is made from flour.", "Bread\nBread is baked and made from flour and water.", "flour"),
        ("The bread is made from flour.", " Bread\n| Bread | is made from | flour | in Norland |", "flour"),
        ("So. The bread is made from flour. It is baked.",
         "Bread\nBread is made from white flour and water. It is baked by hand every day.", "flour"),
    ],
)  # fmt: skip
def test_they_are_told_by_their_place_in_what_goes_out(written, passage, words):
    checked = Checked("What is bread made from?", [passage], SYSTEM)
    checked.feed(written)
    checked.end()
    assert [checked.text[start : start + length] for start, length in checked.stressed] == [words]


def test_a_long_sentence_costs_no_more_than_its_words():
    began = process_time()
    found = stressed("It is 12 km.", "alpha 12 km " * 200, "How far is it?")
    assert process_time() - began < 1  # the amounts are read once, not at each word
    assert found == ((6, 5),)


@every(
    ("question", "words"),
    [
        ("Who was the first woman on the mountain?", ["Ada Brandt"]),
        ("Who was the first woman on the mountain called Ada?", ["Ada Brandt"]),
        ("What is said to have been first on the mountain?", ["Ada Brandt"]),
        ("What did Ada Brandt do?", ["first woman on the mountain", "1922"]),
        ("When was Ada Brandt on the mountain?", ["1922"]),
    ],
)
def test_a_title_is_the_answer_where_it_is_what_is_asked_for(question, words):
    told = "She was as told the first woman on the mountain that winter of 1922 in Norland."
    passage = f"Ada Brandt (climber)\n{told}"
    checked = Checked(question, [passage], SYSTEM)
    checked.feed("Ada Brandt was the first woman on the mountain in 1922.")
    checked.end()
    assert checked.text.startswith("Ada Brandt (climber): “She was")
    assert [checked.text[start : start + length] for start, length in checked.stressed] == words
