import time

from every import every

from appliance.retrieval.sentences import sentence_end, sentences


@every(
    ("text", "parts"),
    [
        ("One. Two!  Three?", ["One. ", "Two!  ", "Three?"]),
        ("It is 3.5 km long. It ends.", ["It is 3.5 km long. ", "It ends."]),
        ("Dr. Smith met J. R. R. Tolkien in the U.S. Army. Then he left.", None),
        ("He won (e.g. twice). Then not.", ["He won (e.g. twice). ", "Then not."]),
        ("Built in 1932. Closed in 1971.", ["Built in 1932. ", "Closed in 1971."]),
        ("It is long [1]. It ends. [2] Go on.", ["It is long [1]. ", "It ends. [2] ", "Go on."]),
        ("She drives the No. 95 car. He said no. It ends.",
         ["She drives the No. 95 car. ", "He said no. ", "It ends."]),
        ("He said “no.” She left.", ["He said “no.” ", "She left."]),
        ("1. Boil it.\n2. Cool it.", ["1. Boil it.\n", "2. Cool it."]),
        ("東京は首都です。人口は多い。", ["東京は首都です。", "人口は多い。"]),
        ("A map by Sen. Joseph Ott showed Mt. Kenya. He left [pp. 3 f.].",
         ["A map by Sen. Joseph Ott showed Mt. Kenya. ", "He left [pp. 3 f.]."]),
        ("A law on non-U.S. (foreign) banks. It ends.",
         ["A law on non-U.S. (foreign) banks. ", "It ends."]),
        ("“1. Boil it” [1].", ["“1. Boil it” [1]."]),
        ("no stop at all", ["no stop at all"]),
        ("", []),
    ],
)  # fmt: skip
def test_sentences_are_told_apart(text, parts):
    expected = parts or ([] if not text else [text[: text.index("Then")], text[text.index("Then") :]])
    assert sentences(text) == expected
    assert "".join(sentences(text)) == text


def test_an_end_is_not_told_before_it_is_certain():
    assert sentence_end("It is 3.", final=False) is None  # 3.5 may follow
    assert sentence_end("It ends. ", final=False) is None  # a marker may follow
    assert sentence_end("It ends. [1", final=False) is None
    assert sentence_end("It ends. [1] N", final=False) == len("It ends. [1] ")
    assert sentence_end("It ends", final=True) == len("It ends")


@every("piece", ["A. B. ", ". ", "No. 1 ", ".[", "a. "])
def test_a_long_text_does_not_take_a_square_of_its_length(piece):
    text, begun = piece * 10_000, time.process_time()
    assert "".join(sentences(text)) == text
    assert time.process_time() - begun < 3  # a quarter of a minute, when each stop reads all before it
