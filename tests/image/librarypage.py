"""The page of bundles and sticks, as somebody sees it who sits at the box: read, and its forms sent."""

from collections.abc import Mapping
from urllib.parse import urlencode

import health
import phone
from phone import Reply
from qemu import Machine
from selectolax.lexbor import LexborHTMLParser

PAGE = f"{health.HERE}/library"
CURL = ("chroot", phone.PLACE, "curl", "-sS", "-i", "--max-time", "60", "-w", r"\n%{time_total}")


def get(machine: Machine, address: str = PAGE, *options: str) -> Reply:
    return phone.reply(machine.guest.ask(*CURL, *options, address, seconds=90))


def shown(machine: Machine, words: str, seconds: float) -> str:
    """The page, as soon as it says this."""

    def look() -> str:
        page = get(machine)
        return page.body if page.status == 200 and words in page.body else ""

    return machine.until(f"the page of bundles to say {words!r}", seconds, look, lambda: _text(machine))


def act(machine: Machine, name: str, **more: str) -> None:
    """Sends the page's first form of this name, with these fields instead of, or beside, its own."""
    page = get(machine)
    (form, *_) = LexborHTMLParser(page.body).css(f'form[action="/library/{name}"]') or (None,)
    assert form is not None, f"The page has no form {name}.\n{_text(machine)}"
    fields: Mapping[str, str] = {
        node.attributes.get("name") or "": node.attributes.get("value") or ""
        for node in form.css("input[type=hidden]")
    }
    sent = get(machine, f"{PAGE}/{name}", "--data", urlencode({**fields, **more}))
    assert sent.status == 303, f"{name}: {sent.status}\n{sent.body[-2000:]}"


def _text(machine: Machine) -> str:
    page = LexborHTMLParser(get(machine).body)
    return f"{page.body.text(separator=' ') if page.body else ''}\n{health.why(machine)}"
