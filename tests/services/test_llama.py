"""The process of the language model and its client, over a real unix socket, with a scripted engine."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import aclosing, contextmanager
from pathlib import Path

import httpx
import pytest
from answer.fakes import EVIDENCE, ScriptedEngine, desk
from served import served

from appliance.answer.ask import Finished, Passages, ask
from appliance.answer.events import Done, Message, Text, Waiting
from appliance.answer.queue import QueuedModel
from appliance.answer.visit import VISITOR
from appliance.errors import PromptTooLong, QueueFull, ServiceDown
from appliance.services import runtime
from appliance.services.llama import LlamaClient, create_app
from appliance.services.probe import answers
from appliance.services.process import OPTIONS
from appliance.services.runtime import ServiceState

ASKED = [Message("system", "Be brief."), Message("user", "Who?")]
TESTS = Path(__file__).parent.parent


@contextmanager
def listening(engine, path, room=10):
    with served(create_app(QueuedModel(engine, room)), uds=str(path), **OPTIONS):
        yield LlamaClient(path, engine.name, engine.context)


@contextmanager
def process_at(path, pace=0.01):
    with subprocess.Popen(
        [sys.executable, "-m", "answer.serve_scripted", str(path), str(pace)],
        cwd=TESTS,
        env={**os.environ, "PYTHONPATH": f"{TESTS.parent}:{TESTS}"},
    ) as child:
        try:
            until = time.monotonic() + 20
            while not answering(path):
                assert time.monotonic() < until, "the process did not come up"
                time.sleep(0.02)
            yield child
        finally:
            child.kill()


def answering(path) -> bool:
    try:
        asyncio.run(LlamaClient(path, "scripted", 100).ready())
    except ServiceDown:
        return False
    return True


def told(client, messages=ASKED, max_tokens=100):
    async def collect():
        return [event async for event in client.generate(messages, max_tokens)]

    return asyncio.run(collect())


def test_events_arrive_as_they_were_sent(tmp_path):
    odd = ["Größe ", "東京\u2028\x85", '"\\\n', "\x00🙂", "1", "1", "1"]
    with listening(ScriptedEngine(odd), tmp_path / "s") as client:
        asyncio.run(client.ready())
        assert client.count(["one two", "", "x"]) == [2, 0, 1]
        assert told(client) == [Waiting(0), *map(Text, odd), Done("stop", 4, 7)]


def test_text_arrives_while_the_model_still_writes(tmp_path):
    engine = ScriptedEngine(["word "] * 50, pace=0.01)

    async def first_word(client):
        async with aclosing(client.generate(ASKED, 100)) as events:
            async for event in events:
                if isinstance(event, Text):
                    return engine.running
        return None

    with listening(engine, tmp_path / "s") as client:
        assert asyncio.run(first_word(client)) == 1


def test_says_that_it_is_well_while_it_works(tmp_path):
    """The supervisor ends a process that does not say so."""
    engine = ScriptedEngine(["word "] * 200, pace=0.01)

    async def asked_meanwhile(client):
        async with aclosing(client.generate(ASKED, 200)) as events:
            async for event in events:
                if isinstance(event, Text):
                    return await asyncio.to_thread(answers, tmp_path / "s", "/health"), engine.running
        return None

    with listening(engine, tmp_path / "s") as client:
        assert asyncio.run(asked_meanwhile(client)) == (True, 1)


def test_a_reader_who_leaves_stops_the_model(tmp_path):  # case 32
    engine = ScriptedEngine(["word "] * 2000, pace=0.005)

    async def leave(client):
        async with aclosing(client.generate(ASKED, 2000)) as events:
            async for event in events:
                if isinstance(event, Text):
                    break
        began = time.monotonic()
        while not engine.cancelled:
            assert time.monotonic() < began + 5, "the model still writes"
            await asyncio.sleep(0.001)
        engine.pieces = ["next"]
        after = [event async for event in client.generate(ASKED, 10)]
        return time.monotonic() - began, after

    with listening(engine, tmp_path / "s") as client:
        seconds, after = asyncio.run(leave(client))
    assert seconds < 2
    assert engine.cancelled == ["Who?"]
    assert after[-2:] == [Text("next"), Done("stop", 4, 1)]


def test_places_are_told_and_a_full_queue_is_an_error_of_its_own(tmp_path):
    engine = ScriptedEngine(["word "] * 400, pace=0.005)

    async def crowd(client):
        first, second = client.generate(ASKED, 400), client.generate(ASKED, 400)
        async with aclosing(first), aclosing(second):
            assert await anext(first) == Waiting(0)
            assert await anext(second) == Waiting(1)
            with pytest.raises(QueueFull, match="1 questions wait"):
                await anext(client.generate(ASKED, 400))

    with listening(engine, tmp_path / "s", room=1) as client:
        asyncio.run(crowd(client))


def test_who_asked_much_and_gives_way_is_told_so_after_their_place(tmp_path):
    engine = ScriptedEngine(["word "] * 400, pace=0.005)

    async def crowd(client):
        first, second, third = (client.generate(ASKED, 400) for _ in range(3))
        async with aclosing(first), aclosing(second), aclosing(third):
            VISITOR.set("a/1")
            assert [await anext(first), await anext(second), await anext(third)] == [
                Waiting(0), Waiting(1), Waiting(2),
            ]  # fmt: skip
            VISITOR.set("b/1")
            fourth = client.generate(ASKED, 400)
            async with aclosing(fourth):
                assert await anext(fourth) == Waiting(2)
                with pytest.raises(QueueFull, match="2 questions wait"):
                    await anext(third)

    with listening(engine, tmp_path / "s", room=2) as client:
        asyncio.run(crowd(client))


def test_a_prompt_that_is_too_long_is_an_error_of_its_own(tmp_path):
    with listening(ScriptedEngine([], context=3), tmp_path / "s") as client, pytest.raises(PromptTooLong):
        told(client)


def test_nobody_there_is_told_at_once(tmp_path):
    client = LlamaClient(tmp_path / "nobody", "scripted", 100)
    for asking in (lambda: asyncio.run(client.ready()), lambda: client.count(["x"]), lambda: told(client)):
        with pytest.raises(ServiceDown, match="does not answer") as caught:
            asking()
        assert caught.value.hint


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("starting", "The language model is still starting."),
        ("waiting", "The language model stopped and is started again."),
        ("stopped", "The language model stopped several times and is left off."),
        ("ready", "The language model does not answer."),  # it died a moment ago
    ],
)
def test_who_finds_nobody_is_told_what_the_supervisor_knows(tmp_path, state, sentence):
    runtime.write_states(tmp_path, [ServiceState("llama", state), ServiceState("embedder", "ready")])
    with pytest.raises(ServiceDown) as caught:
        told(LlamaClient(tmp_path / "llama.sock", "scripted", 100))
    assert str(caught.value) == sentence
    assert caught.value.hint


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/generate", b"{"),
        ("/generate", b'{"messages": [], "max_tokens": 5}'),
        ("/generate", b'{"messages": [{"role": "root", "content": "x"}], "max_tokens": 5}'),
        ("/generate", b'{"messages": [{"role": "user", "content": "x"}], "max_tokens": 0}'),
        ("/count", b'{"texts": "x"}'),
        ("/count", b"\xff"),
    ],
)
def test_a_body_of_another_shape_is_refused(tmp_path, path, body):
    transport = httpx.HTTPTransport(uds=str(tmp_path / "s"), verify=False)
    with listening(ScriptedEngine([]), tmp_path / "s"), httpx.Client(transport=transport) as http:
        answer = http.post(f"http://llama{path}", content=body)
    assert answer.status_code == 400
    assert "expected" in answer.text


@pytest.mark.slow
def test_killed_in_the_middle_of_an_answer_and_started_again(tmp_path):  # case 34
    path = tmp_path / "s"
    client = LlamaClient(path, "scripted", 100_000)
    given = desk(client)

    async def until_killed(child):
        events = []
        async for event in client.generate(ASKED, 100):
            events.append(event)
            if len(events) == 5:
                child.send_signal(signal.SIGKILL)
        return events

    async def asked():
        return [event async for event in ask(given, "Who opened the bridge?")]

    with process_at(path, pace=0.03) as child:
        events = asyncio.run(until_killed(child))
    assert events[:2] == [Waiting(0), Text("word0 ")]
    assert events[-1] == Done("broken")
    down = asyncio.run(asked())
    assert [type(event) for event in down] == [Passages, Finished]
    assert down[0].found.evidence == EVIDENCE
    assert down[1].answer.finish == "broken"
    assert "does not answer" in down[1].notes[0]
    path.unlink(missing_ok=True)
    with listening(ScriptedEngine(["word "]), path) as again:
        assert told(again)[-1].finish == "stop"
