from appliance.quality.gate_file import written
from appliance.retrieval.gate import Gate, Logistic, Rate, Weights
from appliance.retrieval.signals import OF_PASSAGE, OF_SENTENCES, OF_WORDS, SIGNALS

AT = {"strict": 0.75, "balanced": 0.5, "open": 0.25}


def logistic(names):
    return Logistic({name: float(n) - 1.5 for n, name in enumerate(names)}, -2.25)


def test_what_is_written_is_read_again(tmp_path):
    rates = (Rate("strict", "NQ", 0.1, 0.2), Rate("open", "SQuAD", 0.3, 0.05))
    gate = Gate(
        logistic(OF_PASSAGE),
        logistic(OF_SENTENCES),
        Weights(logistic(SIGNALS), AT, 0.125),
        Weights(logistic(OF_WORDS), AT, 0.0625),
        "a" * 64,
        "b" * 64,
        rates=rates,
    )
    (tmp_path / "gate.toml").write_text(written(gate, 1320, 510), "utf-8")
    assert Gate.load(tmp_path / "gate.toml") == gate
    assert "1,320 questions" in (tmp_path / "gate.toml").read_text("utf-8")
