"""What a visitor does with the pages: presses the button, asks, follows a citation; by their HTML."""

from urllib.parse import urlencode, urljoin

from guest import Running
from phone import Phone, Reply, reply
from selectolax.lexbor import LexborHTMLParser

QUESTION = 1200  # seconds at most for a question with an answer by the language model, under emulation


def links(reply: Reply, selector: str) -> list[str]:
    """The addresses of the links that a CSS selector finds."""
    return [node.attributes.get("href") or "" for node in LexborHTMLParser(reply.body).css(selector)]


def text(reply: Reply, selector: str) -> str:
    return " ".join(node.text() for node in LexborHTMLParser(reply.body).css(selector))


def press(phone: Phone, page: str, reply: Reply) -> Reply:
    """Presses the one button of the page at `page`."""
    (form,) = LexborHTMLParser(reply.body).css("form[method=post]")
    fields = {
        node.attributes.get("name") or "": node.attributes.get("value") or ""
        for node in form.css("input[name]")
    }
    where = urljoin(page, form.attributes.get("action") or "")
    return phone.get(where, "-X", "POST", "--data", urlencode(fields))


def ask(phone: Phone, box: str, question: str) -> Running:
    """Starts to ask; the answer page comes in pieces."""
    return phone.fetch(f"{box}/ask?{urlencode({'q': question})}", seconds=QUESTION)


def so_far(running: Running) -> bytes:
    """What has come of a page that is still coming."""
    return b"".join(piece.data for piece in list(running.pieces) if piece.fd == 1)


def reply_of(running: Running) -> Reply:
    """The page when it has come whole."""
    return reply(running.wait())
