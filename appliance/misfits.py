"""What of a program's call does not fit, as a sentence of ours; pure.

A part is described as Pydantic does (`type` and `ctx` of one of its errors:
https://docs.pydantic.dev/latest/errors/validation_errors/). Its own text would show a program addresses of
documentation, and how a list is called in Python.
"""

from collections.abc import Mapping
from typing import Any

LONGEST_FIELD = 80  # letters of a name that the caller has made up
_SENTENCES = {
    "missing": "{field} is missing.",
    "extra_forbidden": "{field} is not known here.",
    "string_too_short": "{field} has {fewer}.",
    "too_short": "{field} has {fewer}.",
    "string_too_long": "{field} has more than {max_length} letters.",
    "too_long": "{field} has more than {max_length} entries.",
    "greater_than_equal": "{field} is too small: at least {ge}.",
    "greater_than": "{field} is too small: more than {gt}.",
    "less_than_equal": "{field} is too large: at most {le}.",
    "less_than": "{field} is too large: less than {lt}.",
    "literal_error": "{field} is none of those that there are: {expected}.",
    "enum": "{field} is none of those that there are: {expected}.",
    "number": "{field} is not a number.",
    "int_type": "{field} is not a whole number.",
    "int_parsing": "{field} is not a whole number.",
    "int_from_float": "{field} is not a whole number.",
    "int_parsing_size": "{field} is too large.",
    "float_type": "{field} is not a number.",
    "float_parsing": "{field} is not a number.",
    "bool_type": "{field} is neither true nor false.",
    "bool_parsing": "{field} is neither true nor false.",
    "string_type": "{field} is not a text.",
    "list_type": "{field} is not a list.",
    "json_invalid": "What was sent is not JSON.",
    "string_pattern_mismatch": "{field} has a letter that cannot stand there.",
}  # fmt: skip
_OTHERWISE = "{field} does not fit."


def misfit(field: str, error: Mapping[str, Any]) -> str:
    """The sentence for one of Pydantic's errors about `field`; "" names the whole of what was sent."""
    values = dict(error.get("ctx") or {})
    least = values.get("min_length", 1)
    values["fewer"] = "nothing in it" if least == 1 else f"fewer than {least} entries or letters"
    values["field"] = field[:LONGEST_FIELD] or "What was sent"
    return _SENTENCES.get(error.get("type", ""), _OTHERWISE).format_map(values)
