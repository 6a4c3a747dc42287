"""What `appliance run` starts and what it refuses before any work; with the marker models, the whole box."""

import os
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from small_library import ABOUT_TWO, TWO_FACTS

from appliance import chosen, settings
from appliance.errors import ArchiveError, SetupError
from appliance.quality import box
from appliance.server.rights import open_rights
from appliance.services import again, kiwix, run, runtime
from appliance.sources.zim import write_archive

ROOT = Path(__file__).parent.parent.parent
APART = ("unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")


def given(tmp_path, **values):
    return settings.load({"home": tmp_path, **values}, {})


def test_a_port_that_is_taken_is_said_before_any_work(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            SetupError, match=f"cannot listen on 127.0.0.1, port {port}: Address already in use"
        ):
            run.run(given(tmp_path, port=port))
    assert list(tmp_path.iterdir()) == []


def test_an_archive_that_is_not_there_is_said_before_any_work(tmp_path):
    with pytest.raises(ArchiveError, match=r"There is no archive absent\.zim"):
        run.run(given(tmp_path, archive=(tmp_path / "absent.zim",), port=run.free_port()))
    assert list(tmp_path.iterdir()) == []


def test_an_address_of_another_machine_is_refused(tmp_path):
    with pytest.raises(SetupError, match=r"cannot listen on 192\.0\.2\.1") as caught:
        run.run(given(tmp_path, host="192.0.2.1"))
    assert "0.0.0.0 for every network" in caught.value.hint


