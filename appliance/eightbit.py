"""A model file whose weights are kept in 8 bits, rewritten so that it is also calculated in 8 bits. Pure.

Such a file widens each matrix before it multiplies (Cast, Mul, then MatMul in 32 bits): four times the
memory, and twice the time of a processor that multiplies bytes. Here the three become one
DynamicQuantizeMatMul of onnxruntime, with the bias that follows, and rows of a table are looked up before
they are widened. The weights stay what they are; what runs between the layers is rounded to 8 bits, for each
call by its own range: so that a text's vector depends on that text alone, each call must be for one text.

A model file is protobuf (https://protobuf.dev/programming-guides/encoding/); the numbers of its fields are
those of onnx.proto. Only what is rewritten is read, the rest is passed on as it is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_VARINT, _EIGHT, _LENGTH, _FOUR = 0, 1, 2, 5  # kinds of field
_GRAPH, _OPSET = 7, 8  # of a model
_NODE, _INITIALIZER = 1, 5  # of a graph
_INPUT, _OUTPUT, _KIND, _DOMAIN = 1, 2, 4, 7  # of a node
_DIMS, _TYPE, _NAME, _RAW = 1, 2, 8, 9  # of a tensor
_FLOAT, _INT8 = 1, 3  # types of a tensor
_CONTRIB = "com.microsoft"  # where onnxruntime's own operators live


@dataclass(frozen=True, slots=True)
class _Node:
    """`raw` is the node as it stands in the file."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    raw: bytes


@dataclass(frozen=True, slots=True)
class _Tensor:
    name: str
    type: int
    dims: tuple[int, ...]
    data: bytes


def calculated_in_bytes(model: bytes) -> bytes:
    """The model so rewritten; as it is where nothing in it has that form. Raises ValueError for what is no
    protobuf."""
    parts = list(_fields(model))
    graphs = [value for number, value, _ in parts if number == _GRAPH and isinstance(value, bytes)]
    if len(graphs) != 1:
        raise ValueError(f"{len(graphs)} graphs in the model, expected 1")
    graph, changed = _rewritten(graphs[0])
    if not changed:
        return model
    kept = [raw for number, _, raw in parts if number != _GRAPH]
    operators = _field(1, _CONTRIB.encode()) + _field(2, 1)
    return b"".join((*kept, _field(_GRAPH, graph), _field(_OPSET, operators)))


def _rewritten(graph: bytes) -> tuple[bytes, int]:
    """The graph, and how many matrices and tables were found in it."""
    parts = list(_fields(graph))
    nodes = [_node(value) for number, value, _ in parts if number == _NODE and isinstance(value, bytes)]
    tensors = [
        _tensor(value) for number, value, _ in parts if number == _INITIALIZER and isinstance(value, bytes)
    ]
    made = _Rewriting(nodes, {one.name: one for one in tensors})
    written = [_field(_NODE, node) for node in made.nodes()]
    rest = [raw for number, _, raw in parts if number != _NODE]
    return b"".join((*written, *rest, *(_field(_INITIALIZER, one) for one in made.added))), made.changed


class _Rewriting:
    """One graph on its way. `added`: tensors that it has besides its own."""

    def __init__(self, nodes: Sequence[_Node], tensors: dict[str, _Tensor]) -> None:
        self._nodes, self._tensors = nodes, tensors
        self._made = {name: node for node in nodes for name in node.outputs}
        self._uses = Counter(name for node in nodes for name in node.inputs)
        self._users = {name: node for node in nodes for name in node.inputs}
        self.added: list[bytes] = []
        self.changed = 0

    def nodes(self) -> list[bytes]:
        """All nodes in order, each where it can be calculated."""
        placed: dict[int, list[bytes]] = {}
        gone: set[int] = set()
        for node in self._nodes:
            widened = self._widened(node, 1 if node.kind == "MatMul" else 0)
            if widened is None or node.kind not in ("MatMul", "Gather"):
                continue
            cast, mul = widened
            weights, scale = self._tensors[cast.inputs[0]], self._tensors[mul.inputs[1]]
            if node.kind == "MatMul":
                found = self._matrix(node, weights, scale)
                if found is None:
                    continue
                placed[id(node)], added = found
                gone.add(id(added))
            else:
                placed[id(node)] = _looked_up(node, cast, weights, scale)
            gone |= {id(cast), id(mul)}
            self.changed += 1
        return [
            raw for node in self._nodes if id(node) not in gone for raw in placed.get(id(node), [node.raw])
        ]

    def _widened(self, node: _Node, place: int) -> tuple[_Node, _Node] | None:
        """The Cast and the Mul that make this input of 8-bit weights, where nothing else needs them."""
        if len(node.inputs) <= place:
            return None
        mul = self._made.get(node.inputs[place])
        cast = self._made.get(mul.inputs[0]) if mul and mul.kind == "Mul" else None
        if mul is None or cast is None or cast.kind != "Cast" or mul.inputs[1] not in self._tensors:
            return None
        weights = self._tensors.get(cast.inputs[0])
        if weights is None or weights.type != _INT8 or len(weights.dims) != 2:
            return None
        alone = self._uses[mul.outputs[0]] == self._uses[cast.outputs[0]] == 1
        return (cast, mul) if alone else None

    def _matrix(self, node: _Node, weights: _Tensor, scale: _Tensor) -> tuple[list[bytes], _Node] | None:
        """The multiplication with the addition of its bias, and that addition; None for another form."""
        columns = weights.dims[1]
        add = self._users.get(node.outputs[0])
        if add is None or add.kind != "Add" or self._uses[node.outputs[0]] != 1:
            return None
        bias = next((one for one in add.inputs if one in self._tensors), "")
        if not bias or self._tensors[bias].dims != (columns,):
            return None
        if scale.type != _FLOAT or scale.dims != (1, columns) or len(scale.data) != 4 * columns:
            return None
        flat = f"{scale.name}/flat"
        self.added.append(_written(_Tensor(flat, _FLOAT, (columns,), scale.data)))
        inputs = (node.inputs[0], weights.name, flat, "", bias)
        return [_made("DynamicQuantizeMatMul", inputs, add.outputs, _CONTRIB)], add


