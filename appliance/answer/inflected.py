"""English words as their plain forms: wrote and written are "write", bees are a "bee", dying is "die". Pure.

A rule of beginnings (`forms.alike`) finds most forms of a long word. It cannot see those that change within
(fell, fall), nor those of words of three letters (runs, run). The verbs and nouns that change are a closed
class and stand here; the regular endings are a rule. A form may be of several words: "lives" of
life and live.
"""

import re
from functools import lru_cache

from appliance.answer.dates import MONTH

_SHORTEST = 3  # letters of a word without its ending
_VOWEL = re.compile("[aeiouy]")  # "string" is no form of "str"
# The plain form, then the others.
_IRREGULAR = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun;
bend bent; bet betted; bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken;
breed bred; bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen;
cling clung; come came; creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk;
drive drove driven; dwell dwelt; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought;
find found; flee fled; fling flung; fly flew flown flies; forbid forbade forbidden; forget forgot forgotten;
forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given; go went gone goes;
grind ground; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept; kneel knelt;
know knew known; lay laid; lead led; leap leapt; learn learnt; leave left; lend lent; lie lay lain lying;
light lit; lose lost; make made; mean meant; meet met; pay paid; ride rode ridden; ring rang rung;
rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; sew sewn;
shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung;
sink sank sunk; sit sat;
slay slew slain; sleep slept; slide slid; smell smelt; sow sown; speak spoke spoken; speed sped; spell spelt;
spend spent; spill spilt; spin spun; spring sprang sprung; stand stood; steal stole stolen; stick stuck;
sting stung; stride strode; strike struck stricken; strive strove striven; swear swore sworn; sweep swept;
swell swollen; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told;
think thought; throw threw thrown; understand understood; undergo underwent undergone; wake woke woken;
wear wore worn; weave wove woven; weep wept; win won; wind wound; withdraw withdrew withdrawn;
write wrote written; die died dies dying; tie tied ties tying;
overthrow overthrew overthrown; overcome overcame; foresee foresaw foreseen;
child children; foot feet; goose geese; leaf leaves; life lives; loaf loaves; louse lice; man men;
mouse mice; ox oxen; half halves; calf calves; hoof hooves; knife knives; shelf shelves; thief thieves;
tooth teeth; wife wives; wolf wolves; woman women
"""
# What a date is most often asked for, in a passage of another language than the answer's.
_ACROSS = """
born nee nees nacio nacido nacida; die mort morte morts mortes meurt murio fallecio muerto muerta
"""
_PLAIN: dict[str, tuple[str, ...]] = {}
_MONTHS = [f"{n}month {name}" for name, n in MONTH.items() if len(name) > _SHORTEST and name != "mars"]
for _entry in (*_IRREGULAR.split(";"), *_ACROSS.split(";"), *_MONTHS):
    _base, *_others = _entry.split()
    for _form in _others:
        _PLAIN[_form] = (*_PLAIN.get(_form, ()), _base)


@lru_cache(maxsize=20_000)
def plain(word: str) -> frozenset[str]:
    """The plain forms that a folded word may have, itself among them."""
    return frozenset({word, *_PLAIN.get(word, ()), *_regular(word)})


@lru_cache(maxsize=20_000)
def beginnings(word: str) -> frozenset[str]:
    """The first four letters of each; words without one in common are no forms of one word."""
    return frozenset(form[:4] for form in plain(word))


def _regular(word: str) -> set[str]:
    found: set[str] = set()
    if word.endswith("s") and word[-2:] not in ("ss", "us", "is"):
        found = {word[:-1]}
        if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
            found.add(word[:-2])
    for ending in ("ed", "ing"):
        if word.endswith(ending) and not word.endswith("eed"):
            stem = word.removesuffix(ending)
            found |= {stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem}
    for ending in ("ies", "ied"):
        if word.endswith(ending):
            found = {f"{word.removesuffix(ending)}y", word[:-1]}
    return {one for one in found if len(one) >= _SHORTEST and _VOWEL.search(one.removesuffix("e"))}