@pytest.mark.slow
def test_the_exit_code_of_an_interrupted_set_up(tmp_path):
    """It waits for a package index that says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        index = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        places = {"PIP_INDEX_URL": index, "PIP_EXTRA_INDEX_URL": index, "HF_ENDPOINT": index}
        command = run.verb("run", "--home", str(tmp_path), "--port", str(run.free_port()))
        environment = {**os.environ, **places, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
            assert "Fetching minilm" in process.stderr.readline()
            process.send_signal(signal.SIGINT)
            said = process.stderr.read()
    assert process.returncode == 130
    assert "What is done is kept" in said


@pytest.mark.parametrize("host", ["a" * 300, "xn--ü..x", "a b"])
def test_a_host_that_is_no_name_is_refused(tmp_path, host):
    with pytest.raises(SetupError, match="The pages cannot listen on"):
        run.run(given(tmp_path, host=host))


def test_a_second_box_with_the_same_home_is_refused(tmp_path):
    runtime.prepare(tmp_path / "run")
    with run.alone(tmp_path / "run"), pytest.raises(SetupError, match="Another Lamplight runs"):
        run.run(given(tmp_path, port=run.free_port()))


def test_a_runtime_folder_that_cannot_be_written_to_is_refused(tmp_path):
    (tmp_path / "run" / "lock").mkdir(parents=True)
    with pytest.raises(SetupError, match="cannot be written to"):
        run.run(given(tmp_path, port=run.free_port()))


def test_a_note_that_cannot_be_written_ends_nothing(tmp_path):
    (tmp_path / "services.json.part").mkdir()
    assert not runtime.write_states(tmp_path, [])
    (tmp_path / "services.json.part").rmdir()
    assert runtime.write_states(tmp_path, [runtime.ServiceState("web", "ready")])
    assert [state.name for state in runtime.read_states(tmp_path)] == ["web"]


def test_a_runtime_folder_of_somebody_else_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SetupError, match="is not a folder of this user"):
        runtime.prepare(tmp_path / "run")


def test_the_runtime_folder_is_private(tmp_path):
    (tmp_path / "run").mkdir(mode=0o755)
    runtime.prepare(tmp_path / "run")
    assert (tmp_path / "run").stat().st_mode & 0o777 == 0o700


def test_a_socket_path_that_is_too_long_is_refused(tmp_path):
    with pytest.raises(SetupError, match="at most 107 work"):
        runtime.socket_path(tmp_path / ("x" * 100), "embedder")


@pytest.mark.parametrize("text", ["", "{", "[5]", '[{"name": 1, "wings": 2}]'])
def test_a_damaged_note_is_no_note(tmp_path, text):
    (tmp_path / "services.json").write_text(text)
    assert runtime.read_states(tmp_path) == ()


def test_what_is_left_out_is_not_started_and_said(tmp_path, capsys):
    found = given(tmp_path, search_only=True)
    assert [program.name for program in run.programs(found)] == ["embedder", "web"]
    assert {state.name: state.state for state in run.left_out(found)} == {"kiwix": "off", "llama": "off"}
    assert "kiwix-serve is not installed" in capsys.readouterr().err


def test_without_a_model_file_questions_get_passages(tmp_path):
    states = run.left_out(given(tmp_path, reader="http://127.0.0.1:1"))
    assert [(state.name, state.state) for state in states] == [("llama", "off")]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8080/"),
        ("0.0.0.0", "http://127.0.0.1:8080/"),
        ("::1", "http://[::1]:8080/"),
        ("::", "http://[::1]:8080/"),
    ],
)
def test_one_address_that_a_browser_takes(tmp_path, host, address):
    assert run.address(given(tmp_path, host=host)) == address


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("127.0.0.1", "http://localhost:8080/"),
        ("0.0.0.0", "http://localhost:8080/"),
        ("192.0.2.7", "http://192.0.2.7:8080/"),
    ],
)
def test_the_address_that_is_told_is_a_name_where_one_is_sure(tmp_path, host, told):
    assert run.opened(given(tmp_path, host=host)) == told


def test_the_terminal_shows_the_code_of_a_box_without_an_admin(tmp_path):
    box = given(tmp_path)
    assert run.first_use(box) == []
    rights = open_rights(box)
    (told,) = run.first_use(box)
    code = (tmp_path / "people/first-use-code").read_text().strip()
    assert f"http://localhost:8080/first-use, once, with the code {code}." in told
    rights.people.store.close()
    rights = open_rights(box)
    assert run.first_use(box) == [told]  # the next start shows the same
    rights.people.first.take(code, "Ada", "correct horse battery")
    rights.people.store.close()
    open_rights(box).people.store.close()
    assert run.first_use(box) == []
    assert run.first_use(given(tmp_path, admin_code=str(tmp_path / "of-the-card"))) == []


# The whole box.


@pytest.fixture(scope="module")
def small(home, tmp_path_factory):
    """Settings of a box over a small archive of our own, with the real models; its index is made once."""
    folder = tmp_path_factory.mktemp("box")
    (folder / "library").mkdir()
    (folder / "models").symlink_to(home / "models")
    write_archive(folder / "library" / "small.zim", TWO_FACTS, ABOUT_TWO, "eng", "Main")
    return given(folder)


def pids(running):
    return [running.process.pid, *(state.pid for state in running.states().values() if state.pid)]


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def until(condition, seconds=180.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)


def ask(running, question):
    return running.http.get("/api/search", params={"q": question}).raise_for_status().json()


@pytest.mark.models
def test_a_box_answers_heals_and_ends_everything(small):
    with box.running(small) as running:
        assert ask(running, "What causes tides?")["results"][0]["path"] == "Tides"
        messages = [{"role": "user", "content": "What causes tides?"}]
        until(lambda: running.states()["llama"].state == "ready")
        reply = running.http.post("/v1/chat/completions", json={"model": "lamplight", "messages": messages})
        assert reply.json()["lamplight"]["citations"][0]["path"] == "Tides"
        if kiwix.installed():
            assert "gravity" in running.http.get("/read/small/Tides", follow_redirects=True).text
        for name, state in running.states().items():
            before = running.states()
            os.kill(state.pid, signal.SIGKILL)
            until(lambda name=name: running.states()[name].restarts == 1)
            if name != "web":
                assert ask(running, "Why does dough rise?")["results"][0]["path"] == "Bread"
            until(lambda name=name: running.states()[name].state == "ready")
            others = {other: state for other, state in running.states().items() if other != name}
            assert others == {other: state for other, state in before.items() if other != name}
        assert ask(running, "What causes tides?")["results"][0]["path"] == "Tides"
        everything = pids(running)
        assert box.end(running.process) == 0
    assert not any(alive(pid) for pid in everything)


@pytest.mark.models
def test_what_the_desk_chose_is_in_force_after_a_page_asked_to_start_again(small):
    with box.running(small) as running:
        until(lambda: running.states()["llama"].state == "ready")
        first = pids(running)
        chosen.write(small.home, {"search_only": True})
        try:
            assert again.way(running.settings) == "all"
            again.begin(running.settings)
            until(lambda: not any(alive(pid) for pid in first[1:]), 20)
            until(lambda: running.states().get("web") and running.states()["web"].state == "ready")
            assert running.states()["llama"].state == "off"
            assert ask(running, "What causes tides?")["results"][0]["path"] == "Tides"
            assert running.process.poll() is None
        finally:
            (small.home / chosen.FILE).unlink()


@pytest.mark.models
def test_a_killed_supervisor_leaves_nothing_behind(small):
    with box.running(replace(small, search_only=True)) as running:
        everything = pids(running)
        assert all(alive(pid) for pid in everything)
        running.process.kill()
        until(lambda: not any(alive(pid) for pid in everything), 10)


@pytest.mark.models
def test_the_second_start_is_quick_and_needs_no_network(small):
    """Without any route where this user may take it away. The seconds are a bound, not a measurement."""
    with box.running(replace(small, search_only=True)):  # which makes the index
        pass
    before = (
        APART if shutil.which("ip") and subprocess.run([*APART, "true"], check=False).returncode == 0 else ()
    )
    with box.running(small, before=before) as running:
        assert running.seconds < 20


@pytest.mark.models
def test_without_kiwix_serve_the_rest_works(small, tmp_path, monkeypatch):
    for program in ("setpriv", "git"):
        if found := shutil.which(program):
            (tmp_path / program).symlink_to(found)
    monkeypatch.setenv("PATH", str(tmp_path))
    with box.running(replace(small, search_only=True)) as running:
        assert ask(running, "What causes tides?")["results"][0]["path"] == "Tides"
        assert "kiwix-serve is not installed" in running.http.get("/status").text
        assert running.states()["kiwix"].state == "off"


@pytest.mark.models
def test_a_damaged_archive_is_said_and_the_good_one_served(small, tmp_path):
    library = tmp_path / "library"
    shutil.copytree(small.library, library)
    good = (library / "small.zim").read_bytes()
    (library / "torn.zim").write_bytes(good[: len(good) // 2])
    (library / "empty.zim").touch()
    (library / "._a.zim").write_bytes(b"\0" * 4096)
    with box.running(replace(small, search_only=True, library=library)) as running:
        assert ask(running, "What causes tides?")["results"][0]["path"] == "Tides"
        page = running.http.get("/status").text
        assert "torn.zim is not whole" in page
        assert "empty.zim is empty" in page
        assert "._a.zim" not in page
