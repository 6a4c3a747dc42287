"""A process does not take the socket or the port of one that answers there."""

import socket

import pytest
from starlette.applications import Starlette

from appliance.__main__ import main
from appliance.errors import SetupError
from appliance.services.process import serve


def test_a_socket_that_is_answered_is_not_taken_away(tmp_path):
    path = tmp_path / "x.sock"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        with pytest.raises(SetupError, match="Another process answers at"):
            serve(Starlette(), path)
        assert path.is_socket()


def test_pages_on_a_port_that_is_taken_end_in_a_sentence(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert main(["web", "--home", str(tmp_path), "--port", port]) == 2
    assert f"cannot listen on 127.0.0.1, port {port}" in capsys.readouterr().err
