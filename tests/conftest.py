"""What many tests share: the real data beside the project, the real models, small archives of our own."""

import fcntl
import gc
import signal
from pathlib import Path
from typing import Any

import pytest
from small_library import INDEX, METADATA, PAGES
from tiers import all_left_out, left_out, turns

from appliance import models, settings
from appliance.indexer.build import build
from appliance.indexer.chunk import CHUNKER
from appliance.indexer.workers import minilm
from appliance.indexformat import FORMAT
from appliance.sources.html import EXTRACTOR
from appliance.sources.zim import ZimArchive, write_archive

ROOT = Path(__file__).parent.parent
pytest_plugins = ("git_servers",)


def pytest_configure() -> None:
    """A job in the background of a script ignores Ctrl-C, one under nohup its terminal's end; so would all
    that these tests end by a signal."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    gc.set_threshold(50_000)  # many small tests; what they leave is freed when its last user is gone


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Not asked for a module or folder that was named on the command line."""
    unwanted = left_out(config.option.markexpr)
    return True if unwanted and all_left_out(collection_path, unwanted) else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Of the process that shares the tests out; None: xdist's own."""
    if config.getoption("dist") != "loadgroup":
        return None
    from in_turn import InTurn

    return InTurn(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The order in which the groups of `--dist loadgroup` begin."""
    if config.getoption("loadgroup", False):
        markers = ((item.path, frozenset(marker.name for marker in item.iter_markers())) for item in items)
        begins = turns(markers)
        items.sort(key=lambda item: begins[item.path])


def pytest_collection_finish() -> None:
    """Thousands of collected tests live to the end: a tenth of the run would go into looking through them."""
    gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the project; a test that needs it skips where it is absent."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder ../shared with real archives and questions is not here")
    return folder


@pytest.fixture(scope="session")
def home() -> Path:
    """Where the set-up put the models; a test with the marker `models` fails, not skips, without them."""
    found = settings.load().home
    if not (found / "models").is_dir():
        pytest.fail(f"no models in {found / 'models'}: run ./build.sh test, which fetches them")
    return found


@pytest.fixture(scope="session")
def small_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ZIM of our own pages (tests/small_library.py), written with libzim: medicine, repair, places, and
    titles that break links. Its name is `small`; copy it before changing anything."""
    path = tmp_path_factory.mktemp("library") / "small.zim"
    write_archive(path, [*PAGES, INDEX], METADATA, "eng", "index")
    return path


@pytest.fixture(scope="session")
def dev_index(shared: Path, home: Path) -> Path:
    """The index of ../shared/data/wiki/wiki_dev.zim with the real model: kept in home/test-cache and made
    again (some minutes, by one process) when the model, the extractor, the chunker or the format changes."""
    encoding = minilm(*(models.path(home, name) for name in models.EMBEDDING))
    cache = home / "test-cache"
    cache.mkdir(exist_ok=True)
    target = cache / f"wiki_dev-{FORMAT}-{EXTRACTOR}-{CHUNKER}-{encoding.sha256[:8]}.index"
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build(ZimArchive.open(shared / "data/wiki/wiki_dev.zim"), target, encoding)
    return target
