"""What bad requests are made of: values, names, headers, lies and what is no HTTP at all."""

from collections.abc import Callable

METHODS = (
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get",
    "\x01",
)  # fmt: skip
VALUES = (
    "", " ", "0", "-1", "1", "2", "7", "99999999999999999999", "1e309", "NaN", "null", "true", "[]", "{}",
    "a", "\x00", "\x1b[2J", "\r\nx-bad: yes", "\n\n<h1>", "'", '"', "' OR 1=1 --", "%", "%s%n%d", "{0}",
    "{{7*7}}", "${7*7}", "<%=7*7%>", "#{7*7}", "{% raise %}", '"><script>alert(1)</script>',
    "<svg/onload=alert(1)>", "javascript:alert(1)", "data:text/html,<script>alert(1)</script>",
    "../../../../etc/passwd", "..\\..\\windows\\win.ini", "/etc/passwd", "file:///etc/passwd",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "..%00/", "%c0%ae%c0%ae/", "\uff0e\uff0e\uff0fetc",
    "http://127.0.0.1:1/", "http://[::1]:1/", "//elsewhere.invalid/", "\\\\elsewhere.invalid\\x",
    "git://elsewhere.invalid/x", "ssh://-oProxyCommand=touch/x", "--upload-pack=touch x",
    "http://169.254.169.254/latest/", "What causes tides?", "tides " * 900, "x" * 70_000, "\u202egnp.exe",
    "e\u0301" * 500, "\U0001f9d9" * 200, "\ud800", "\ufeff", "مرحبا", "東京", "folder:", "document:1",
    "document:-1", "everything", "AND NEAR( \"", "*", "a*b\"c", "-", "()", "\\", "\x7f", "01-01-01",
)  # fmt: skip
FIELDS = (
    "q", "archive", "path", "start", "length", "offset", "limit", "id", "name", "folder", "scope", "title",
    "token", "code", "act", "stick", "yes", "before", "about", "said", "literal", "source", "owner",
    "passphrase", "kind", "role", "person", "url", "branch", "next", "model", "messages", "input", "query",
    "k", "text", "metadata", "day", "at",
)  # fmt: skip
CONTENT_TYPES = (
    "application/json", "application/x-www-form-urlencoded", "multipart/form-data",
    "multipart/form-data; boundary=", "multipart/form-data; boundary=xx",
    f"multipart/form-data; boundary={'y' * 300}", "text/plain; charset=\xff",
    "application/json; charset=utf-16", "", "*/*", "application/zip", "/", ";" * 200,
)  # fmt: skip
HEADERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("accept-language", ("xx", "en;q=" + "9" * 500, "*" * 5_000, "fr-\u00ff", ",,,;;;")),
    ("cookie", ("lamplight=;", "lamplight_session=" + "A" * 999, "=; ;;=", "a=\xff\xfe")),
    ("authorization", ("Bearer", "Bearer x", "Basic ////", "Bearer " + "z" * 9_000, "\xff")),
    ("host", ("elsewhere.invalid", "127.0.0.1:99999", "[::1", "", "127.0.0.1\x00", "a" * 3_000)),
    ("host", ("kiosk.localhost", "x.kiosk.localhost", "localhost.", "127.1")),
    ("origin", ("null", "http://elsewhere.invalid", "http://[", "\xff")),
    ("x-real-ip", ("", "999.1.1.1", "::1", "127.0.0.1, 1.1.1.1", "x" * 2_000)),
    ("x-forwarded-for", ("127.0.0.1", "\xff", "a,b,c")),
    ("x-forwarded-host", ("elsewhere.invalid",)),
    ("range", ("bytes=0-", "bytes=-1", "bytes=9-1", "bytes=" + "0-1," * 500, "lines=1")),
    ("if-none-match", ("*", 'W/"' + "x" * 2_000 + '"', '"')),
    ("if-modified-since", ("yesterday", "Thu, 01 Jan 99999 00:00:00 GMT", "0")),
    ("content-encoding", ("gzip", "br", "identity, gzip")),
    ("expect", ("100-continue", "200-ok")),
    ("upgrade", ("websocket", "h2c")),
    ("user-agent", ("", "Mozilla/5.0 (iPhone) AppleWebKit", "\xff" * 300)),
    ("referer", ("http://elsewhere.invalid/", "//")),
    ("x-admin-code", ("%ff%00", "0000", "\xff")),
)  # fmt: skip
# after these a server may close without a word, or ask for more
ODD = ("expect", "upgrade", "host")
ENDINGS = (
    "txt", "md", "docx", "odt", "epub", "pdf", "exe", "zim", "",
)  # fmt: skip
# a step upwards, in many codings
CLIMBS = (
    "../", "..%2f", "%2e%2e/", "%2e%2e%2f", "%252e%252e%252f", "..%5c", "..\\", "....//",
    "%c0%ae%c0%ae%c0%af", "..%00/", "%ef%bc%8e%ef%bc%8e/", "..;/", "/", "//", "./", "%2f",
)  # fmt: skip
# headers about a body of so many bytes
LIES: tuple[Callable[[int], list[tuple[str, str]]], ...] = (
    lambda size: [("content-length", str(size + 500))],
    lambda size: [("content-length", str(max(0, size - 5)))],
    lambda _: [("content-length", "-1")],
    lambda _: [("content-length", "9" * 30)],
    lambda size: [("content-length", str(size)), ("content-length", str(size + 1))],
    lambda size: [("content-length", str(size)), ("transfer-encoding", "chunked")],
    lambda _: [("transfer-encoding", "chunked")],
    lambda _: [("transfer-encoding", "chunked, identity")],
    lambda _: [("transfer-encoding", "xchunked")],
    lambda size: [("content-length", str(size)), ("content-encoding", "gzip")],
    lambda size: [("content-length", f"+{size}")],
    lambda _: [],
)  # fmt: skip
# None: random bytes
JUNK: tuple[bytes | None, ...] = (
    None, None, b"\r\n" * 2_000, b"GET", b"GET /", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n",
    b"GET http://elsewhere.invalid/ HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n",
    b"GET //elsewhere.invalid/ HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n",
    b"CONNECT elsewhere.invalid:443 HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nhost: elsewhere.invalid\r\nconnection: close\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost : 127.0.0.1\r\n\r\n", b"GET / HTTP/1.1\nhost: 127.0.0.1\n\n",
    b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n folded: yes\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /\x00 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
    b"POST /ask HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\nxx\r\n0\r\n\r\n",
    b"POST /ask HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\nxx\r\n",
    b"GET /" + b"A" * 100_000, b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: " + b"B" * 100_000,
)  # fmt: skip
