"""Templates to HTML: one Jinja environment (everything escaped), and how numbers and languages read."""

import secrets
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Header
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from appliance import __version__
from appliance.server import figures, links
from appliance.server.languages import language, tag
from appliance.server.phrases import Phrases, spoken

WEB = Path(__file__).resolve().parents[2] / "web"
Accepted = Annotated[str, Header(alias="accept-language")]  # what the browser would read
Agent = Annotated[str, Header(alias="user-agent")]
FLUSH = Markup("\0")  # in a template: send now what was written so far; never part of the page


@pass_context
def number(page: Context, value: float) -> str:
    return figures.number(value, _language(page))


@pass_context
def size(page: Context, value: float) -> str:
    return figures.size(value, _language(page))


def _language(page: Context) -> str:
    """Of the page that is being made, by its `say`."""
    say = page.get("say")
    return say.language if isinstance(say, Phrases) else "en"


def _environment() -> Environment:
    found = Environment(
        loader=FileSystemLoader(WEB / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        enable_async=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"number": number, "size": size, "language": language, "tag": tag, "day": day}
    found.globals |= {
        "links": links,
        "version": __version__,
        "flush": FLUSH,
        "static": _static,
        "fresh": fresh,
    }
    return found


def day(seconds: int) -> str:
    """A day of the box's clock: `2026-11-30`."""
    return datetime.fromtimestamp(seconds).date().isoformat()


def fresh() -> str:
    """An id for a form, so that one sent twice counts once."""
    return secrets.token_urlsafe(12)


def _static(name: str) -> str:
    return f"/static/{name}?{urlencode({'v': __version__})}"


_templates = _environment()


async def page(template: str, accepted: str, status: int = 200, **values: object) -> HTMLResponse:
    """A page in the language that the browser asks for; `accepted` is its Accept-Language."""
    given = {"question": "", "archives": (), "say": Phrases(spoken("", accepted))} | values
    text = await _templates.get_template(template).render_async(given)
    return HTMLResponse(text.replace(FLUSH, ""), status, {"vary": "accept-language"})


async def part(template: str, **values: object) -> str:
    """A stretch of a page that is put into others."""
    return await _templates.get_template(template).render_async(values)


async def pieces(template: str, **values: object) -> AsyncIterator[str]:
    """The page in the pieces that its template ends with `{{ flush }}`, each as soon as it is there."""
    waiting: list[str] = []
    async for text in _templates.get_template(template).generate_async(**values):
        waiting.append(text.replace(FLUSH, ""))
        if FLUSH in text:
            yield "".join(waiting)
            waiting.clear()
    yield "".join(waiting)
