"""Turns trained weights into the int8 ONNX file that the box runs, and says how far the two differ:
`python -m appliance.training.export --weights reader.pt --encoder FOLDER --to models/reader.onnx`.

Inputs `question` [1, tq] and `passages` [n, tp] (token ids, 0 where a passage is shorter), outputs `logits`
[n] and `pointers` [n, tp].
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process

from appliance.training.network import PASSAGE_TOKENS, QUESTION_TOKENS, Reader, load_encoder
from appliance.training.train import Maker

_QUESTION = "who wrote the book about the white whale"
_PASSAGES = (
    "Moby-Dick: Moby-Dick; or, The Whale is an 1851 novel by American writer Herman Melville.",
    "Whale: Whales are a widely distributed and diverse group of fully aquatic placental marine mammals.",
)


def load(weights: Path, encoder: Path) -> Reader:
    """The trained network; the number of layers is what the weights hold."""
    state = torch.load(weights, weights_only=True)
    layers = 1 + max(int(name.split(".")[3]) for name in state if name.startswith("encoder.encoder.layer."))
    reader = Reader(load_encoder(encoder, layers))
    reader.load_state_dict(state)
    return reader.eval()


def export(reader: Reader, question: torch.Tensor, passages: torch.Tensor, to: Path) -> None:
    """Writes the int8 file."""
    with tempfile.TemporaryDirectory() as folder:
        whole, tidied = Path(folder) / "whole.onnx", Path(folder) / "tidied.onnx"
        torch.onnx.export(
            reader,
            (question, passages),
            str(whole),
            input_names=["question", "passages"],
            output_names=["logits", "pointers"],
            dynamic_axes={
                "question": {1: "asked"},
                "passages": {0: "count", 1: "length"},
                "logits": {0: "count"},
                "pointers": {0: "count", 1: "length"},
            },
            opset_version=17,
            dynamo=False,
        )
        quant_pre_process(str(whole), str(tidied), skip_symbolic_shape=True)
        quantize_dynamic(
            str(tidied), str(to), weight_type=QuantType.QInt8, per_channel=True, reduce_range=False
        )
    model = onnx.load(str(to))
    onnx.checker.check_model(model)


def main() -> None:
    """The command above."""
    parser = argparse.ArgumentParser(prog="export")
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    reader = load(options.weights, options.encoder)
    maker = Maker(options.encoder / "tokenizer.json")
    question, _ = maker.ids([_QUESTION], QUESTION_TOKENS)
    passages, _ = maker.ids(_PASSAGES, PASSAGE_TOKENS)
    with torch.no_grad():
        export(reader, question, passages, options.to)
        exact = reader(question, passages)[0].numpy()
    session = onnxruntime.InferenceSession(str(options.to), providers=["CPUExecutionProvider"])
    found = session.run(None, {"question": question.numpy(), "passages": passages.numpy()})[0]
    size = options.to.stat().st_size
    print(f"{options.to}: {size:,} bytes; logits {np.round(exact, 3)} became {np.round(found, 3)}")


if __name__ == "__main__":
    main()
