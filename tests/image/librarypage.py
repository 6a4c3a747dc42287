"""The page of bundles and sticks, as an admin sees it who signed in by the box's code: read, forms sent."""

from collections.abc import Mapping
from urllib.parse import urlencode

import health
import phone
from phone import Reply
from qemu import Machine
from selectolax.lexbor import LexborHTMLParser

NAMED = "http://localhost"  # people sign in under a name
PAGE, FIRST = f"{NAMED}/library", f"{NAMED}/first-use"
JAR = "/tmp/cookies"
CURL = ("chroot", phone.PLACE, "curl", "-sS", "-i", "--max-time", "60", "-b", JAR, "-c", JAR)
TIMED = ("-w", r"\n%{time_total}")


def get(machine: Machine, address: str = PAGE, *options: str) -> Reply:
    return phone.reply(machine.guest.ask(*CURL, *TIMED, *options, address, seconds=90))


def shown(machine: Machine, words: str, seconds: float) -> str:
    """The page, as soon as it says this."""

    def look() -> str:
        page = get(machine)
        return page.body if page.status == 200 and words in page.body else ""

    return machine.until(f"the page of bundles to say {words!r}", seconds, look, lambda: _text(machine))


def act(machine: Machine, name: str, **more: str) -> None:
    """Sends the page's first form of this name, with these fields instead of, or beside, its own."""
    page = get(machine)
    if "/sign-in?to=/library" in page.body:
        become_admin(machine)
        page = get(machine)
    (form, *_) = LexborHTMLParser(page.body).css(f'form[action="/library/{name}"]') or (None,)
    assert form is not None, f"The page has no form {name}.\n{_text(machine)}"
    fields: Mapping[str, str] = {
        node.attributes.get("name") or "": node.attributes.get("value") or ""
        for node in form.css("input[type=hidden]")
    }
    sent = get(machine, f"{PAGE}/{name}", "--data", urlencode({**fields, **more}))
    assert sent.status == 303, f"{name}: {sent.status}\n{sent.body[-2000:]}"


def become_admin(machine: Machine) -> None:
    """With the code of this box, which is good for once."""
    (token, *_) = LexborHTMLParser(get(machine, FIRST).body).css("input[name=token]") or (None,)
    assert token is not None, f"/first-use has no form.\n{health.why(machine)}"
    code = machine.guest.run("cat", "/data/secrets/admin-code").strip()
    form = {"token": token.attributes["value"], "code": code, "name": "Ada", "passphrase": "water and light"}
    sent = get(machine, FIRST, "--data", urlencode(form))
    assert sent.status == 303, f"/first-use: {sent.status}\n{sent.body[-2000:]}"


def _text(machine: Machine) -> str:
    page = LexborHTMLParser(get(machine).body)
    return f"{page.body.text(separator=' ') if page.body else ''}\n{health.why(machine)}"
