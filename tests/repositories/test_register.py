import pytest

from appliance.documents.store import Store
from appliance.errors import GitError
from appliance.repositories import register
from appliance.repositories.records import Tally


def opened() -> Store:
    return Store.open(None, register.REGISTER)


def test_a_source_is_kept_with_what_became_of_it() -> None:
    store = opened()
    given = register.add(store, register.new("git@github.com:Team/The.Wiki.git", seen="everyone"))
    assert (given.name, given.looks, given.seen) == ("the-wiki", "github", "everyone")
    assert register.listed(store) == [register.find(store, "the-wiki")] == [given]
    register.failed(store, "the-wiki", GitError("No way.", "Wait.", "away"))
    register.failed(store, "the-wiki", GitError("No way.", "Wait.", "away"))
    outcome = register.find(store, "the-wiki").outcome
    assert (outcome.kind, outcome.sentence, outcome.failures, outcome.synced) == ("away", "No way.", 2, "")
    register.went_well(store, "the-wiki", "abc", Tally(3, 9, modules=("x",)))
    outcome = register.find(store, "the-wiki").outcome
    assert (outcome.kind, outcome.failures, outcome.commit, outcome.tally.modules) == ("", 0, "abc", ("x",))
    assert outcome.synced
    synced = outcome.synced
    register.failed(store, "the-wiki", GitError("Gone.", "", "gone"))
    outcome = register.find(store, "the-wiki").outcome
    assert (outcome.synced, outcome.commit, outcome.tally.files) == (synced, "abc", 3)
    register.show(store, "the-wiki", "people")
    assert register.find(store, "the-wiki").seen == "people"
    register.remove(store, "the-wiki")
    assert register.listed(store) == []
    with pytest.raises(GitError):
        register.find(store, "the-wiki")


def test_names_are_plain_and_taken_once() -> None:
    store = opened()
    register.add(store, register.new("https://example.org/a/wiki"))
    with pytest.raises(GitError, match="already"):
        register.add(store, register.new("https://example.org/b/wiki.git"))
    register.add(store, register.new("https://example.org/b/wiki.git", "Wiki-2"))
    assert [one.name for one in register.listed(store)] == ["wiki", "wiki-2"]
    for bad in ("a b", "../x", "-x", "x-", "x" * 41, "é", "a/b", "x.y"):
        with pytest.raises(GitError):
            register.new("https://example.org/a/wiki", bad)
    with pytest.raises(GitError):
        register.new("https://example.org/_._")


def test_the_form_of_the_host_can_be_said() -> None:
    assert register.new("https://git.example.org/a/b", looks="gitea").looks == "gitea"
    assert register.new("https://gitlab.example.org/a/b", looks="none").looks == ""
    assert register.new("https://gitlab.example.org/a/b", looks="nonsense").looks == "gitlab"


def test_people_who_have_signed_in_see_it_unless_everyone_is_said() -> None:
    for said in ("", "people", "nonsense"):
        assert register.new("https://example.org/a/b", seen=said).seen == "people"
