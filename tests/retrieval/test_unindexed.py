from appliance.records import Block, Document
from appliance.retrieval import unindexed
from appliance.retrieval.lexical import Term

PAGES = {
    "Tetanus": "Tetanus is an infection. " * 40 + "\n\nLockjaw is another name; it is caused by a bacterium.",
    "War": "War is caused by many things.",
}


class StrictArchive:
    """Like libzim: every word must be on the page; titles by their beginning."""

    name = "tiny"

    def fulltext(self, query, limit):
        wanted = query.casefold().split()
        return [path for path, text in PAGES.items() if all(word in text.casefold() for word in wanted)][
            :limit
        ]

    def suggest(self, text, limit):
        return [(path, path) for path in PAGES if path.casefold().startswith(text.casefold())][:limit]


def page(path):
    text = PAGES[path]
    parts = text.split("\n\n")
    starts = [text.index(part) for part in parts]
    blocks = [Block("paragraph", s, s + len(p)) for s, p in zip(starts, parts, strict=True)]
    return Document(path, path, text, tuple(blocks))


def stem(text):
    return [word.strip(".,;").casefold() for word in text.split()]


def test_words_are_left_out_until_pages_are_found():
    assert unindexed.pages(StrictArchive(), ["dreadful", "lockjaw", "cause"])[0] == "Tetanus"


def test_titles_help_where_the_text_index_does_not():
    assert unindexed.pages(StrictArchive(), ["tetan"]) == ["Tetanus"]
    assert unindexed.pages(StrictArchive(), []) == []
    assert unindexed.pages(StrictArchive(), ["quibblonia"]) == []


def test_the_stretch_with_most_words():
    terms = (Term("lockjaw", 1, 1), Term("caused", 1, 1), Term("quickly", 1, 0))
    found = unindexed.best_stretch("tiny", page("Tetanus"), terms, stem)
    assert found.text.startswith("Lockjaw")
    assert found.start == PAGES["Tetanus"].index("Lockjaw")
    assert found.lexical == 2 / 3
    assert unindexed.best_stretch("tiny", page("War"), (Term("lockjaw", 1, 0),), stem) is None
