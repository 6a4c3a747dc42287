from appliance.documents.folders import Folder, above, within

FOUND = {"": 4, "b": 1, "a/x": 2, "a/x/deep": 3, "a": 5, "ab": 1, "a/y": 1}


def test_each_folder_counts_what_lies_below_it() -> None:
    assert within(FOUND, "") == [Folder("a", "a", 11), Folder("ab", "ab", 1), Folder("b", "b", 1)]
    assert within(FOUND, "a") == [Folder("a/x", "x", 5), Folder("a/y", "y", 1)]
    assert within(FOUND, "a/x/deep") == within(FOUND, "nowhere") == []


def test_numbers_in_names_are_counted() -> None:
    found = dict.fromkeys(("box 10", "Box 2", "box 1", "box", "10", "9"), 1)
    assert [one.name for one in within(found, "")] == ["9", "10", "box", "box 1", "Box 2", "box 10"]


def test_the_way_up() -> None:
    assert above("a/x/deep") == [Folder("a", "a", 0), Folder("a/x", "x", 0)]
    assert above("a") == above("") == []
