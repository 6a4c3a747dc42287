import random

from appliance.repositories.difference import difference


def test_nothing_new_is_nothing_to_do() -> None:
    tree = {"a.md": "1", "b.md": "2"}
    found = difference(tree, tree)
    assert (found.fresh, dict(found.moved), found.gone) == ((), {}, ())


def test_new_changed_moved_and_gone_are_told_apart() -> None:
    old = {"same.md": "1", "changed.md": "2", "old/moved.md": "3", "gone.md": "4"}
    new = {"same.md": "1", "changed.md": "9", "new/moved.md": "3", "fresh.md": "5"}
    found = difference(old, new)
    assert found.fresh == ("changed.md", "fresh.md")
    assert found.moved == {"new/moved.md": "old/moved.md"}
    assert found.gone == ("gone.md",)


def test_two_that_change_places_are_read_again() -> None:
    """Neither path is new, so neither file has moved; their old passages give the vectors."""
    found = difference({"a.md": "1", "b.md": "2"}, {"a.md": "2", "b.md": "1"})
    assert found.fresh == ("a.md", "b.md")
    assert not found.moved


def test_a_copy_is_no_move() -> None:
    found = difference({"a.md": "1"}, {"a.md": "1", "b.md": "1"})
    assert found.fresh == ("b.md",)
    assert not found.gone


def test_of_several_alike_each_moves_once_and_one_of_its_name_first() -> None:
    found = difference({"x/a.md": "1", "x/b.md": "1"}, {"y/b.md": "1", "y/c.md": "1", "y/d.md": "1"})
    assert found.moved == {"y/b.md": "x/b.md", "y/c.md": "x/a.md"}
    assert found.fresh == ("y/d.md",)


def test_what_is_titled_by_its_name_moves_only_with_it() -> None:
    found = difference({"x/a.md": "1", "x/b.md": "2"}, {"y/a.md": "1", "y/c.md": "2"}, {"x/a.md", "x/b.md"})
    assert found.moved == {"y/a.md": "x/a.md"}
    assert found.fresh == ("y/c.md",)
    assert found.gone == ("x/b.md",)


def test_doing_what_it_says_leads_from_any_tree_to_any_other() -> None:
    chance = random.Random(7)
    for _ in range(300):
        old, new = (
            {f"{chance.choice('xyz')}/{chance.randrange(6)}.md": str(chance.randrange(5)) for _ in range(8)}
            for _ in range(2)
        )
        found = difference(old, new)
        made = {path: blob for path, blob in old.items() if path not in found.gone}
        moved = {path: made.pop(before) for path, before in found.moved.items()}
        made |= moved
        made |= {path: new[path] for path in found.fresh}
        assert made == new
        assert all(new[path] == old[before] for path, before in found.moved.items())
        assert set(found.fresh).isdisjoint(found.moved)
