"""Files of a form (multipart/form-data, RFC 7578) as they come in, piece by piece: none is held in memory.
Fields must stand in front of the files."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from appliance.server.questions import BadRequest

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

FIELD = 2_000  # bytes of one field
HEADERS = 4_000  # bytes in front of one part
PARTS = 2_000


@dataclass(frozen=True, slots=True)
class Field:
    """A field with its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Begin:
    """A file begins; its `Piece`s follow, then `End`."""

    filename: str


@dataclass(frozen=True, slots=True)
class Piece:
    data: bytes


@dataclass(frozen=True, slots=True)
class End:
    pass


Event = Field | Begin | Piece | End


class _Parts:
    """What the parser calls; gathers events."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._name = self._value = b""
        self._headers: dict[bytes, bytes] = {}
        self._field: bytearray | None = None
        self._label, self._count = "", 0

    def on_part_begin(self) -> None:
        self._headers, self._field = {}, None
        self._count += 1
        if self._count > PARTS:
            raise BadRequest("This form has too many parts.", "Send fewer files at once.", status=413)

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]
        self._bound(self._name)

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]
        self._bound(self._value)

    def on_header_end(self) -> None:
        self._headers[self._name.lower()] = self._value
        self._name = self._value = b""

    def on_headers_finished(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        self._label = options.get(b"name", b"").decode("utf-8", "replace")
        if b"filename" in options:
            self.events.append(Begin(options[b"filename"].decode("utf-8", "replace")))
        else:
            self._field = bytearray()

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._field is None:
            self.events.append(Piece(data[start:end]))
            return
        self._field += data[start:end]
        if len(self._field) > FIELD:
            raise BadRequest(f"The field {self._label[:40]} is too long.", status=413)

    def on_part_end(self) -> None:
        if self._field is None:
            self.events.append(End())
        else:
            self.events.append(Field(self._label, self._field.decode("utf-8", "replace")))

    def _bound(self, text: bytes) -> None:
        if len(text) > HEADERS:
            raise BadRequest("A part of this form has a header without end.", status=413)


async def parts(content_type: str, body: AsyncIterator[bytes]) -> AsyncIterator[Event]:
    """The events of a form in order. Raises BadRequest for what is no such form, or breaks off."""
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not boundary:
        raise BadRequest("This is no form with files.", "Send multipart/form-data.", status=415)
    found = _Parts()
    ended = False

    def end() -> None:
        nonlocal ended
        ended = True

    calls: MultipartCallbacks = {
        "on_part_begin": found.on_part_begin,
        "on_header_field": found.on_header_field,
        "on_header_value": found.on_header_value,
        "on_header_end": found.on_header_end,
        "on_headers_finished": found.on_headers_finished,
        "on_part_data": found.on_part_data,
        "on_part_end": found.on_part_end,
        "on_end": end,
    }
    try:
        parser = MultipartParser(boundary, calls)
    except FormParserError as error:  # a boundary that is longer than one may be
        raise BadRequest("This form cannot be read.", "Send it again.") from error
    async for data in body:
        try:
            parser.write(data)
        except FormParserError as error:
            raise BadRequest("This form cannot be read.", "Send it again.") from error
        events, found.events = found.events, []
        for event in events:
            yield event
    if not ended:
        raise BadRequest("The form broke off.", "Send it again: what was whole is kept.")
