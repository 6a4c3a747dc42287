"""The fixed sentences of the pages in the language of their reader: that of the question, or the browser's.

The English sentence is the key, in templates and in the parts that send notes; what is not in the tables (a
message of another program) is shown as it is. `tests/server/test_phrases*.py` hold the tables to the
templates and to what is raised. A note in which values stand (`{n}`) is known again by the words around them.
Each `phrases_NAME` holds those of one part of the pages; `phrases_portal` those of the welcome page, in two
more languages.
"""

import re
from collections.abc import Sequence

from appliance.retrieval.words import told, words
from appliance.server import phrases_portal
from appliance.server.figures import figure
from appliance.server.phrases_answer import ANSWER
from appliance.server.phrases_bundles import BUNDLES
from appliance.server.phrases_checks import CHECKS
from appliance.server.phrases_desk import DESK
from appliance.server.phrases_documents import DOCUMENTS
from appliance.server.phrases_faults import FAULTS
from appliance.server.phrases_health import HEALTH
from appliance.server.phrases_pages import NAMES, PAGES
from appliance.server.phrases_people import PEOPLE
from appliance.server.phrases_refusals import REFUSALS
from appliance.server.phrases_settings import SETTINGS
from appliance.server.phrases_signing import SIGNING
from appliance.server.phrases_sources import SOURCES
from appliance.server.phrases_syncs import SYNCS
from appliance.server.phrases_system import SYSTEM
from appliance.server.phrases_talk import TALK
from appliance.server.phrases_time import TIME

LANGUAGES = ("en", "fr", "es")
_SAID: dict[str, tuple[str, ...]] = {
    **ANSWER,
    **PAGES,
    **BUNDLES,
    **TALK,
    **TIME,
    **DOCUMENTS,
    **CHECKS,
    **HEALTH,
    **REFUSALS,
    **SIGNING,
    **FAULTS,
    **SYNCS,
    **DESK,
    **SETTINGS,
    **SOURCES,
    **SYSTEM,
    **PEOPLE,
    **NAMES,
    **phrases_portal.WELCOME,
    **phrases_portal.KIOSK,
}
_ORDER = phrases_portal.LANGUAGES  # those of LANGUAGES first, then those of the welcome page alone
_SAID_TOO = ("does", "needed", "role", "title")  # fields whose values are words of the table
_NAMES = ("name", "label", "unit", "host", "title", "commit")  # fields whose values may look like figures
_FIELD = re.compile(r"\\{(\w+)\\}")  # a place for a value, in an escaped sentence
# The longest first: “{n} passages” would also know “3 files, 4 passages” again.
_WITH_VALUES = {
    english: re.compile(_FIELD.sub(r"(?P<\1>.+?)", re.escape(english)), re.DOTALL)
    for english in sorted((one for one in _SAID if "{" in one), key=len, reverse=True)
}
_ACCEPTED = re.compile(r"([a-z]{2,8})(?:-[a-z0-9-]*)?(?:\s*;\s*q=([01](?:\.\d{0,3})?))?")


class Phrases:
    """The sentences in one of LANGUAGES: `say("More passages ({n})", n=4)`. `direction` is HTML's `dir`."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.direction = "rtl" if language in phrases_portal.RIGHT_TO_LEFT else "ltr"

    def __call__(self, english: str, **values: object) -> str:
        if self.language == "en":
            text = english
        elif english in _SAID:
            text = _SAID[english][_ORDER.index(self.language) - 1]
        else:
            return self._recognised(english)
        return text.format(**values) if values else text

    def knows(self, note: str) -> bool:
        """Whether a note is said in this language, as figures are; else it stays English."""
        known = self.language == "en" or note in _SAID or not any(map(str.isalpha, note))
        return known or any(form.fullmatch(note) for form in _WITH_VALUES.values())

    def _recognised(self, note: str) -> str:
        """A note with its values already in it; as it is when no sentence of the table has this form."""
        for english, form in _WITH_VALUES.items():
            if found := form.fullmatch(note):
                values = {name: self._value(name, value) for name, value in found.groupdict().items()}
                return self(english, **values)
        return figure(note, self.language)

    def _value(self, name: str, value: str) -> str:
        if name in _SAID_TOO and value in _SAID:
            return self(value)
        return value if name in _NAMES else figure(value, self.language)


def spoken(question: str, accepted: str, languages: Sequence[str] = LANGUAGES, otherwise: str = "en") -> str:
    """One of `languages`: the question's, where it tells; else the browser's (`Accept-Language`); else
    `otherwise`."""
    asked = told(words(question))
    if asked in languages:
        return asked
    offers = _ACCEPTED.findall(accepted.lower())
    wanted = [code for code, weight in sorted(offers, key=lambda offer: -float(offer[1] or 1))]
    return next((code for code in wanted if code in languages), otherwise)


def for_programs(question: str, accepted: str) -> Phrases:
    """What a program is told: in the language that it asks for (`Accept-Language`), else the question's."""
    return Phrases(spoken("", accepted, otherwise="") or spoken(question, ""))
