"""What a question asks to have been done: a thing designed, somebody born. Pure.

A passage on the iron bridge is close in every way to "Who designed the iron bridge?" and may have no word of
a design. So a deed of these kinds must be told by the evidence, in any of the words in which people tell it;
the lists are wide, since a word too many costs less here than an answer refused. English, French, Spanish.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from appliance.retrieval.words import fold

# Folded words that ask for a deed, then those that tell of it.
_DEEDS = r"""
design(?:s|ed|er|ers|ing)?|dessine\w*|concue?s?|disen\w*
    = design(?:s|ed|er|ers|ing)?|architect\w*|engineer\w*|drew|drawn|drawings?|plan[ns]\w*|devis\w*|invent\w*
    |conceiv\w*|sculpt\w*|works? of|creator\w*|ingenieur\w*|ingenier\w*|dessin\w*|con[cs]u\w*|arquitect\w*
    |(?:buil[td]\w*|made|created|developed|constructed|laid out) (?:\w+ ){0,3}by
    |(?:construit\w*|cree\w*|construid\w*|cread\w*) (?:\w+ ){0,3}p[ao]r|disen\w*|proje[ct]\w*|proyect\w*
born|birth\w*|(?:est|etait|fut) nee?|naquit|naissance|nacio|nacid[oa]s?|nacimiento
    = born|birth\w*|b\.|nee?s?|nati[fv]\w*|nac[ei]\w*|naiss\w*|naquit|natal\w*
died|die|death|mort|morte|mourut|murio|muerte
    = die[sd]?|dying|dead\w*|death\w*|killed|assassin\w*|murder\w*|execut\w*|passed|suicide|drown\w*|fatal\w*
    |perish\w*|fell|buried|funeral\w*|widow\w*|posthum\w*|late|lost|mort\w*|mour\w*|deced\w*|muri\w*|muert\w*
    |fallec\w*|tue\w*|asesin\w*
built|constructed|construit\w*|construyo|construid[oa]s?
    = buil\w*|construct\w*|erect\w*|complet\w*|creat\w*|made|establish\w*|open\w*|found\w*|commission\w*
    |design\w*|raised|rebuilt|date\w*|constru\w*|eleve\w*|bati\w*|fond\w*|fund\w*|inaugur\w*|ach[ei]v\w*|termin\w*
invent\w*
    = invent\w*|patent\w*|develop\w*|creat\w*|devis\w*|design\w*|built|introduc\w*|discover\w*|pioneer\w*
    |first|father|brevet\w*|cre[aeo]\w*|concu\w*|premier\w*|primer\w*|pere|padre|made
discover\w*|decouvr\w*|decouvert\w*|descubr\w*
    = discover\w*|found|finds?|first|identif\w*|isolat\w*|observ\w*|describ\w*|detect\w*|sight\w*|explor\w*
    |reach\w*|credit\w*|decouv\w*|descubr\w*|hall\w*|trouv\w*|encontr\w*|premier\w*|primer\w*
founded|established|fondee?s?|fundo|fundad[oa]s?
    = found\w*|establish\w*|creat\w*|start\w*|form\w*|set up|beg[aiu]n\w*|organi\w*|launch\w*|introduc\w*
    |first|institut\w*|incorporat\w*|open\w*|co-?found\w*|fond\w*|fund\w*|cre[aeo]\w*|etabli\w*|establec\w*|naiss\w*
    |nac[ei]\w*|inaugur\w*|birth\w*|born|built|date\w*
married|marry|epous\w*|se maria|se caso
    = marri\w*|marry\w*|wed\w*|wife|wives|husband\w*|spouse\w*|bride\w*|groom|divorc\w*|widow\w*|epou\w*
    |mari\w*|femme|cas[aoe]\w*|espos\w*|marido|mujer|conjoint\w*
"""
_LIFE = re.compile(r"\(\s*(?:[^()]{0,40}\s)?\d{3,4}\s*[–-]")  # (1879–1955): years tell of birth and death
_OF_LIFE = ("born", "died")


@dataclass(frozen=True, slots=True)
class _Deed:
    asked: re.Pattern[str]
    told: re.Pattern[str]
    of_life: bool


def _read(table: str) -> tuple[_Deed, ...]:
    lines = re.sub(r"\n\s+", "", table.strip()).splitlines()
    return tuple(
        _Deed(_words(asked), _words(told), asked.startswith(_OF_LIFE))
        for asked, told in (line.split("= ") for line in lines)
    )


def _words(ways: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'’])(?:{ways})(?!\w)")


_READ = _read(_DEEDS)


def untold(question: str, texts: Sequence[str]) -> list[str]:
    """What a question asks to have been done and none of the texts tells, as the question has it, folded."""
    asked = fold(question)
    wanted = [(match.group(), deed) for deed in _READ if (match := deed.asked.search(asked))]
    folded = [fold(text) for text in texts] if wanted else []
    return [
        word
        for word, deed in wanted
        if not any(deed.told.search(text) for text in folded)
        and not (deed.of_life and any(_LIFE.search(text) for text in texts))
    ]
