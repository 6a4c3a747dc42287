"""What the brackets behind a name say: "Ada Renn (7 November 1867 – 4 July 1934) was a physicist" says when
she was born and when she died, of a war when it began and ended. Pure; English, French and Spanish dates.
"""

import re

from appliance.answer.dates import days
from appliance.answer.lexicon import first_verb, tokens

_BRACKETS = re.compile(r"\(([^()]{9,160})\)")
_DASH = re.compile(r"\s+[–—-]\s+|[–—]|(?<=\d)-(?=\D)")
_OTHER = re.compile(
    r"\b(?:r\.|reign|rule|office|fl\.|active|flourished|règne|reinado|c\.|ca\.|circa)|\?", re.IGNORECASE
)
_BEGAN, _ENDED = "born began started", "died ended"


def lifespan(sentence: str, title: str) -> tuple[str, ...]:
    """What the first brackets say of whom the sentence begins with and the page is about, as two clauses; ()
    where they hold no two dates, or those of a reign or of doubt."""
    match = _BRACKETS.search(sentence)
    parts = _DASH.split(match.group(1)) if match else []
    if match is None or len(parts) != 2 or _OTHER.search(match.group(1)):
        return ()
    before = tokens(sentence[: match.start()])
    if first_verb(before) is not None or not {one.form for one in before} & {
        one.form for one in tokens(title)
    }:
        return ()
    begun, ended = (days(part) for part in parts)
    if (
        len(begun) != 1
        or len(ended) != 1
        or begun[0].open
        or ended[0].open
        or begun[0].first > ended[0].first
    ):
        return ()
    name = sentence[: match.start()].strip()
    return f"{name} {_BEGAN} {parts[0]}", f"{name} {_ENDED} {parts[1]}"
