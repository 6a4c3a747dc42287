"""What `answer.ask` gets to work with for one visitor: the library, with what is open to them beside it."""

from dataclasses import dataclass

from appliance.answer.events import Model
from appliance.answer.quick import Quick
from appliance.documents.scope import Reach, Searching, Source
from appliance.server.parts import Appliance
from appliance.settings import Settings


@dataclass(frozen=True, slots=True)
class Desk:
    """Over one scope (answer.ask.Desk)."""

    settings: Settings
    library: Searching
    model: Model | None
    quick: Quick | None


def desk(box: Appliance, sources: tuple[Source, ...]) -> Desk:
    """Over the library and these sources."""
    library = Searching(box.library, None, Reach("library"), (), sources)
    return Desk(box.settings, library, box.model, box.quick)
