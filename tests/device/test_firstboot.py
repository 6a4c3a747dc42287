"""The first start, and others: what is missing is made, what is wrong is told, the box starts anyway."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from appliance.device import firstboot, problems
from appliance.errors import DeviceError

ALONE = "import sys; sys.path.insert(0, sys.argv[1]); import appliance.device.__main__"
US = os.getuid(), os.getgid()


@pytest.fixture
def folders(tmp_path):
    for name in ("data", "run"):
        (tmp_path / name).mkdir()
    return tmp_path / "data", tmp_path / "run"


class Mounted(type(Path())):
    """A folder that plays a mounted partition."""

    def is_mount(self):
        return True


def start(folders, larger=lambda _label: None, label=Path("/dev/null")):
    data, run = folders
    found = firstboot.first_boot(Mounted(data), run, *US, label, larger)
    assert problems.read(run) == found
    return found


def test_what_is_missing_is_made_once(folders):
    data, _ = folders
    grown = []
    assert start(folders, grown.append) == ()
    assert grown == [Path("/dev/null")]
    secrets = {file.name: file.read_bytes() for file in (data / "secrets").iterdir()}
    assert len(secrets) == 2
    assert (data / "home/models").readlink() == firstboot.MODELS
    assert start(folders) == ()
    assert {file.name: file.read_bytes() for file in (data / "secrets").iterdir()} == secrets


@pytest.mark.parametrize(
    "error", [DeviceError("The card is too small.", "Write it again."), OSError(5, "I/O error")]
)
def test_a_partition_that_does_not_grow_is_told(folders, error):
    def larger(_label):
        raise error

    (problem,) = start(folders, larger)
    assert str(error).rstrip(".") in problem.sentence
    assert (folders[0] / "secrets").is_dir()


def test_a_card_without_a_data_partition_is_told(folders):
    (problem,) = start(folders, label=Path("/nowhere"))
    assert "no data partition" in problem.sentence


def test_a_partition_that_is_not_mounted_is_told(folders):
    data, run = folders
    (problem,) = firstboot.first_boot(data, run, *US, Path("/dev/null"))
    assert "cannot be used" in problem.sentence
    assert (data / "secrets").is_dir()


def test_a_partition_that_cannot_be_written_is_told_and_memory_is_used(folders):
    data, run = folders
    shutil.rmtree(data)
    data.symlink_to("/proc")  # nobody writes there, not even root
    (problem,) = start(folders)
    assert "cannot be written" in problem.sentence
    assert (run / "data/secrets/admin-code").is_file()


def test_a_partition_that_became_read_only_leaves_the_box_its_secrets_and_settings(folders):
    data, run = folders
    start(folders)
    (data / "settings").mkdir()
    (data / "settings/lamplight.toml").write_text("name = 'clinic'")
    before = {file.name: file.read_text() for file in (data / "secrets").iterdir()}
    (data / "..probe.part").mkdir()  # in the way: nothing can be written, as after errors=remount-ro
    (problem,) = start(folders)
    assert "cannot be written" in problem.sentence
    kept = run / "data"
    assert {file.name: file.read_text() for file in (kept / "secrets").iterdir()} == before
    assert (kept / "settings/lamplight.toml").read_text() == "name = 'clinic'"
    assert (kept / "secrets/wifi-passphrase").stat().st_mode & 0o777 == 0o600


@pytest.mark.image
def test_the_system_s_python_runs_what_runs_as_root(tmp_path):
    """/usr/bin/python3 without any package: the verbs are there."""
    done = subprocess.run(
        ["/usr/bin/python3", "-I", "-c", ALONE, Path(__file__).parents[2]],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
