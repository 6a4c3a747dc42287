"""What the admin's desk chose, put under what the owner's file says. Pure; standard library alone.

A line of the owner's file is the stronger. The file of choices is written by the pages, so a value of it is
checked as the owner's would be, and one that cannot be used is left out (the pages say so).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from appliance.device.owner import NO_MODEL, Owner, refusal
from appliance.settings import CHOICES

MODEL, NONE = "model", "search_only"  # two rows of the pages' settings, one line of the owner's file


def with_choices(owner: Owner, chosen: Mapping[str, Any]) -> Owner:
    """The owner's settings, and what the desk chose of the rest."""
    wanted = dict(chosen)
    if wanted.pop(NONE, False):
        wanted[MODEL] = NO_MODEL
    open_to = {name: value for name, value in wanted.items() if name in free(owner) and hasattr(owner, name)}
    fitting = {
        name: value
        for name, value in open_to.items()
        if not isinstance(value, str) or not refusal(name, value)
    }
    return replace(owner, **fitting)


def free(owner: Owner) -> frozenset[str]:
    """The settings that the desk may choose: those that the owner's file does not say."""
    said = owner.said | ({NONE} if MODEL in owner.said else frozenset())
    return frozenset(row.name for row in CHOICES) - said
