"""The embedder over a real unix socket: values, batching, long lists, restarts, silence."""

import asyncio
import hashlib
import socket
import threading
import time
from dataclasses import dataclass, field

import httpx
import numpy as np
import pytest
from served import served

from appliance import settings
from appliance.errors import ModelFileError, ServiceDown
from appliance.services import embedder_app, embedder_main
from appliance.services.embedder import EmbedderClient
from appliance.services.embedder_app import Batcher, create_app
from appliance.services.probe import answers
from appliance.services.process import OPTIONS
from appliance.vectors import DIMENSION, HashEncoder

pytestmark = pytest.mark.slow


@dataclass
class Counted:
    """A HashEncoder that notes the size of each batch, and can be slow or fail."""

    pause: float = 0.0
    fails_on: str = "\0"
    sizes: list[int] = field(default_factory=list)
    model_sha256: str = hashlib.sha256(b"hash").hexdigest()

    def encode(self, texts):
        self.sizes.append(len(texts))
        time.sleep(self.pause)
        if self.fails_on in texts:
            raise ValueError("the model broke")
        return HashEncoder().encode(texts)

    def count(self, texts):
        return HashEncoder().count(texts)


class Words:
    """A reader that counts the question's words in each passage."""

    def read(self, question, passages):
        wanted = set(question.split())
        return np.array([len(wanted & set(text.split())) for text in passages], np.float32)


class Held(Counted):
    """Works until it is released."""

    def __init__(self):
        super().__init__()
        self.began, self.released = threading.Event(), threading.Event()

    def encode(self, texts):
        self.began.set()
        assert self.released.wait(60)
        return super().encode(texts)


def listening(encoder, path):
    return served(create_app(encoder, Words()), uds=str(path), **OPTIONS)


@pytest.fixture
def client(tmp_path):
    with listening(Counted(), tmp_path / "e.sock"):
        client = EmbedderClient(tmp_path / "e.sock")
        yield client
        client.close()


def test_gives_what_the_encoder_gives(client):
    texts = ["what causes tides", "die Gezeiten", "潮汐", "", "half a pair \ud83d", "NUL \0"]
    whole = [text.replace("\ud83d", "?") for text in texts]
    assert np.array_equal(client.encode(texts), HashEncoder().encode(whole))
    assert client.count(texts) == HashEncoder().count(whole)
    assert client.model_sha256() == Counted.model_sha256


def test_gives_what_the_reader_says_of_each_passage(client):
    assert client.read("one two", ["one two three", "four", "two"]).tolist() == [2, 0, 1]
    many = [f"one {n}" for n in range(2 * embedder_app.BATCH + 1)]
    assert client.read("one", many).tolist() == [1] * len(many)
    assert client.read("half a pair \ud83d", ["a"]).tolist() == [1]


@pytest.mark.parametrize("body", ['{"texts": ["a"]}', '{"texts": ["a"], "question": 3}'])
@pytest.mark.usefixtures("client")
def test_reading_needs_a_question(tmp_path, body):
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(tmp_path / "e.sock"))) as http:
        answer = http.post("http://e/read", content=body)
    assert answer.status_code == 400
    assert "question" in answer.text


def test_a_long_list_goes_in_parts_and_an_empty_one_not_at_all(client):
    texts = [f"text {n}" for n in range(3 * embedder_app.BATCH + 1)]
    assert np.array_equal(client.encode(texts), HashEncoder().encode(texts))
    assert len(client.count(texts)) == len(texts)
    assert client.encode([]).shape == (0, DIMENSION)
    assert client.read("one", []).shape == (0,)


def test_what_waits_together_is_embedded_together():
    encoder = Counted(pause=0.05)

    async def ask():
        batcher = Batcher(encoder)
        try:
            return await asyncio.gather(*(batcher.encode([f"question {n}"]) for n in range(9)))
        finally:
            batcher.close()

    rows = asyncio.run(ask())
    assert encoder.sizes == [1, 8] or encoder.sizes == [9]
    assert np.array_equal(np.concatenate(rows), HashEncoder().encode([f"question {n}" for n in range(9)]))


def test_a_batch_never_grows_beyond_its_bound():
    encoder = Counted()

    async def ask():
        batcher = Batcher(encoder)
        try:
            await asyncio.gather(*(batcher.encode(["text"] * 20) for _ in range(4)))
        finally:
            batcher.close()

    asyncio.run(ask())
    assert encoder.sizes == [20, 20, 20, 20]


def test_a_failing_batch_fails_its_own_callers_only(tmp_path):
    with listening(Counted(fails_on="bad"), tmp_path / "e.sock"):
        client = EmbedderClient(tmp_path / "e.sock")
        with pytest.raises(ServiceDown, match="refused /encode: 500"):
            client.encode(["bad"])
        assert client.encode(["good"]).shape == (1, DIMENSION)
        client.close()


def test_many_threads_get_their_own_rows(client):
    wrong = []

    def ask(n):
        if not np.array_equal(client.encode([f"question {n}"]), HashEncoder().encode([f"question {n}"])):
            wrong.append(n)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong


def test_says_that_it_is_well_while_it_works(tmp_path):
    """The supervisor ends a process that does not say so."""
    encoder = Held()
    with listening(encoder, tmp_path / "e.sock"):
        client = EmbedderClient(tmp_path / "e.sock")
        thread = threading.Thread(target=client.encode, args=(["tides"],))
        thread.start()
        try:
            assert encoder.began.wait(60)
            assert answers(tmp_path / "e.sock", "/health")
        finally:
            encoder.released.set()
            thread.join(60)
            client.close()


def test_finds_the_process_again_after_a_restart(tmp_path):
    client = EmbedderClient(tmp_path / "e.sock")
    with listening(Counted(), tmp_path / "e.sock"):
        before = client.encode(["tides"])
    with pytest.raises(ServiceDown, match="does not answer"):
        client.encode(["tides"])
    with listening(Counted(), tmp_path / "e.sock"):
        assert np.array_equal(client.encode(["tides"]), before)
    client.close()


def test_says_soon_that_nobody_answers(tmp_path):
    client = EmbedderClient(tmp_path / "absent.sock")
    with pytest.raises(ServiceDown, match="The embedder does not answer") as caught:
        client.encode(["tides"])
    assert "found by their words" in caught.value.hint
    client.close()


def test_a_process_that_hangs_is_down_after_the_time_out(tmp_path):
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(tmp_path / "deaf.sock"))
        deaf.listen()
        client = EmbedderClient(tmp_path / "deaf.sock", httpx.Timeout(0.1))
        with pytest.raises(ServiceDown):
            client.encode(["tides"])
        client.close()


def test_a_body_that_is_not_texts_is_refused(tmp_path):
    transport = httpx.HTTPTransport(uds=str(tmp_path / "e.sock"), verify=False)
    with listening(Counted(), tmp_path / "e.sock"), httpx.Client(transport=transport) as http:
        for body in (b"", b"[]", b'{"texts": 5}', b'{"texts": [5]}', b"\xff"):
            assert http.post("http://embedder/encode", content=body).status_code == 400
        many = {"texts": ["x"] * (embedder_app.BATCH + 1)}
        assert http.post("http://embedder/count", json=many).status_code == 413


def test_a_model_file_that_is_another_one_is_not_served(tmp_path):
    """Its vectors would be compared with those of the indexes."""
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "minilm-l6-v2-int8.onnx").write_bytes(b"another model")
    with pytest.raises(ModelFileError, match="not the right one"):
        embedder_main.serve(settings.load({"home": tmp_path, "runtime": tmp_path / "run"}, {}))
