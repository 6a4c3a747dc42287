"""Models with weights of 8 bits, calculated in 8 bits: a small one written here, run before and after."""

import numpy as np
import onnxruntime
import pytest

from appliance.eightbit import calculated_in_bytes

TYPES = {np.dtype(np.float32): 1, np.dtype(np.int8): 3, np.dtype(np.int64): 7}


def field(number, value):
    """A field of a protobuf message: a number, or bytes with their length in front."""
    text = value.encode() if isinstance(value, str) else value
    if isinstance(text, int):
        return varint(number << 3) + varint(text)
    return varint(number << 3 | 2) + varint(len(text)) + text


def varint(value):
    return bytes([value & 127 | 128]) + varint(value >> 7) if value > 127 else bytes([value])


def node(kind, inputs, output, attribute=b""):
    names = b"".join(field(1, name) for name in inputs) + field(2, output)
    return field(1, names + field(4, kind) + (field(5, attribute) if attribute else b""))


def tensor(name, array):
    dims = b"".join(field(1, size) for size in array.shape)
    return field(5, dims + field(2, TYPES[array.dtype]) + field(8, name) + field(9, array.tobytes()))


def value(number, name, kind, rank):
    shape = field(2, b"".join(field(1, field(2, f"{name}{n}")) for n in range(rank)))
    return field(number, field(1, name) + field(2, field(1, field(1, kind) + shape)))


TO_FLOAT = field(1, "to") + field(3, 1) + field(20, 2)  # Cast's attribute: an integer, 1 for float
RANDOM = np.random.default_rng(0)
TABLE = RANDOM.integers(-127, 128, (50, 64)).astype(np.int8)
MATRIX = RANDOM.integers(-127, 128, (64, 32)).astype(np.int8)


def model(shared=False, bias=True):
    """Token ids -> rows of a table -> a matrix and its bias, all widened before use, as such files do."""
    nodes = [
        node("Cast", ["table"], "table/f", TO_FLOAT),
        node("Mul", ["table/f", "table/s"], "table/w"),
        node("Gather", ["table/w", "ids"], "rows"),
        node("Cast", ["matrix"], "matrix/f", TO_FLOAT),
        node("Mul", ["matrix/f", "matrix/s"], "matrix/w"),
        node("MatMul", ["rows", "matrix/w"], "product"),
        node("Add", ["bias", "product"], "out") if bias else node("Relu", ["product"], "out"),
    ]
    nodes += [node("Identity", ["matrix/w"], "again")] if shared else []
    tensors = [
        tensor("table", TABLE),
        tensor("table/s", RANDOM.random((50, 1)).astype(np.float32) / 100),
        tensor("matrix", MATRIX),
        tensor("matrix/s", RANDOM.random((1, 32)).astype(np.float32) / 100),
        tensor("bias", RANDOM.random(32).astype(np.float32)),
    ]
    outputs = [value(12, "out", 1, 3), *([value(12, "again", 1, 2)] if shared else [])]
    graph = b"".join((*nodes, field(2, "small"), *tensors, value(11, "ids", 7, 2), *outputs))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 17))


def run(given, ids):
    session = onnxruntime.InferenceSession(given, providers=["CPUExecutionProvider"])
    return session.run(["out"], {"ids": np.array([ids], np.int64)})[0]


@pytest.fixture
def plain():
    return model()


def test_what_comes_out_is_nearly_the_same(plain):
    made = calculated_in_bytes(plain)
    before, after = run(plain, [3, 1, 49, 7]), run(made, [3, 1, 49, 7])
    assert after.shape == before.shape == (1, 4, 32)
    assert 0 < np.abs(after - before).max() < 0.02 * np.abs(before).max()


def test_the_matrix_is_multiplied_in_bytes_and_the_table_never_widened(plain):
    made = calculated_in_bytes(plain)
    assert made.count(b"MatMul") == made.count(b"DynamicQuantizeMatMul") == 1
    assert made.count(b"table/w") == made.count(b"matrix/w") == 0
    assert calculated_in_bytes(made) == made


@pytest.mark.parametrize("other", [{"bias": False}, {"shared": True}])
def test_a_matrix_in_another_form_is_left_alone_and_rows_are_the_same_to_the_last_bit(other):
    plain = model(**other)
    made = calculated_in_bytes(plain)
    held = [name in made for name in (b"DynamicQuantizeMatMul", b"matrix/w", b"table/w")]
    assert held == [False, True, False]
    assert (run(made, [5, 6]) == run(plain, [5, 6])).all()


def test_a_model_without_such_weights_stays_as_it_is():
    graph = node("Relu", ["x"], "out") + field(2, "other") + value(11, "x", 1, 2) + value(12, "out", 1, 2)
    plain = field(1, 8) + field(7, graph) + field(8, field(2, 17))
    assert calculated_in_bytes(plain) == plain


@pytest.mark.parametrize("bad", [b"not a model", b"", b"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"])
def test_what_is_no_model_is_refused(bad):
    with pytest.raises(ValueError, match=r"field|number|graphs"):
        calculated_in_bytes(bad)


def test_a_model_that_was_cut_off_is_refused(plain):
    with pytest.raises(ValueError, match=r"field|number"):
        calculated_in_bytes(plain[: len(plain) // 2])
