"""Every page that shows words of others, asked for with words that want to run."""

from collections.abc import Iterator
from urllib.parse import quote

from security.target import FILES, MARKDOWN, NAMES, RUNS, Target

ASKED = ("What causes tides?", "tides moon 1932", f"tides {RUNS}", *NAMES, "{{7*7}}", "${7*7}")


def paths(target: Target) -> Iterator[str]:
    """Of pages that answer everybody; the library and the documents are those of `target.furnished`."""
    yield from (
        "/",
        "/status",
        "/library",
        "/documents",
        "/timeline",
        "/disagreements",
        "/conversations",
        "/desk",
    )
    for asked in ASKED:
        yield f"/ask?q={quote(asked)}"
        yield f"/ask?q=and+when&before={quote(asked)}&about={quote(asked)}&said={quote(asked)}"
        yield f"/conversations?q={quote(asked[:150])}"
        yield f"/{quote(asked)}"
        yield f"/source?archive={quote(asked)}&path={quote(asked)}"
        yield f"/documents?folder={quote(asked[:40])}"
        yield f"/read/catch/external?source={quote('http://x.invalid/' + asked)}"
        yield f"/library?stick={quote(asked)}&notice={quote(asked)}"
    for n, name in enumerate(NAMES):
        yield f"/source?archive=hostile_en&path={quote(f'page {n} {name}', safe='')}&start=0&length=90"
        yield f"/document?id={n + 1}&start=0&length={len(MARKDOWN)}"
    yield from (f"/source?archive=git:wiki&path={quote(path, safe='')}&start=0&length=90" for path in FILES)
    yield "/source/files?archive=git:wiki"
    yield from (path for method, path in target.addresses if method == "GET" and "{" not in path)
