"""The whole box to one file and back: old or new, never in between, and only what is a backup of ours."""

import gzip
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance import backup_verbs, chosen, settings
from appliance.__main__ import main
from appliance.backups import coming, container, settling
from appliance.backups.coming import Coming, receive
from appliance.backups.parts import NAMES, PARTS
from appliance.backups.saving import WORK, save, save_to
from appliance.backups.settling import at_start, settle, waits
from appliance.documents.backup import NO_BACKUP
from appliance.documents.search import FOLDER, Documents
from appliance.documents.store import Store
from appliance.errors import BackupError, DocumentError
from appliance.people import code as people_folder
from appliance.people import people
from appliance.repositories import register, repositories
from appliance.settings import choices
from appliance.sqlite import connect
from appliance.vectors import HashEncoder
from backups.marked import all_of, filled, marks

pytestmark = pytest.mark.slow
KEPT = sorted((Path(__file__).parents[1] / "data").glob("backup-format-*.tar.gz"))


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a box whose every part is new."""
    folder = tmp_path_factory.mktemp("new")
    filled(folder / "home", "new")
    save_to(folder / "home", folder / "backup.tar")
    return folder / "backup.tar"


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("old") / "home", "old")


@pytest.fixture
def home(tmp_path: Path, old: Path) -> Path:
    """A box whose every part is old."""
    shutil.copytree(old, tmp_path / "home")
    return tmp_path / "home"


def test_all_parts_go_and_come_back(home: Path, backup: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    receive(home, backup)
    assert marks(home) == all_of("old")  # nothing is touched before a start
    assert settle(home) == settling.DONE
    assert marks(home) == all_of("new")
    assert settle(home) == ""
    assert settling.said(home) == settling.DONE
    assert sorted(file.name for file in (home / coming.FOLDER).iterdir()) == [coming.LOCK, settling.SAID]


def test_an_empty_box_has_a_backup_and_takes_one(tmp_path: Path, home: Path, backup: Path) -> None:
    (tmp_path / "empty").mkdir()
    save_to(tmp_path / "empty", tmp_path / "empty.tar")
    assert list((tmp_path / "empty").iterdir()) == []
    receive(home, tmp_path / "empty.tar")
    settle(home)
    assert marks(home) == {**all_of("[]"), "chosen.toml": ""}
    receive(tmp_path / "empty", backup)
    settle(tmp_path / "empty")
    assert marks(tmp_path / "empty") == all_of("new")


def identity(home: Path) -> object:
    documents = Documents.open(home / FOLDER, HashEncoder.model_sha256)
    with documents.store.read() as connection:
        found = connection.execute("SELECT value FROM about WHERE key = 'identity'").get
    documents.close()
    return found


def test_nobody_is_signed_in_by_a_backup_and_no_key_is_in_it(tmp_path: Path, home: Path) -> None:
    (home / repositories.FOLDER / "secret.key").write_text("PRIVATE KEY")
    before = identity(home)
    save_to(home, tmp_path / "own.tar")
    assert b"PRIVATE KEY" not in (tmp_path / "own.tar").read_bytes()
    assert b"a browser" not in (tmp_path / "own.tar").read_bytes()
    receive(home, tmp_path / "own.tar")
    settle(home)
    found = people.open_people(home / people_folder.FOLDER)
    with found.store.read() as connection:
        assert connection.execute("SELECT count(*) FROM session").get == 0
    found.store.close()
    assert identity(home) != before  # so that words and vectors are made anew


def test_a_source_of_a_backup_was_never_synced_here(tmp_path: Path, home: Path) -> None:
    store = Store.open(home / repositories.FOLDER / register.FILE, register.REGISTER)
    register.went_well(store, "old", "c0ffee", register.Tally(3))
    store.close()
    save_to(home, tmp_path / "own.tar")
    receive(home, tmp_path / "own.tar")
    settle(home)
    store = Store.open(home / repositories.FOLDER / register.FILE, register.REGISTER)
    assert register.find(store, "old").outcome.commit == ""
    store.close()


def test_a_backup_overwrites_nothing_and_leaves_nothing(tmp_path: Path, home: Path) -> None:
    save_to(home, tmp_path / "a.tar")
    with pytest.raises(BackupError, match="is there already"):
        save_to(home, tmp_path / "a.tar")
    with pytest.raises(BackupError, match="cannot be written"):
        save_to(home, tmp_path / "nowhere/a.tar")
    assert list(home.glob(f"{WORK}*")) == []


def test_copies_of_a_process_that_has_died_are_removed(home: Path) -> None:
    mine = save(home)
    (home / f"{WORK}999999999-x").mkdir()
    settle(home)
    assert [file.name for file in home.glob(f"{WORK}*")] == [mine.folder.name]
    mine.close()


def test_while_another_program_has_a_part_open_nothing_is_touched(home: Path, backup: Path) -> None:
    receive(home, backup)
    found = people.open_people(home / people_folder.FOLDER)
    with pytest.raises(BackupError, match=r"has people\.db open"):
        settle(home)
    found.store.close()
    assert waits(home)
    assert marks(home) == all_of("old")
    assert settle(home) == settling.DONE
    assert marks(home) == all_of("new")


def test_a_box_whose_own_file_is_damaged_can_be_restored(home: Path, backup: Path) -> None:
    (home / PARTS[0].place).write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    (home / f"{PARTS[0].place}-wal").write_bytes(b"y" * 100)
    receive(home, backup)
    assert settle(home) == settling.DONE
    assert marks(home) == all_of("new")


class Died(BaseException):
    """The power went."""


def dying(after: int) -> Callable[[Path, Path], None]:
    left = [after]

    def move(one: Path, other: Path) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Died
        os.replace(one, other)

    return move


@pytest.mark.parametrize("steps", range(11))
def test_without_power_at_any_step_the_next_start_goes_on(home: Path, backup: Path, steps: int) -> None:
    """5 parts aside, 5 in place, the end: the eleventh death is after all of them."""
    receive(home, backup)
    with pytest.raises(Died):
        settle(home, dying(steps))
    settle(home)
    assert marks(home) == all_of("new")
    assert not (home / coming.FOLDER / settling.BEFORE).exists()


def failing(part: object, _home: Path) -> None:
    if part is PARTS[-1]:
        raise DocumentError("it is damaged.")


def test_a_backup_that_does_not_open_gives_way_to_what_was_before(home: Path, backup: Path) -> None:
    receive(home, backup)
    assert "could not be opened: it is damaged. The box is as it was" in settle(home, check=failing)
    assert marks(home) == all_of("old")
    assert settle(home) == ""


def test_a_disk_that_refuses_a_step_gives_way_too(home: Path, backup: Path) -> None:
    left = [7]

    def move(one: Path, other: Path) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise OSError(5, "Input/output error")
        os.replace(one, other)

    receive(home, backup)
    assert "Input/output error. The box is as it was" in settle(home, move)
    assert marks(home) == all_of("old")


@pytest.mark.parametrize("steps", range(10, 21))
def test_nor_does_a_death_on_the_way_back_leave_half_of_it(home: Path, backup: Path, steps: int) -> None:
    receive(home, backup)
    with pytest.raises(Died):
        settle(home, dying(steps), failing)
    settle(home)  # which could open it: the decision was made before
    assert marks(home) == all_of("old")


def test_what_was_made_anew_in_between_does_not_stay(home: Path, backup: Path) -> None:
    """A program that starts between two deaths finds no archive and makes one."""
    receive(home, backup)
    with pytest.raises(Died):
        settle(home, dying(1))
    assert not (home / PARTS[0].place).exists()
    Documents.open(home / FOLDER, HashEncoder.model_sha256).close()
    settle(home)
    assert marks(home) == all_of("new")


def test_only_one_comes_at_a_time(home: Path, backup: Path) -> None:
    first = Coming(home)
    with pytest.raises(BackupError, match="Another backup is being restored"):
        receive(home, backup)
    first.close()
    receive(home, backup)
    with pytest.raises(BackupError, match="Another backup is being restored"):
        receive(home, backup)
    settle(home)
    receive(home, backup)


def bent(backup: Path, folder: Path, name: str, change: Callable[[Path], None]) -> Path:
    """A backup, right as a file, one of whose parts was changed."""
    parts = folder / "parts"
    parts.mkdir()
    unpacking = container.Unpacking(parts, NAMES, lambda _: None)
    unpacking.feed(backup.read_bytes())
    contents = unpacking.done()
    change(parts / name)
    contents = container.Contents(contents.version, contents.made, container.members(parts, NAMES))
    (folder / "bent.tar").write_bytes(b"".join(container.pack(contents, parts)))
    return folder / "bent.tar"


def sql(statement: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        connection = connect(file, "write")
        connection.execute(statement).fetchall()
        connection.close()

    return change


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("documents.db", lambda file: file.write_bytes(b""), "documents.db of this backup cannot be used"),
        ("documents.db", lambda file: file.write_bytes(b"x" * 9000), "cannot be used"),
        ("documents.db", lambda file: file.write_bytes(file.read_bytes()[:-4096]), "cannot be used"),
        ("documents.db", sql("PRAGMA application_id = 1"), "is not a backup of documents"),
        ("documents.db", sql("PRAGMA user_version = 99"), "form 99; this program knows up to"),
        ("people.db", sql("CREATE TRIGGER x AFTER DELETE ON session BEGIN SELECT 1; END"), "parts that run"),
        ("people.db", sql("CREATE VIEW x AS SELECT 1"), "parts that run"),
        ("people.db", sql("CREATE TABLE x(y)"), "other tables"),
        ("people.db", sql("DELETE FROM about"), "no place for the key"),
        ("usage.db", sql("DROP TABLE counted"), "other tables"),
        ("repositories.db", sql("ALTER TABLE repository ADD COLUMN x TEXT"), "other tables"),
        ("chosen.toml", lambda file: file.write_bytes(b"gate ="), "not TOML"),
    ],
)
def test_a_part_that_is_not_ours_is_refused_and_the_box_stays(
    home: Path, backup: Path, tmp_path: Path, name: str, change: Callable[[Path], None], told: str
) -> None:
    with pytest.raises(BackupError, match=told):
        receive(home, bent(backup, tmp_path, name, change))
    assert not waits(home)
    assert not (home / coming.FOLDER / coming.COMING).exists()
    assert settle(home) == ""
    assert marks(home) == all_of("old")


def test_choices_of_a_newer_version_are_left_out_not_refused(
    home: Path, backup: Path, tmp_path: Path
) -> None:
    def change(file: Path) -> None:
        file.write_text('gate = "open"\ncolour = "blue"\n')

    receive(home, bent(backup, tmp_path, "chosen.toml", change))
    settle(home)
    assert choices(home).values == {"gate": "open"}
    assert (home / chosen.FILE).exists()


@pytest.mark.parametrize("kept", KEPT, ids=lambda file: file.name)
def test_every_kept_backup_is_still_read(home: Path, tmp_path: Path, kept: Path) -> None:
    """Made by tests/data/make_backup.py with the version that its name says."""
    (tmp_path / "kept.tar").write_bytes(gzip.decompress(kept.read_bytes()))
    receive(home, tmp_path / "kept.tar")
    settle(home)
    assert marks(home) == all_of("new")


def test_a_file_that_is_not_there_is_said(home: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="cannot be read: No such file"):
        receive(home, tmp_path / "none.tar")


def verb(*words: str, home: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main([*words, "--home", str(home)])
    said = capsys.readouterr()
    return code, said.out + said.err


def test_the_verbs(home: Path, backup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = verb("backup", str(tmp_path / "own.tar"), home=home, capsys=capsys)
    assert (code, said) == (0, f"{tmp_path}/own.tar: {(tmp_path / 'own.tar').stat().st_size:,} bytes\n")
    code, said = verb("restore", str(backup), home=home, capsys=capsys)
    assert (code, settling.DONE in said, marks(home)) == (0, True, all_of("new"))
    found = people.open_people(home / people_folder.FOLDER)
    code, said = verb("restore", str(tmp_path / "own.tar"), home=home, capsys=capsys)
    found.store.close()
    assert (code, backup_verbs.WAITS in said, marks(home)) == (0, True, all_of("new"))
    at_start(settings.load({"home": home}, {}))
    assert marks(home) == all_of("old")
    code, said = verb("restore", __file__, home=home, capsys=capsys)
    assert (code, said.splitlines()[1:]) == (2, ["This is no backup of a Lamplight.", NO_BACKUP])


def test_what_a_backup_chose_is_in_force_at_once(home: Path, backup: Path) -> None:
    given = settings.load({"home": home}, {})
    receive(home, backup)
    assert (given.gate, at_start(given).gate) == ("strict", "open")
