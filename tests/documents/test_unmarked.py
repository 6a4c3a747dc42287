import time

import pytest
from every import every

from appliance.documents.unmarked import unmarked


@every(
    ("text", "begins", "shown"),
    [
        ("## 12 April 1923\n\nThe **river** came.", True, "12 April 1923 · The river came."),
        (" - and it _was_ so, in snake_case and 2 * 3", False, " - and it was so, in snake_case and 2 * 3"),
        ("| Mill | 17 m |\n|---|---|\n| Bank | 8 m |", True, "Mill · 17 m · Bank · 8 m · "),
        ("The bridge of **", True, "The bridge of "),
        ("** was built by [Ann](ann.md) `code`", False, " was built by Ann code"),
        ("- flour\n- water", True, "flour · water"),
        ("> Come\n> soon.", True, "Come soon."),
        ("Issue #5 costs 3 * 4", True, "Issue #5 costs 3 * 4"),
        ("", True, ""),
    ],
)
def test_the_marks_are_left_out(text: str, begins: bool, shown: str) -> None:
    assert unmarked(text, begins) == shown


@every("text", ["*" * 5000, "[" * 5000, "|" * 5000, "> " * 3000, "# " * 3000, "· " * 3000])
def test_nothing_but_marks_is_read_at_once(text: str) -> None:
    assert len(unmarked(text)) <= 3 * len(text)


@pytest.mark.parametrize(("space", "shown"), [(" ", "a b · a · b"), ("\t\n", "a · b · a · b")])
def test_many_spaces_do_not_take_a_square_of_them(space: str, shown: str) -> None:
    spaces, begun = space * 50_000, time.process_time()  # which took half a minute, each looked at from each
    assert unmarked(f"# a{spaces}b\n\n| a{spaces}| b") == shown
    assert time.process_time() - begun < 5
