"""Imports run one way, without cycles, and each native package has one door (docs/architecture.md)."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# From first to last: a module imports from its own group or an earlier one.
GROUPS = (
    ("records", "errors", "misfits", "durable"),
    ("log", "setting", "chosen", "settings_git", "settings"),
    (
        "downloads",
        "models",
        "vectors",
        "tokens",
        "eightbit",
        "embedding",
        "sqlite",
        "passphrases",
        "indexformat",
        "indexfile",
        "install",
    ),
    ("sources",),
    ("indexer", "retrieval", "bundles"),
    ("answer", "documents", "repositories", "people", "usage"),
    ("services", "backups", "setup", "device"),
    ("wiring", "label"),
    ("shelving",),
    (
        "server",
        "quality",
        "assistants",
        "bundle_verbs",
        "made_bundle_verbs",
        "backup_verbs",
        "quality_verbs",
        "document_verbs",
        "document_saving_verbs",
        "source_verbs",
        "people_verbs",
        "mcp_verb",
        "commandline",
        "__main__",
    ),
    ("training",),
)
NEVER = {
    "retrieval": ("server", "indexer", "bundles"),
    "answer": ("server", "indexer", "bundles", "documents"),
    "indexer": ("retrieval",),
    "sources": ("models", "vectors", "embedding", "indexformat", "indexfile"),
}
DOORS = {
    "libzim": {"sources/zim.py", "sources/zimwriter.py"},
    "onnxruntime": {"embedding.py", "training/export.py"},
    "tokenizers": {"tokens.py", "training/train.py"},
    "torch": {"training/network.py", "training/train.py", "training/export.py"},
    "transformers": {"training/network.py"},
    "apsw": {"sqlite.py"},
    "argon2": {"passphrases.py"},
    "cryptography": {"bundles/signature.py"},
    "distributed": {"indexer/cluster.py"},
    "sqlite3": set(),
    "sqlite_vec": {"sqlite.py"},
    "llama_cpp": {"answer/llm.py"},
    "faiss": {"indexer/cells.py"},
    "pint": {"answer/units.py"},
    "matplotlib": {"quality/plots.py"},
    "segno": {"label/facts.py", "label/sheet.py"},
    "fpdf": {"label/sheet.py"},
    "pypdfium2": {"label/picture.py", "sources/pdf.py"},
    "charset_normalizer": {"sources/encodings.py"},
    "mammoth": {"sources/office.py"},
    "mdit_py_plugins": {"sources/markdown.py"},
    "yaml": {"sources/markdown.py"},
    "dateparser": {"documents/parser.py"},
    "mcp": {"assistants/tools.py", "assistants/serve.py"},
    "mcp_types": {"assistants/tools.py"},
}


@cache
def modules() -> dict[str, Path]:
    """Dotted name without `appliance.` -> file."""
    found = {}
    for file in sorted((ROOT / "appliance").rglob("*.py")):
        parts = file.relative_to(ROOT / "appliance").with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def imported(file: Path) -> tuple[str, ...]:
    """Every dotted name that a file imports, wherever in the file."""
    return tuple(_imported(file))


def _imported(file: Path) -> Iterator[str]:
    for node in _statements(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement: nothing else imports, and most of a tree is expressions."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, field, ()):
            yield inner
            yield from _statements(inner)


@cache
def ours() -> tuple[tuple[str, str], ...]:
    return tuple(_ours())


def _ours() -> Iterator[tuple[str, str]]:
    """(importing module, imported module) for all of our own."""
    known = modules()
    for name, file in known.items():
        for target in imported(file):
            if target.split(".")[0] == "appliance":
                inner = target.removeprefix("appliance").lstrip(".")
                while inner and inner not in known:
                    inner = inner.rpartition(".")[0]
                if inner and inner != name:
                    yield name, inner


def head(module: str) -> str:
    return module.split(".")[0]


def test_every_module_has_its_group() -> None:
    placed = {name for group in GROUPS for name in group}
    assert {head(name) for name in modules() if name} <= placed


def test_imports_run_one_way() -> None:
    rank = {name: place for place, group in enumerate(GROUPS) for name in group}
    wrong = [f"{a} -> {b}" for a, b in ours() if rank[head(b)] > rank[head(a)]]
    wrong += [f"{a} -> {b}" for a, b in ours() if head(b) in NEVER.get(head(a), ())]
    assert wrong == []


def test_there_are_no_cycles() -> None:
    graph: dict[str, set[str]] = {}
    for module, target in ours():
        graph.setdefault(module, set()).add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_each_native_package_has_one_door() -> None:
    used: dict[str, set[str]] = {package: set() for package in DOORS}
    for file in modules().values():
        for target in imported(file):
            if head(target) in used:
                used[head(target)].add(str(file.relative_to(ROOT / "appliance")))
    assert {
        package: files - DOORS[package] for package, files in used.items() if files - DOORS[package]
    } == {}


def foreign_to(*started: str) -> set[str]:
    """What modules that are started so, or their packages, import of others than us and Python itself."""
    reached, todo = set(), [name for name in modules() if name.startswith(started)]
    edges = list(ours())
    while todo:
        module = todo.pop()
        if module not in reached:
            reached.add(module)
            todo += [target for origin, target in edges if origin == module]
    return {
        f"{name}: {target}"
        for name in reached
        for target in imported(modules()[name])
        if head(target) != "appliance" and head(target) not in sys.stdlib_module_names
    }


def test_the_set_up_of_python_needs_the_standard_library_alone() -> None:
    """It runs before anything is installed."""
    assert foreign_to("install") == set()


def test_what_runs_as_root_on_the_card_needs_the_standard_library_alone() -> None:
    """It runs with the system's Python, which has no other package."""
    assert foreign_to("device.__main__") == set()


@pytest.mark.slow
def test_the_pages_need_no_models() -> None:
    """The processes that have them are asked; together these packages would cost the pages 80 MB."""
    needed = {found.split(": ")[1].split(".")[0] for found in foreign_to("server.app", "wiring")}
    elsewhere = {"onnxruntime", "tokenizers", "llama_cpp", "faiss", "matplotlib", "mcp", "mcp_types"}
    of_files = {"charset_normalizer", "mammoth", "markdown_it", "mdit_py_plugins", "pypdfium2"}
    assert needed & (elsewhere | of_files) == set()
