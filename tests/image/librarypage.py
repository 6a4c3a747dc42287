"""The page of bundles and sticks, as the box's admin sees it: read, and its forms sent."""

from collections.abc import Mapping
from urllib.parse import urlencode

import health
import phone
from phone import Reply
from qemu import Machine
from selectolax.lexbor import LexborHTMLParser

BOX = "http://localhost"  # people sign in under a name
PAGE = f"{BOX}/library"
COOKIES = "/tmp/admin.cookies"  # in the test's tree: gone with the power
ADMIN = {"name": "Ada", "passphrase": "who looks after it"}
CURL = ("chroot", phone.PLACE, "curl", "-sS", "-i", "--max-time", "60", "-w", r"\n%{time_total}")


def get(machine: Machine, address: str = PAGE, *options: str) -> Reply:
    kept = ("-b", COOKIES, "-c", COOKIES)
    return phone.reply(machine.guest.ask(*CURL, *kept, *options, address, seconds=90))


def become_admin(machine: Machine) -> None:
    """Of a new box, with the code that lies on it."""
    code = machine.guest.run("cat", "/data/secrets/admin-code").strip()
    _send(machine, f"{BOX}/first-use", "/first-use", {**ADMIN, "code": code})


def sign_in(machine: Machine) -> None:
    """After another start."""
    _send(machine, f"{BOX}/sign-in", "/sign-in", ADMIN)


def shown(machine: Machine, words: str, seconds: float) -> str:
    """The page, as soon as it says this."""

    def look() -> str:
        page = get(machine)
        return page.body if page.status == 200 and words in page.body else ""

    return machine.until(f"the page of bundles to say {words!r}", seconds, look, lambda: _text(machine))


def act(machine: Machine, name: str, **more: str) -> None:
    """Sends the page's first form of this name, with these fields instead of, or beside, its own."""
    _send(machine, PAGE, f"/library/{name}", more)


def _send(machine: Machine, address: str, action: str, more: Mapping[str, str]) -> None:
    page = get(machine, address)
    (form, *_) = LexborHTMLParser(page.body).css(f'form[action="{action}"]') or (None,)
    assert form is not None, f"{address} has no form {action}.\n{_text(machine)}"
    fields: Mapping[str, str] = {
        node.attributes.get("name") or "": node.attributes.get("value") or ""
        for node in form.css("input[type=hidden]")
    }
    sent = get(machine, f"{BOX}{action}", "--data", urlencode({**fields, **more}))
    assert sent.status == 303, f"{action}: {sent.status}\n{sent.body[-2000:]}"


def _text(machine: Machine) -> str:
    page = LexborHTMLParser(get(machine).body)
    return f"{page.body.text(separator=' ') if page.body else ''}\n{health.why(machine)}"
