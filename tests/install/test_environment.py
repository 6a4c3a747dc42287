"""The Python environment: made once, gone on with when interrupted, made anew when the pins change."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from appliance.errors import SetupError
from appliance.install import engine
from appliance.install.environment import Environment


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """Pins of one tiny package, which pip finds in a folder as a user would tell it to."""
    for variable in ("PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    pin(tmp_path, "first")
    return Environment(tmp_path / "home" / "venv", tmp_path, tmp_path / "setup.log")


def pin(folder: Path, name: str) -> Path:
    """A wheel of one module, and the file that pins it."""
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr(f"{name}.py", "")
        packed.writestr(
            f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        )
        packed.writestr(
            f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        packed.writestr(f"{name}-1.0.dist-info/RECORD", "")
    lock = folder / f"{name}.lock"
    lock.write_text(f"{name}==1.0 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n", "utf-8")
    return wheel


@pytest.mark.models  # three virtual environments: too slow for the default tier
def test_is_made_once_and_goes_on_after_an_interruption(environment: Environment, tmp_path: Path) -> None:
    second = pin(tmp_path, "second")
    aside = second.rename(tmp_path / "not-yet")
    with pytest.raises(SetupError, match="second"):
        environment.prepare(["first", "second"])
    assert environment.missing(["first", "second"]) == ["second"]
    kept = (environment.folder / "pyvenv.cfg").stat().st_mtime_ns
    aside.rename(second)
    environment.prepare(["first", "second"])
    assert environment.missing(["first", "second"]) == []
    assert (environment.folder / "pyvenv.cfg").stat().st_mtime_ns == kept
    environment.link(tmp_path / "project")
    assert next(environment.folder.rglob("lamplight.pth")).read_text() == f"{tmp_path / 'project'}\n"
    environment.lock("first").write_text(environment.lock("first").read_text() + "# another\n")
    assert environment.missing(["first", "second"]) == ["first", "second"]
    environment.prepare(["first"])
    assert (environment.folder / "pyvenv.cfg").stat().st_mtime_ns != kept
    assert environment.missing(["first", "second"]) == ["second"]


def test_pins_that_are_missing_are_named(environment: Environment) -> None:
    with pytest.raises(SetupError, match=r"nothing\.lock cannot be read"):
        environment.missing(["nothing"])


def test_a_damaged_record_means_making_it_anew(environment: Environment) -> None:
    environment.folder.mkdir(parents=True)
    (environment.folder / "made.json").write_text("{")
    assert environment.missing(["first"]) == ["first"]


def test_a_wheel_is_kept_for_its_pins_flags_and_processor(
    environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (engine.PINS, engine.TOOLS):
        environment.lock(name).write_text(f"{name}\n")
    before = engine.key(environment)
    assert engine.kept(tmp_path, environment) == []
    (tmp_path / before).mkdir()
    (tmp_path / before / "engine.whl").touch()
    assert [file.name for file in engine.kept(tmp_path, environment)] == ["engine.whl"]
    monkeypatch.setenv("CMAKE_ARGS", "-DGGML_NATIVE=OFF")
    assert engine.key(environment) != before
    monkeypatch.delenv("CMAKE_ARGS")
    environment.lock(engine.PINS).write_text("newer\n")
    assert engine.kept(tmp_path, environment) == []


def test_the_processor_is_what_the_kernel_lists(tmp_path: Path) -> None:
    for head in ("flags\t\t: avx2 fma", "Features\t: asimd fp"):
        (tmp_path / "cpuinfo").write_text(f"processor : 0\nmodel name : X\n{head}\n")
        assert engine.processor(tmp_path / "cpuinfo") == " ".join(sorted(head.split()))


def test_without_a_compiler_the_way_out_is_said(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (engine.PINS, engine.TOOLS):
        environment.lock(name).write_text(f"{name}\n")
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(SetupError, match="no C\\+\\+ compiler") as error:
        engine.install(environment.folder.parent / "wheels", environment)
    assert "--search-only" in error.value.hint
