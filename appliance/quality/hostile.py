"""Bad requests, as bytes: seeded, so that one that hurts can be sent again. Pure.

They are made over every address of an application: right and wrong methods, paths that climb, values that
break templates, headers and parsers, bodies that lie about themselves, HTTP that is none, and connections
that are cut in the middle. Names of machines in them are those that nobody has (RFC 2606), or this machine.
"""

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from appliance.quality.hostile_words import (
    CLIMBS,
    CONTENT_TYPES,
    ENDINGS,
    FIELDS,
    HEADERS,
    JUNK,
    LIES,
    METHODS,
    ODD,
    VALUES,
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One connection. `sent` goes out whole, or its first `cut` bytes, whereupon the connection ends at once;
    `well_formed`: it is HTTP, so an answer is owed."""

    what: str
    sent: bytes
    cut: int | None
    well_formed: bool


class Attempts:
    """An endless row of them, for a box of this name. `targets`: (method, path) as declared, `{name}` for a
    part that varies. `signed_in`: headers that some carry, so that what lies behind the door is tried too."""

    def __init__(
        self,
        seed: int,
        targets: Sequence[tuple[str, str]],
        signed_in: Sequence[tuple[str, str]] = (),
        host: str = "127.0.0.1",
    ) -> None:
        self._dice, self._host = random.Random(seed), host
        self._targets, self._signed_in = list(targets), list(signed_in)
        self._kinds: tuple[tuple[int, Callable[[], Attempt]], ...] = (
            (50, self._declared), (12, self._other_method), (12, self._climbing), (10, self._no_http),
            (8, self._lying_body), (8, self._huge),
        )  # fmt: skip

    def __iter__(self) -> Iterator[Attempt]:
        weights, makers = zip(*self._kinds, strict=True)
        while True:
            made = self._dice.choices(makers, weights)[0]()
            if self._dice.random() < 0.12:
                made = Attempt(
                    f"{made.what}, cut", made.sent, self._dice.randrange(len(made.sent) + 1), False
                )
            yield made

    def _declared(self) -> Attempt:
        method, path = self._dice.choice(self._targets)
        return self._request("declared", method, self._filled(path) + self._query(), self._body(method))

    def _other_method(self) -> Attempt:
        method, path = self._dice.choice(METHODS), self._filled(self._dice.choice(self._targets)[1])
        known = method.isalpha()
        return self._request("another method", method, path + self._query(), self._body(method), known)

    def _climbing(self) -> Attempt:
        _, path = self._dice.choice(self._targets)
        start = path.split("{")[0].rstrip("/")
        up = self._dice.choice(CLIMBS) * self._dice.randint(1, 8)
        target = f"{start}/{up}{self._dice.choice(('etc/passwd', 'proc/self/environ', 'app.py', ''))}"
        return self._request("a path that climbs", "GET", target)

    def _lying_body(self) -> Attempt:
        """The length, the kind or the coding of the body is not what the header says."""
        method, path = self._dice.choice([t for t in self._targets if t[0] != "GET"] or self._targets)
        body = self._body("POST")[1] or b"x"
        lies = self._dice.choice(LIES)
        head = [("content-type", self._dice.choice(CONTENT_TYPES)), *lies(len(body))]
        return self._raw("a body that lies", method, self._filled(path), head, body, well_formed=False)

    def _huge(self) -> Attempt:
        method, path = self._dice.choice(self._targets)
        what = self._dice.randrange(4)
        target, head, body = self._filled(path), list[tuple[str, str]](), b""
        if what == 0:
            target += "?" + "&".join(f"q={n}" for n in range(self._dice.randint(50, 900)))
        elif what == 1:
            head = [(f"x-{n}", "v" * 50) for n in range(self._dice.randint(50, 900))]
        elif what == 2:
            deep = self._dice.choice((b"[", b'{"a":')) * self._dice.randint(1_000, 60_000)
            head, body = [("content-type", "application/json"), ("content-length", str(len(deep)))], deep
        else:
            target += "/" + "a/" * self._dice.randint(100, 4_000)
        return self._raw("much of something", method, target, head, body, well_formed=False)

    def _no_http(self) -> Attempt:
        junk = self._dice.choice(JUNK)
        if junk is None:
            junk = self._dice.randbytes(self._dice.randint(1, 600))
        return Attempt("no HTTP", junk, None, False)

    def _filled(self, path: str) -> str:
        """The declared path with values in it, sometimes encoded once more."""

        def value(_: re.Match[str]) -> str:
            found = self._dice.choice(("1", "2", self._value()))
            return self._encoded(found) or "1"

        return re.sub(r"\{[^}]*\}", value, path)

    def _query(self) -> str:
        names = self._dice.sample(FIELDS, self._dice.randint(0, 4))
        return "?" + "&".join(f"{name}={self._encoded(self._value())}" for name in names) if names else ""

    def _encoded(self, value: str) -> str:
        once = quote(value.encode("utf-8", "surrogatepass"), safe="")[:6_000]
        match self._dice.randrange(12):
            case 0:
                return quote(once)
            case 1:
                return once.replace("%2F", "/").replace("%2E", ".")
            case 2:
                return "%ff%fe" + once
            case 3:
                return once + "%"
        return once

    def _body(self, method: str) -> tuple[list[tuple[str, str]], bytes]:
        if method in ("GET", "HEAD", "OPTIONS") and self._dice.random() < 0.9:
            return [], b""
        kind = self._dice.choice(CONTENT_TYPES[:5])
        if kind == "application/json":
            body = json.dumps(self._json(3)).encode("utf-8", "surrogatepass")
        elif kind.startswith("multipart"):
            body = b"".join(self._part() for _ in range(self._dice.randint(0, 4))) + b"--xx--\r\n"
        else:
            fields = self._dice.sample(FIELDS, self._dice.randint(0, 5))
            body = "&".join(f"{name}={self._encoded(self._value())}" for name in fields).encode()
        return [("content-type", kind), ("content-length", str(len(body)))], body

    def _json(self, depth: int) -> object:
        kind = self._dice.randrange(7 if depth else 4)
        if kind < 2:
            return self._value()
        if kind == 2:
            return self._dice.choice((0, -1, 1.5, 10**30, True, None))
        if kind == 3:
            return {"model": "lamplight", "messages": [{"role": "user", "content": self._value()}]}
        if kind == 4:
            return [self._json(depth - 1) for _ in range(self._dice.randint(0, 4))]
        return {self._dice.choice(FIELDS): self._json(depth - 1) for _ in range(self._dice.randint(0, 5))}

    def _part(self) -> bytes:
        name, value = self._dice.choice(FIELDS), self._value()[:3_000]
        file = (
            f'; filename="{self._value()[:200]}.{self._dice.choice(ENDINGS)}"'
            if self._dice.random() < 0.5
            else ""
        )
        head = f'--xx\r\ncontent-disposition: form-data; name="{name}"{file}\r\n\r\n'
        return (head + value + "\r\n").encode("utf-8", "surrogatepass")

    def _value(self) -> str:
        if self._dice.random() < 0.15:
            return "".join(chr(self._dice.randrange(1, 0x2FFF)) for _ in range(self._dice.randint(1, 40)))
        return self._dice.choice(VALUES)

    def _request(
        self,
        what: str,
        method: str,
        target: str,
        body: tuple[list[tuple[str, str]], bytes] = ([], b""),
        well_formed: bool = True,
    ) -> Attempt:
        head = [
            (name, self._dice.choice(some))
            for name, some in self._dice.sample(HEADERS, self._dice.randint(0, 3))
        ]
        if self._signed_in and self._dice.random() < 0.5:
            head = [
                one for one in head if one[0] not in ("authorization", "origin", "cookie")
            ] + self._signed_in
        clean = all(name not in ODD and value.isprintable() and value.isascii() for name, value in head)
        return self._raw(what, method, target, [*head, *body[0]], body[1], well_formed and clean)

    def _raw(
        self, what: str, method: str, target: str, head: list[tuple[str, str]], body: bytes, well_formed: bool
    ) -> Attempt:
        if not any(name == "host" for name, _ in head):
            head = [("host", self._host), *head]
        lines = [f"{method} {target or '/'} HTTP/1.1", *(f"{name}: {value}" for name, value in head)]
        sent = "\r\n".join((*lines, "connection: close", "", "")).encode("latin-1", "replace") + body
        return Attempt(f"{what}: {method!r} {target[:60]!r}", sent, None, well_formed and len(sent) < 30_000)
