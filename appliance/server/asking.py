"""What `answer.ask` gets to work with for one visitor: the library, with what is open to them beside it, or
own documents, or both."""

from dataclasses import dataclass

from appliance.answer.events import Model
from appliance.answer.quick import Quick
from appliance.documents.scope import WHOLE, Own, Reach, Searching, Source
from appliance.errors import ScopeError
from appliance.server.parts import Appliance
from appliance.server.questions import BadRequest
from appliance.settings import Settings

LIBRARY = Reach("library")
HINT = "A scope of this page is everything, library or documents."


@dataclass(frozen=True, slots=True)
class Desk:
    """Over one scope (answer.ask.Desk)."""

    settings: Settings
    library: Searching
    model: Model | None
    quick: Quick | None


def desk(
    box: Appliance,
    sources: tuple[Source, ...],
    own: Own | None = None,
    reach: Reach = LIBRARY,
    owners: tuple[str, ...] = (),
) -> Desk:
    """Over what `reach` takes in of the library, these sources, and the own documents of these owners."""
    library = Searching(box.library, own, reach, owners, sources)
    return Desk(box.settings, library, box.model, box.quick)


def whole(text: str, owners: tuple[str, ...]) -> Reach:
    """The library, own documents, or everything; the library where nothing is chosen. Raises ScopeError, and
    BadRequest (403) for own documents where none are open to them."""
    reach = Reach.read(text or "library")
    if reach.kind not in WHOLE:
        raise ScopeError(f"“{text[:80]}” is asked in a conversation.", HINT)
    require_open(reach, bool(owners))
    return reach


def require_open(reach: Reach, opened: bool) -> None:
    """Raises BadRequest (403) for own documents where none are `opened`."""
    if reach.own and not opened:
        raise BadRequest("The documents of this box are not open to you.", "Ask the library.", "scope", 403)
