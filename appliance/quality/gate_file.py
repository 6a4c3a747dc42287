"""models/gate.toml as text."""

from appliance.retrieval.gate import Gate, Logistic


def written(gate: Gate, asked: int, swapped: int) -> str:
    """The file, fitted to so many questions."""
    lines = [
        "# The gate, fitted by appliance/quality/fit_gate.py; change it by fitting again.",
        f'fitted_on = "{asked:,} questions of wiki_dev, answerable and withheld, and {swapped:,} with one '
        'thing swapped; pages new to the reader"',
        'model = "all-MiniLM-L6-v2, int8"',
        f'model_sha256 = "{gate.model_sha256}"',
        'score = "one logit a passage, above 0 for one that answers"',
        f'reader_sha256 = "{gate.reader_sha256}"',
    ]
    for name, logistic in (("passage", gate.passage), ("closely", gate.closely)):
        lines += [f"\n[{name}]\nintercept = {logistic.intercept:.4f}", *_table(name, logistic)]
    for name, weights in (("both", gate.both), ("words", gate.words)):
        lines += [
            f"\n[{name}]",
            f"intercept = {weights.logistic.intercept:.4f}",
            f"near_at = {weights.near_at}",
        ]
        lines += [f"\n[{name}.answer_at]", *(f"{level} = {at}" for level, at in weights.answer_at.items())]
        lines += _table(name, weights.logistic)
    lines.append(
        "\n# Each setting's error rates, out of fold: pages that neither reader nor weights have seen."
    )
    for rate in gate.rates:
        lines += [f'\n[[rates]]\nlevel = "{rate.level}"\ngroup = "{rate.group}"']
        lines += [f"false_answers = {rate.false_answers}\nfalse_refusals = {rate.false_refusals}"]
    return "\n".join(lines) + "\n"


def _table(name: str, logistic: Logistic) -> list[str]:
    return [f"\n[{name}.signals]", *(f"{key} = {value:.4f}" for key, value in logistic.signals.items())]
