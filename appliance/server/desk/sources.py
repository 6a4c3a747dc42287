"""`/desk/sources`: Git repositories as sources: add, sync, see what became of it, remove.

Looking changes nothing. While something is being synced the page loads itself again; with JavaScript
(`sources.js`) it changes in place.
"""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from appliance.errors import GitError, LamplightError
from appliance.repositories.records import Progress, Repository, Seen
from appliance.server import render
from appliance.server.desk.frame import Desk
from appliance.server.git_sources import GitSources
from appliance.server.questions import BadRequest
from appliance.sources.remotes import FORMS

PAGE = "/desk/sources"
MOST_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class View:
    """One source as the page shows it. `key` is its public key, `hosts` the fingerprints that are kept of its
    host; `due` minutes until it is synced by itself, None where it is not; `asked`: it waits for its turn."""

    about: Repository
    key: str
    hosts: list[str]
    progress: Progress | None
    asked: bool
    due: int | None
    problems: Mapping[str, str]

    @property
    def live(self) -> bool:
        return self.asked or self.progress is not None


def router(desk: Desk, git: GitSources) -> APIRouter:
    routes = desk.routes(PAGE)

    @routes.get(PAGE)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        views = await run_in_threadpool(_views, git)
        return await desk.page(
            "sources.html",
            request,
            accepted,
            views=views,
            live=any(view.live for view in views),
            forms=FORMS,
            missing=[name for name in ("git", "ssh") if not shutil.which(name)],
        )

    @routes.post(PAGE)
    async def add(request: Request) -> Response:
        form = await desk.form(request)
        try:
            about = await run_in_threadpool(_add, git, form)
        except GitError as error:
            raise BadRequest(str(error), error.hint, "address") from error
        return RedirectResponse(f"{PAGE}#{about.name}", 303)

    @routes.post(PAGE + "/{name}/{act}")
    async def change(request: Request, name: str, act: str) -> Response:
        form = await desk.form(request)
        acts = _acts(git, name, form)
        if act not in acts:
            raise BadRequest(f"There is nothing called {act[:40]!r} to do here.", status=404)
        try:
            await run_in_threadpool(acts[act])
        except LamplightError as error:
            raise BadRequest(str(error), error.hint, status=409) from error
        return RedirectResponse(PAGE if act == "remove" else f"{PAGE}#{name}", 303)

    return routes


def _add(git: GitSources, form: Mapping[str, str]) -> Repository:
    """One over HTTPS is fetched at once; one over SSH waits until its key is known there."""
    given = {field: form.get(field, "") for field in ("address", "name", "branch", "looks", "seen")}
    about = git.repositories.add(**given)
    if about.remote.scheme == "https":
        git.timer.ask(about.name)
    return about


def _acts(git: GitSources, name: str, form: Mapping[str, str]) -> dict[str, Callable[[], None]]:
    """What can be done with a source, by the last part of the address."""
    seen: Seen = "everyone" if form.get("seen") == "everyone" else "people"

    def trust() -> None:
        git.repositories.trust(name)
        git.timer.ask(name)

    def sync() -> None:
        git.timer.ask(git.repositories.find(name).name)

    return {
        "sync": sync,
        "remove": lambda: git.repositories.remove(name),
        "trust": trust,
        "show": lambda: git.repositories.show(name, seen),
    }


def _views(git: GitSources) -> list[View]:
    return [_view(git, about) for about in git.repositories.listed()]


def _view(git: GitSources, about: Repository) -> View:
    sources, name, due = git.repositories, about.name, git.timer.due(about.name)
    problems = sources.problems(name) if about.outcome.tally.failed else {}
    return View(
        about,
        sources.keys.public(name) if about.remote.scheme == "ssh" else "",
        sources.keys.hosts(about.remote),
        sources.progress(name),
        git.timer.waiting(name),
        None if due is None else max(1, round(due / 60)),
        dict(list(problems.items())[:MOST_PROBLEMS]),
    )
