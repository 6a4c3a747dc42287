"""What went wrong, as the page of bundles says it to whoever looks: visitors' phones too, so without the
paths of this machine."""

import re

from appliance.errors import LamplightError

FAULT = "A fault of this software: {error} What was in use goes on."
_PATH = re.compile(r"(?<![\w./:])/(?:[^/\s'\"]+/)+([^/\s'\"]*)")


def told(error: Exception) -> str:
    """A sentence on whatever it was."""
    if isinstance(error, LamplightError):
        return without_paths(f"{error} {error.hint}".strip())
    if isinstance(error, OSError):
        return without_paths(f"{error.filename or 'A disk'}: {error.strerror or error}.")
    return without_paths(FAULT.format(error=repr(error)[:200]))


def without_paths(text: str) -> str:
    """The same with the last name alone of every path that begins at the root."""
    return _PATH.sub(r"\1", text)