def _looked_up(node: _Node, cast: _Node, weights: _Tensor, scale: _Tensor) -> list[bytes]:
    """Rows of a table and their scales, then the rows widened: the same numbers, and no table in 32 bits."""
    name, places = node.outputs[0], node.inputs[1]
    rows, scales, wide = f"{name}/rows", f"{name}/scales", f"{name}/wide"
    widening = _Node("Cast", (rows,), (wide,), cast.raw)
    return [
        _made("Gather", (weights.name, places), (rows,)),
        _made("Gather", (scale.name, places), (scales,)),
        _renamed(widening),
        _made("Mul", (wide, scales), (name,)),
    ]


def _renamed(node: _Node) -> bytes:
    """A node as it stands in the file, with its attributes, between other names."""
    rest = [raw for number, _, raw in _fields(node.raw) if number not in (_INPUT, _OUTPUT)]
    names = [_field(_INPUT, one.encode()) for one in node.inputs]
    return b"".join((*names, *(_field(_OUTPUT, one.encode()) for one in node.outputs), *rest))


def _made(kind: str, inputs: Iterable[str], outputs: Iterable[str], domain: str = "") -> bytes:
    names = [_field(_INPUT, one.encode()) for one in inputs]
    names += [_field(_OUTPUT, one.encode()) for one in outputs]
    return b"".join(
        (*names, _field(_KIND, kind.encode()), _field(_DOMAIN, domain.encode()) if domain else b"")
    )


def _node(raw: bytes) -> _Node:
    texts: dict[int, list[str]] = {_INPUT: [], _OUTPUT: [], _KIND: []}
    for number, value, _ in _fields(raw):
        if number in texts and isinstance(value, bytes):
            texts[number].append(value.decode())
    return _Node("".join(texts[_KIND]), tuple(texts[_INPUT]), tuple(texts[_OUTPUT]), raw)


def _tensor(raw: bytes) -> _Tensor:
    name, kind, dims, data = "", 0, list[int](), b""
    for number, value, _ in _fields(raw):
        if number == _DIMS:
            dims += [value] if isinstance(value, int) else _numbers(value)
        elif number == _TYPE and isinstance(value, int):
            kind = value
        elif number == _NAME and isinstance(value, bytes):
            name = value.decode()
        elif number == _RAW and isinstance(value, bytes):
            data = value
    return _Tensor(name, kind, tuple(dims), data)


def _written(tensor: _Tensor) -> bytes:
    dims = b"".join(_field(_DIMS, one) for one in tensor.dims)
    return dims + _field(_TYPE, tensor.type) + _field(_NAME, tensor.name.encode()) + _field(_RAW, tensor.data)


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes, bytes]]:
    """(number, value, the whole field as it stands) of each field of a message. Raises ValueError."""
    at = 0
    while at < len(data):
        begin = at
        key, at = _varint(data, at)
        kind, size = key & 7, 0
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield key >> 3, value, data[begin:at]
            continue
        if kind == _LENGTH:
            size, at = _varint(data, at)
        else:
            size = {_EIGHT: 8, _FOUR: 4}.get(kind, len(data) + 1)
        if at + size > len(data):
            raise ValueError(f"a field of kind {kind} at byte {begin} of {len(data)}")
        yield key >> 3, data[at : at + size], data[begin : at + size]
        at += size


def _field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return _number(number << 3 | _VARINT) + _number(value)
    return _number(number << 3 | _LENGTH) + _number(len(value)) + value


def _numbers(data: bytes) -> list[int]:
    found, at = list[int](), 0
    while at < len(data):
        value, at = _varint(data, at)
        found.append(value)
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number, and where the next thing begins. Raises ValueError."""
    value = shift = 0
    while at < len(data) and shift < 64:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at
    raise ValueError(f"a number without end at byte {at} of {len(data)}")


def _number(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*found, value))
