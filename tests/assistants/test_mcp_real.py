"""`appliance mcp` before a whole box with its models, as `appliance run` starts one."""

import os
import sys
import time
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters
from small_library import ABOUT_TWO, TWO_FACTS

from appliance import settings
from appliance.quality import box
from appliance.sources.zim import write_archive

pytestmark = pytest.mark.models
ROOT = Path(__file__).parents[2]


def test_an_assistant_asks_a_whole_box(tmp_path: Path, home: Path) -> None:
    (tmp_path / "models").symlink_to(home / "models")
    (tmp_path / "library").mkdir()
    write_archive(tmp_path / "library" / "small.zim", TWO_FACTS, ABOUT_TWO, "eng", "Main")
    given = settings.load({"home": tmp_path, "runtime": tmp_path / "run"}, {})
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}

    async def ask(address: str) -> None:
        words = ["-m", "appliance", "mcp", "--box", address]
        started = StdioServerParameters(command=sys.executable, args=words, env=environment)
        async with Client(started) as client:
            told = (await client.call_tool("ask", {"question": "What causes tides?"})).structured_content
            assert told is not None
            assert (told["verdict"], told["citations"][0]["path"]) == ("answer", "Tides")
            assert "Moon" in told["answer"]
            place = {"archive": "small", "path": "Bread"}
            read = (await client.call_tool("read", place)).structured_content
            assert read is not None
            assert "yeast" in read["text"]
            refused = (
                await client.call_tool("ask", {"question": "Who won the cup in 1998?"})
            ).structured_content
            assert refused is not None
            assert refused["refused"]

    with box.running(given) as running:
        until = time.monotonic() + 60
        while running.states()["llama"].state != "ready" and time.monotonic() < until:
            time.sleep(0.1)
        anyio.run(ask, f"http://127.0.0.1:{running.settings.port}")
