"""The reader: the file that ships, on pairs whose answer is plain, and how texts reach it."""

import numpy as np
import pytest

from appliance import models, settings
from appliance.errors import ModelFileError
from appliance.records import Evidence
from appliance.retrieval.readers import CrossReader, LateReader, open_reader, pairs
from appliance.retrieval.rerank import SHORT, SHORTEST, read_all, read_closely, reading

TETANUS = "Tetanus: Tetanus, also called lockjaw, is caused by a toxin of the bacterium Clostridium tetani."


def test_a_passage_is_read_with_where_it_stands():
    assert (
        reading("Tetanus", ("Treatment", "Wounds"), "Clean them.")
        == "Tetanus - Treatment - Wounds: Clean them."
    )


def test_only_the_first_are_read():
    class Long:
        def read(self, question, passages):
            assert question == "q"
            return np.array([len(text) for text in passages], np.float32)

    found = [Evidence("a", "p", "T", (), "", text, 0, 0.5) for text in ("one", "three", "five")]
    assert [item.read for item in read_all(Long(), "q", found, 2)] == [6, 8, None]


def test_the_best_are_read_again_sentence_by_sentence():
    asked: list[str] = []

    class Counting:
        def read(self, question, passages):
            assert question == "q"
            asked.extend(passages)
            return np.arange(len(passages), dtype=np.float32)

    texts = (
        "A bridge was opened. Short. It is a long bridge.",
        "Another one was opened.",
        "Never read again.",
    )
    found = [Evidence("a", "p", "T", ("H",), "", text, 0, 0.5) for text in texts]
    first, second, third = read_closely(Counting(), "q", found, 2)
    assert asked == ["T: A bridge was opened.", "T: It is a long bridge.", "T: Another one was opened."]
    assert [(one.sentence, one.logit) for one in first.told] == [
        ("A bridge was opened.", 0),
        ("It is a long bridge.", 1),
    ]
    assert [one.logit for one in second.told] == [2]
    assert third.told == ()
    assert all(len(one.sentence) >= SHORTEST and one.sentence in first.text for one in first.told)
    assert read_closely(Counting(), "q", [], 2) == []


def test_a_sentence_with_the_second_largest_is_held_back():
    class Even:
        def read(self, _question, passages):
            return np.ones(len(passages), np.float32)

    texts = ("Eris is the second-largest.", "Jupiter is the largest of all.")
    found = [Evidence("a", "p", "T", (), "", text, 0, 0.5) for text in texts]
    eris, jupiter = read_closely(Even(), "Which planet is the largest?", found)
    assert eris.told[0].logit == 1 - SHORT
    assert jupiter.told[0].logit == 1


def test_the_pairs_of_a_cross_encoder():
    found = pairs([[101, 7, 102, 8, 9, 102], [101, 7, 102, 5, 102]], asked=3)
    assert found["input_ids"].tolist() == [[101, 7, 102, 8, 9, 102], [101, 7, 102, 5, 102, 0]]
    assert found["attention_mask"].tolist() == [[1] * 6, [1] * 5 + [0]]
    assert found["token_type_ids"].tolist() == [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0]]


@pytest.mark.parametrize("kind", [LateReader, CrossReader])
def test_a_missing_file_is_named(tmp_path, kind):
    with pytest.raises(ModelFileError, match=r"reader\.onnx"):
        kind(tmp_path / "reader.onnx", tmp_path / "tokenizer.json")


@pytest.fixture(scope="module")
def reader(home):
    return open_reader(settings.load({"home": home}))


@pytest.mark.models
class TestShipped:
    @pytest.mark.parametrize(
        ("question", "right", "wrong"),
        [
            ("what causes lockjaw", TETANUS, "Lock: A lock is a device that fastens a door."),
            (
                "when was the bridge opened",
                "Bridge: The bridge was opened to traffic on 22 May 1911.",
                "Bridge: The bridge is painted green and carries trains.",
            ),
            (
                "who wrote Moby-Dick",
                "Moby-Dick: Moby-Dick is a novel of 1851 by the American writer Herman Melville.",
                "Whale: Whales are mammals that live in the sea.",
            ),
        ],
    )
    def test_prefers_what_answers(self, reader, question, right, wrong):
        good, bad = reader.read(question, [right, wrong])
        assert good > bad + 1

    def test_order_company_and_length_of_texts_do_not_matter(self, reader):
        texts = [TETANUS, "Tides: The Moon. " * 60, "x", TETANUS + " It is prevented by vaccination." * 3]
        together = reader.read("what causes lockjaw", texts)
        alone = [reader.read("what causes lockjaw", [text])[0] for text in texts]
        assert np.allclose(together, alone, atol=0.35)  # int8 is rounded by the largest value of a batch
        assert np.isfinite(reader.read("", ["", "a"])).all()
        assert reader.read("what", []).shape == (0,)

    def test_is_small_enough_to_ship(self):
        assert models.READER.stat().st_size <= 25 * 2**20
