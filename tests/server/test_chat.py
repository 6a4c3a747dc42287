"""The OpenAI part, asked by the real `openai` client over a real connection."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import openai
import pytest
from openai.types.chat import ChatCompletion

from appliance.records import Quote
from appliance.server.app import create_app
from server import fakes

pytestmark = pytest.mark.slow  # half a second for the client's import alone, then a server

QUESTION = [{"role": "system", "content": "Be rude."}, {"role": "user", "content": "tetanus spasms"}]


class Box:
    """A served appliance whose parts a test may change, and a client for it."""

    def __init__(self, appliance: fakes.FakeAppliance, address: str) -> None:
        self.appliance = appliance
        self.client = openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    appliance = fakes.appliance(tmp_path_factory.mktemp("home"), fakes.ScriptedModel(), fakes.FakeEncoder())
    with fakes.serving(create_app(appliance)) as address:
        box = Box(appliance, address)
        yield box
        box.client.close()


@pytest.fixture
def box(served: Box) -> Box:
    served.appliance.model = fakes.ScriptedModel()
    return served


PASSAGE = {"n", "archive", "path", "title", "text", "offset", "length", "url"}


def test_an_answer_with_citations(box: Box) -> None:
    reply = box.client.chat.completions.create(model="lamplight", messages=QUESTION)
    choice = reply.choices[0]
    assert (choice.finish_reason, choice.message.role) == ("stop", "assistant")
    assert choice.message.content == " ".join(fakes.SHOWN)
    lamplight = reply.model_extra["lamplight"]
    assert lamplight.keys() >= {"verdict", "probability", "citations", "struck", "understood"}
    assert lamplight["verdict"] == "answer"
    assert [citation["n"] for citation in lamplight["citations"]] == [1, 2]
    assert lamplight["direct"] == fakes.SHOWN[0]
    (words,) = lamplight["stressed"]
    said = lamplight["direct"][words["offset"] : words["offset"] + words["length"]]
    assert said == "disease with painful muscle"
    around = [(line["citations"], line["text"]) for line in lamplight["context"]]
    assert around == [([2], f"{fakes.SECOND}.")]
    assert lamplight["limitations"] == ["It rests on a single source."]
    first = lamplight["citations"][0]
    assert first.keys() == {*PASSAGE, "matches"}
    (match,) = first["matches"]
    assert (match["claim"], match["kind"]) == (0, "copied")
    assert fakes.TETANUS.text[match["offset"] :][: match["length"]] == match["quote"] == first["text"]
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens > 0


def test_a_follow_up_is_understood_from_the_messages_before_it(box: Box) -> None:
    told = [
        {"role": "user", "content": "What is tetanus?"},
        {"role": "assistant", "content": "Tetanus is a disease [1]."},
        {"role": "user", "content": "and its cause?"},
    ]
    for messages, understood in ((told, "What is the cause of tetanus?"), (told[2:], "and its cause?")):
        reply = box.client.chat.completions.create(model="lamplight", messages=messages)
        assert reply.model_extra["lamplight"]["understood"] == understood


def test_the_quick_answer_comes_with_its_passage(box: Box) -> None:
    box.appliance.quick = lambda *_: Quote(2, "It lives in soil.", 5, 0.99)
    try:
        reply = box.client.chat.completions.create(model="lamplight", messages=QUESTION)
    finally:
        box.appliance.quick = None
    quick = reply.model_extra["lamplight"]["quick"]
    assert quick["sentence"] == "It lives in soil."
    assert quick.keys() == {"sentence", *PASSAGE}


def test_a_stream_ends_with_lamplight_and_usage(box: Box) -> None:
    stream = box.client.chat.completions.create(
        model="scripted", messages=QUESTION, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    assert chunks[0].choices[0].delta.role == "assistant"
    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert text == " ".join(fakes.SHOWN)
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "stop"
    assert chunks[-1].choices == []
    assert chunks[-1].usage.completion_tokens > 0
    assert chunks[-1].model_extra["lamplight"]["verdict"] == "answer"
    assert len({c.id for c in chunks}) == 1


def test_without_usage_the_last_chunk_has_the_finish_and_lamplight(box: Box) -> None:
    chunks = list(box.client.chat.completions.create(model="lamplight", messages=QUESTION, stream=True))
    assert chunks[-1].choices[0].finish_reason == "stop"
    assert len(chunks[-1].model_extra["lamplight"]["citations"]) == 2


@pytest.mark.parametrize("stream", [False, True])
def test_a_refusal_is_a_normal_answer(box: Box, stream: bool) -> None:
    asked = [{"role": "user", "content": [{"type": "text", "text": "quibblonia"}]}]
    reply = box.client.chat.completions.create(model="lamplight", messages=asked, stream=stream)
    last = list(reply)[-1] if stream else reply
    assert last.choices[0].finish_reason == "stop"
    assert last.model_extra["lamplight"]["verdict"] == "nothing"
    assert last.model_extra["lamplight"]["citations"] == []
    assert box.appliance.model.started == 0
    if not stream:
        assert "No passage found states this." in reply.choices[0].message.content


@pytest.mark.parametrize("stream", [False, True])
def test_no_model_gives_passages_and_says_which(box: Box, stream: bool) -> None:
    box.appliance.model = None
    reply = box.client.chat.completions.create(model="lamplight", messages=QUESTION, stream=stream)
    chunks = list(reply) if stream else [reply]
    last = chunks[-1]
    text = "".join(c.choices[0].delta.content or "" for c in chunks) if stream else ""
    text = text or reply.choices[0].message.content
    assert "[1] Tetanus: " in text
    assert last.choices[0].finish_reason == "stop"
    citations = last.model_extra["lamplight"]["citations"]
    assert [one["n"] for one in citations] == [n for n in range(1, 4) if f"[{n}] " in text]
    assert all(f"[{one['n']}] {one['title']}: {one['text']}" in text for one in citations)


@pytest.mark.parametrize(
    ("question", "accepted", "said", "limit"),
    [
        ("tetanus spasms", None, "No language model is on.", "It rests on a single source."),
        ("Qu’est-ce que le tetanus ?", None, "Aucun modèle de langue", "Elle repose sur une seule source."),
        ("¿Qué es el tetanus?", "*", "No hay ningún modelo", "Se apoya en una sola fuente."),
        ("tetanus spasms", "es-MX, en;q=0.5", "No hay ningún modelo", "Se apoya en una sola fuente."),
        ("Qu’est-ce que le tetanus ?", "en", "No language model is on.", "It rests on a single source."),
    ],
)
def test_fixed_sentences_speak_the_language_asked_for_else_the_questions(
    box: Box, question: str, accepted: str | None, said: str, limit: str
) -> None:
    def asked() -> ChatCompletion:
        return box.client.chat.completions.create(
            model="lamplight",
            messages=[{"role": "user", "content": question}],
            extra_headers={"accept-language": accepted} if accepted else None,
        )

    assert limit in asked().model_extra["lamplight"]["limitations"]
    box.appliance.model = None
    assert asked().choices[0].message.content.startswith(said)


@pytest.mark.parametrize("stream", [False, True])
def test_a_full_queue_is_a_429(box: Box, stream: bool) -> None:
    box.appliance.model = fakes.ScriptedModel(full=True)
    with pytest.raises(openai.RateLimitError) as caught:
        box.client.chat.completions.create(model="lamplight", messages=QUESTION, stream=stream)
    assert caught.value.code == "queue_full"


def test_a_broken_answer_says_so(box: Box) -> None:
    box.appliance.model = fakes.ScriptedModel(breaks_after=6)
    reply = box.client.chat.completions.create(model="lamplight", messages=QUESTION)
    assert reply.choices[0].message.content.startswith(fakes.SHOWN[0])
    assert "broke off" in reply.choices[0].message.content
    assert reply.choices[0].finish_reason == "length"


@pytest.mark.parametrize(
    ("changed", "status", "field"),
    [
        ({"model": "gpt-4o"}, 404, "model"),
        ({"messages": []}, 400, "messages"),
        ({"messages": [{"role": "system", "content": "x"}]}, 400, "messages"),
        ({"messages": [{"role": "user", "content": " "}]}, 400, "messages"),
        ({"messages": [{"role": "user", "content": "\ud800\0"}]}, 200, ""),
        ({"messages": "hello"}, 400, "messages"),
        ({"n": 3}, 400, "n"),
        ({"stream": "perhaps"}, 400, "stream"),
    ],
)
def test_bad_input(box: Box, changed: dict, status: int, field: str) -> None:
    body = {"model": "lamplight", "messages": QUESTION} | changed
    if status == 200:  # broken letters reach the server as JSON escapes
        raw = b'{"messages": [{"role": "user", "content": "\\ud800\\u0000"}]}'
        reply = box.client._client.post(
            str(box.client.base_url) + "chat/completions",
            content=raw,
            headers={"content-type": "application/json"},
        )
        assert reply.status_code == 200
        return
    with pytest.raises(openai.APIStatusError) as caught:
        box.client.chat.completions.create(**body)
    assert (caught.value.status_code, caught.value.param) == (status, field)


def test_models(box: Box) -> None:
    assert [model.id for model in box.client.models.list()] == ["lamplight", "scripted", "minilm"]


def test_embeddings_as_floats_and_as_base64(box: Box) -> None:
    texts = ["lamp", "oil and wick"]
    packed = box.client.embeddings.create(model="minilm", input=texts)  # the client asks for base64
    plain = box.client.embeddings.create(model="minilm", input=texts, encoding_format="float", dimensions=384)
    expected = fakes.FakeEncoder().encode(texts)
    for reply in (packed, plain):
        np.testing.assert_allclose([row.embedding for row in reply.data], expected, rtol=1e-6)
    assert packed.usage.prompt_tokens == 3 + 5


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"dimensions": 100}, "dimensions"),
        ({"input": "word " * 300}, "input"),
        ({"input": ["fine", " "]}, "input"),
        ({"input": []}, "input"),
        ({"input": [1, 2]}, "input"),
        ({"encoding_format": "int3"}, "encoding_format"),
    ],
)
def test_bad_input_to_embeddings(box: Box, changed: dict, field: str) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        box.client.embeddings.create(**({"model": "minilm", "input": "x"} | changed))
    assert caught.value.param == field


def test_no_embedder_is_a_503(tmp_path: Path) -> None:
    with fakes.serving(create_app(fakes.appliance(tmp_path))) as address:
        client = openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0)
        with pytest.raises(openai.InternalServerError) as caught:
            client.embeddings.create(model="minilm", input="x")
        assert caught.value.status_code == 503
        client.close()
