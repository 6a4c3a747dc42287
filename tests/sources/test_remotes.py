import pytest
from every import every

from appliance.errors import GitError
from appliance.sources.remotes import Remote, branch, form, page, remote


@every(
    ("typed", "found", "url"),
    [
        ("https://example.org/team/wiki.git", Remote("https", "example.org", "/team/wiki.git"), ""),
        (" https://Example.ORG:8443/wiki ", Remote("https", "example.org", "/wiki", "", 8443),
         "https://example.org:8443/wiki"),
        ("ssh://git@example.org:2222/team/wiki.git",
         Remote("ssh", "example.org", "/team/wiki.git", "git", 2222), ""),
        ("git@example.org:team/wiki.git", Remote("ssh", "example.org", "team/wiki.git", "git"), ""),
        ("example.org:wiki", Remote("ssh", "example.org", "wiki"), ""),
        ("ssh://git@[2001:db8::1]:22/x", Remote("ssh", "2001:db8::1", "/x", "git", 22), ""),
    ],
)  # fmt: skip
def test_an_address_comes_apart_and_together_again(typed: str, found: Remote, url: str) -> None:
    assert remote(typed) == found
    assert found.url == (url or typed)
    assert remote(found.url) == found


@every(
    "typed",
    [
        "", "wiki", "/etc", "./wiki", "file:///etc", "file://localhost/etc", "http://example.org/wiki",
        "git://example.org/wiki", "ftp://example.org/wiki", "ext::sh -c id", "ext::sh%20-c%20id", "fd::3",
        "ssh://-oProxyCommand=id/wiki", "-oProxyCommand=id:wiki", "git@-oProxyCommand=id:wiki",
        "ssh://git@example.org/-wiki", "git@example.org:-wiki", "--upload-pack=id", "-c", "ssh://-u@example.org/x",
        "https://example.org/../../x", "ssh://git@example.org/a/../b", "https://example.org/a b",
        "ssh://git@example.org/$(id)", "git@example.org:a;id", "git@example.org:`id`", "git@example.org:a'b",
        "https://example.org/wiki?x=1", "https://example.org/wiki#x", "https://example.org\n.evil/x",
        "https://example.org:99999/x", "https://exa mple.org/x", "https://[::1/x", "https://ex\0.org/x",
        "https://user@example.org/x", "transport::https://example.org/x", "https://example.org",
    ],
)  # fmt: skip
def test_what_is_no_plain_address_is_refused(typed: str) -> None:
    with pytest.raises(GitError) as refused:
        remote(typed)
    assert refused.value.kind == "refused"


def test_a_password_in_an_address_is_refused_and_not_told_again() -> None:
    for typed in ("https://me:s3cret@example.org/x", "ssh://me:s3cret@example.org/x"):
        with pytest.raises(GitError) as refused:
            remote(typed)
        assert "s3cret" not in f"{refused.value} {refused.value.hint}"


def test_branches() -> None:
    for good in ("", "main", "release/1.2", "feature+x", "wip_2"):
        assert branch(good) == good
    for bad in ("-x", "a..b", "a b", "a~1", "a^", "refs/heads/.x", "x.lock", "a:b", "a//b", "x/", "*"):
        with pytest.raises(GitError):
            branch(bad)


def test_names_and_aliases() -> None:
    assert remote("git@example.org:team/wiki.git").name == "wiki"
    assert remote("https://example.org/a/docs/").name == "docs"
    assert remote("git@example.org:x").alias == "example.org"
    assert remote("ssh://git@example.org:2222/x").alias == "[example.org]:2222"


def test_links_to_the_lines_at_the_host() -> None:
    there = remote("git@github.com:team/wiki.git")
    assert page(there, form(there.host), "abc", "ops/a b.md", (3, 9)) == (
        "https://github.com/team/wiki/blob/abc/ops/a%20b.md?plain=1#L3-L9"
    )
    there = remote("https://gitlab.example.org:8443/a/b/wiki.git")
    assert page(there, form(there.host), "abc", "x.md", (3, 3)) == (
        "https://gitlab.example.org:8443/a/b/wiki/-/blob/abc/x.md?plain=1#L3-3"
    )
    there = remote("ssh://git@codeberg.org:2222/team/wiki.git")
    assert page(there, form(there.host), "abc", "x?#.md") == (
        "https://codeberg.org/team/wiki/src/commit/abc/x%3F%23.md?display=source"
    )
    assert page(remote("git@example.org:x/y"), form("example.org"), "abc", "x.md") == ""
    assert page(remote("git@example.org:x/y"), "gitea", "abc", "x.md") != ""
