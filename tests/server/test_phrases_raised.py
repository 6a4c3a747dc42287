"""What is refused or goes wrong on pages, and what the status page says, has its sentence in the tables."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.server.phrases import Phrases
from appliance.server.phrases_faults import FAULTS
from appliance.server.phrases_health import HEALTH
from appliance.server.phrases_refusals import REFUSALS
from appliance.server.phrases_signing import SIGNING
from appliance.server.phrases_syncs import SYNCS
from appliance.services import kiwix

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[2]
MODULES = (
    "server/**/*.py", "people/*.py", "repositories/re*.py", "repositories/sync.py", "repositories/book.py",
    "documents/areas.py", "documents/conversations.py", "documents/turns.py", "documents/scope.py",
    "documents/incoming.py", "sources/remotes.py", "sources/reach.py", "sources/git*.py", "sources/keys.py",
    "shelving/*.py", "backups/co*.py", "backups/parts.py", "backups/settling.py", "answer/queue.py",
    "answer/visit.py", "usage/usage.py", "retrieval/search.py", "wiring.py",
)  # fmt: skip
# What programs alone are told, or whoever types a verb.
FOR_PROGRAMS = ("api.py", "chat.py", "embeddings.py", "small.py", "reading.py", "intake.py")
DEFECTS = r"(?!Value|Type|Runtime|OS|Key|Lookup)"
KINDS = re.compile(DEFECTS + r"[A-Z]\w*(Request|Error|Missing|Unreadable|Down|Full|Conflict|TooLarge)|Check")
ELSEWHERE = {  # said in English: messages of other programs, and what no page leads to
    "There is no model “1” here.", "Use 1.",
    "The file of people has no key.", "Restore a backup: docs/backup.md.",
    "ssh-keygen: 1.", "See the disk's space, then try again.", "1 cannot be read: 1.",
}  # fmt: skip


def files() -> list[Path]:
    found = sorted({file for pattern in MODULES for file in (ROOT / "appliance").glob(pattern)})
    return [file for file in found if not file.name.endswith(FOR_PROGRAMS) and "phrases" not in file.name]


def text(node: ast.expr, names: dict[str, str]) -> str:
    """What a string comes to, with 1 for each value; "" for what is told elsewhere."""
    match node:
        case ast.Constant(str() as value):
            return re.sub(r"\{\w+\}", "1", value)
        case ast.JoinedStr(parts):
            return "".join(text(part, names) or "1" for part in parts)
        case ast.FormattedValue(ast.Name(id=name)) if name in names:
            return names[name]
        case ast.Name(id=name):
            return names.get(name, "")
        case ast.Call(ast.Attribute(value, "format")):
            return text(value, names)
    return ""


def raised(file: Path) -> Iterator[str]:
    tree = ast.parse(file.read_text("utf-8"))
    names = {
        target.id: text(node.value, {})
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name(id=name), arguments) if KINDS.fullmatch(name):
                told = [text(one, names) for one in arguments]
            case ast.Assign([ast.Name(id="sentence" | "hint")], value):
                told = [text(value, names)]
            case _:
                continue
        yield from (one for one in told if " " in one)


def test_what_is_raised_is_in_the_tables() -> None:
    say = Phrases("es")
    found = {(file.name, one) for file in files() for one in raised(file)}
    assert {(name, one) for name, one in found if say(one) == one and one not in ELSEWHERE} == set()


def test_no_sentence_is_left_over() -> None:
    code = [file for file in (ROOT / "appliance").rglob("*.py") if "phrases" not in file.name]
    strings = {
        text(node, {})
        for file in code
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant | ast.JoinedStr)
    }
    strings.add(f"{kiwix.PROGRAM} is not installed. {kiwix.HINT}")
    templates = "".join(file.read_text("utf-8") for file in (ROOT / "web/templates").rglob("*.html"))
    everything = "\n".join(strings)
    for english in HEALTH | REFUSALS | SIGNING | FAULTS | SYNCS:
        parts = [part.strip(" (),:;.…“”") for part in re.split(r"\{\w+\}", english)]
        assert f'say("{english}"' in templates or all(part in everything for part in parts), english
