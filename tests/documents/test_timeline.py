"""The dates of documents on one line, over a real store in memory."""

from collections.abc import Iterator

import pytest

from appliance.documents import periods, timeline
from appliance.documents.records import Scope
from appliance.documents.store import Store

JOURNAL = """12 April 1923

The frost took the beans. Yesterday the Harker boys brought the mule back.

14 April 1923

Two days later than promised, Sorley came. He told of the flood of 1871.
"""


@pytest.fixture
def store() -> Iterator[Store]:
    kept = Store.open()
    yield kept
    kept.close()


def add(
    store: Store, title: str, text: str, written: str | None = None, *, owner: str = "", folder: str = ""
) -> int:
    """A document with one section for each dated entry, as the ingest makes them, and a passage for each."""
    with store.write() as connection:
        connection.execute(
            "INSERT INTO document(sha256, owner, folder, name, title, media_type, written, added, text) "
            "VALUES(?, ?, ?, ?, ?, 'text/plain', ?, '2026-01-01T00:00:00Z', ?)",
            (text.encode(), owner, folder, title, title, written, text),
        )
        document = connection.last_insert_rowid()
        starts = [text.index(part) for part in ("12 April 1923\n", "14 April 1923\n") if part in text] or [0]
        for n, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True)):
            date = {0: "1923-04-12", 1: "1923-04-14"}[n] if len(starts) > 1 else None
            connection.execute(
                "INSERT INTO section(document_id, ordinal, start, length, kind, date) "
                "VALUES(?, ?, ?, ?, ?, ?)",
                (document, n, start, end - start, "entry" if date else "body", date),
            )
            connection.execute(
                "INSERT INTO passage(document_id, section_id, ordinal, start, length) VALUES(?, ?, ?, ?, ?)",
                (document, connection.last_insert_rowid(), n, start, end - start),
            )
    return document


def keys(line: timeline.Line) -> list[tuple[str, str, str]]:
    return [(m.kind, m.words, periods.calendar.written(m.span)) for m in line.moments]


def look(store: Store, key: str = "", words: str = "", scope: Scope = Scope(), **given) -> timeline.Line:  # noqa: B008
    period = periods.read(key)
    assert period is not None
    return timeline.line(store, scope, period, words, **given)


def test_dates_of_documents_entries_and_texts_stand_on_one_line(store: Store) -> None:
    add(store, "Journal", JOURNAL)
    add(store, "Letter", "The mill burned in the spring of 1923.", "1924-01-05")
    assert timeline.read_dates(store) == 2
    assert keys(look(store)) == [
        ("mentioned", "1871", "1871"),
        ("mentioned", "spring of 1923", "1923"),
        ("mentioned", "Yesterday", "1923-04-11"),
        ("entry", "", "1923-04-12"),
        ("entry", "", "1923-04-14"),
        ("mentioned", "Two days later", "1923-04-16"),
        ("document", "", "1924-01-05"),
    ]


def test_marks_of_markdown_are_not_shown(store: Store) -> None:
    add(store, "Ledger", "# Ledger\n\n## In 1923\n\n- The **mill** was sold in 1923, see [deed](deed.md).\n")
    with store.write() as connection:
        connection.execute("UPDATE document SET media_type = 'text/markdown'")
    timeline.read_dates(store)
    heading, sold = look(store).moments
    assert (heading.before, heading.words, heading.after) == ("In ", "1923", "")
    assert (sold.before, sold.words, sold.after) == ("The mill was sold in ", "1923", ", see deed.")


def test_it_goes_on_where_it_ended(store: Store) -> None:
    add(store, "One", "In 1901 it rained.")
    assert timeline.read_dates(store) == 1
    add(store, "Two", "In 1902 it rained.")
    assert timeline.read_dates(store) == 1
    assert timeline.read_dates(store) == 0
    assert look(store).count == 2


def test_a_stretch_shows_what_lies_in_it_and_tells_wider_dates_apart(store: Store) -> None:
    add(store, "Journal", JOURNAL)
    add(store, "Book", "A poem of the 20th century, found in 1923.")
    timeline.read_dates(store)
    april = look(store, "1923-04")
    assert [bar.period.key for bar in april.bars if bar.count] == [
        "1923-04-11", "1923-04-12", "1923-04-14", "1923-04-16",
    ]  # fmt: skip
    assert [m.words for m in april.wider] == ["the 20th century", "1923"]
    assert april.count == 4


def test_its_words_filter_it_in_any_form(store: Store) -> None:
    add(store, "Journal", JOURNAL)
    timeline.read_dates(store)
    assert [m.words for m in look(store, words="floods").moments] == ["1871", "", "Two days later"]
    assert look(store, words="floods mules").count == 0
    assert look(store, words="journal").count == 5


def test_nothing_leaks_across_scopes(store: Store) -> None:
    add(store, "Mine", "In 1901 it rained.", owner="ann", folder="letters/old")
    add(store, "Ours", "In 1902 it snowed.")
    timeline.read_dates(store)
    assert [m.words for m in look(store).moments] == ["1902"]
    assert [m.words for m in look(store, scope=Scope(("ann",), "letters")).moments] == ["1901"]
    assert look(store, scope=Scope(("ann",), "let")).count == 0
    assert look(store, scope=Scope(("", "ann"))).count == 2
    assert look(store, scope=Scope(())).count == 0


def test_a_deleted_document_takes_its_dates_along(store: Store) -> None:
    document = add(store, "One", "In 1901 it rained.")
    timeline.read_dates(store)
    with store.write() as connection:
        connection.execute("DELETE FROM document WHERE id = ?", (document,))
    assert look(store).count == 0


def test_a_moment_leads_to_its_place(store: Store) -> None:
    text = "x " * 200 + "The mill burned in 1871, and nobody was there to see it. " + "y " * 200
    document = add(store, "Long", text)
    timeline.read_dates(store)
    (moment,) = look(store).moments
    assert moment.document == document
    assert text[moment.start : moment.start + moment.length] == "1871"
    assert moment.before.endswith("The mill burned in ")
    assert moment.after.startswith(", and nobody was there")


def test_pages(store: Store) -> None:
    add(store, "Years", " ".join(f"In {year} it rained." for year in range(1801, 1900)))
    timeline.read_dates(store)
    found = look(store, skip=90, limit=20)
    assert (found.count, len(found.moments), found.moments[0].words) == (99, 9, "1891")
