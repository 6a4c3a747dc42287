"""Watching what comes while another process makes and removes folders."""

import threading

from appliance.downloads import arrived


def test_wheels_are_counted_wherever_they_lie(tmp_path):
    (tmp_path / "unpack" / "inner").mkdir(parents=True)
    (tmp_path / "a.whl").write_bytes(b"x" * 10)
    (tmp_path / "unpack" / "inner" / "b.whl").write_bytes(b"x" * 5)
    (tmp_path / "pip.log").write_bytes(b"x" * 100)
    assert arrived(tmp_path) == 15
    assert arrived(tmp_path / "absent") == 0


def test_folders_that_go_while_they_are_counted_do_not_matter(tmp_path):
    done = threading.Event()

    def churn():
        for n in range(400):
            inner = tmp_path / f"unpack-{n % 7}" / "inner"
            inner.mkdir(parents=True)
            (inner / "b.whl").write_bytes(b"x")
            (inner / "b.whl").unlink()
            inner.rmdir()
            inner.parent.rmdir()
        done.set()

    pip = threading.Thread(target=churn)
    pip.start()
    while not done.is_set():
        assert arrived(tmp_path) <= 1
    pip.join()
