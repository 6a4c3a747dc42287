"""Which words of a question carry it, and which only shape it as a question.

Pure. The lists hold function words and question words, in the forms that people type (also without their
accents). A word of a list is dropped only when the question is in that list's language, so that the French
"son" does not cost an English question its "son".
"""

import re
import unicodedata
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]+")
_CONTRACTED = re.compile(  # don't, what's; l'été, qu'il
    r"(?:n['’]t|['’](?:s|ll|re|ve|d|m))(?!\w)|(?<!\w)(?:[cdjlmnst]|(?:jus|quel|lors|puis)?qu)['’]",
    re.IGNORECASE,
)


def fold(text: str) -> str:
    """Case-folded, without accents and other marks: "Köln" and "KOLN" become one. The dotless i of Turkish,
    which a pattern that takes capitals for small letters takes for an i, becomes one, too."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold().replace("ı", "i"))
    return "".join(c for c in parts if not unicodedata.combining(c))


def listed(text: str) -> frozenset[str]:
    """The words of a list, folded."""
    return frozenset(fold(word) for word in text.split())


ENGLISH = listed(
    """
    a about after all also am an and another any are as at be because been before being between both but by
    ca can could define describe did do does doing done during each either else ever every explain find for
    from get gets give given gives go goes had has have having he her here hers him his how i if in into is
    isn it its just know known let like list made make makes many may me mean means meant might more most
    much must my name named need of off on or other our out over own please same shall she should show since
    so some such tell than that the their them then there these they this those through thus to too under
    until up upon us use used using very was wasn way we were what whats when where which while who whom
    whos whose why will with wo would you your
    """
)
FRENCH = listed(
    """
    a ai ainsi alors apres au aucun auquel aussi autre aux avait avant avec avez avoir ce ceci cela celle
    ces cet cette ceux chaque chez combien comme comment connait dans de depuis des dire dis dit dois doit
    donc donner du elle elles en encore entre es est et etaient etait etre eu explique expliquer fait faire
    font fut furent il ils je jusque la laquelle le lequel les lesquelles lesquels leur leurs lors lui ma
    mais me meme mes moi mon ne ni nom nomme nommee non nos notre nous on ont ou par parce parle pas pendant
    peut plus pour pourquoi pouvait quand que quel quelle quelles quels qui quoi sa sans se sera ses si soit
    son sont sous sur ta te tes toi ton tous tout toute toutes tres trouve tu un une va vers vos votre vous
    y
    """
)
SPANISH = listed(
    """
    a al algo algun alguna algunas alguno algunos ante antes aquel aquella como con cual cuales cuando
    cuanta cuantas cuanto cuantos de del desde dice dijo dime donde dos durante e el ella ellas ellos en
    entre era eran es esa esas ese eso esos esta estaba estaban estan estar estas este esto estos explica
    fue fueron ha haber habia han hasta hay hace hacer hizo la las le les lo los llama llamaba llamado mas
    me mi mientras mis mucho muy nada ni no nombre nos nosotros o os otra otras otro otros para pero por
    porque puede pueden pues que quien quienes se sea segun ser si sido sin sobre son su sus tal también
    tambien tanto te tiene tienen tenia todo todos tu tus u un una unas uno unos usted vez y ya yo
    """
)
GERMAN = listed(
    """
    ab aber als am an auch auf aus bei beim bin bis da damit dann das dass dem den denn der des die dies
    diese diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er es etwas für fur
    gab geben gegen gibt habe haben hat hatte hatten heisst heißt hier ich ihr ihre im in ist ja jede jeder
    kann kein keine können konnen man mehr mit muss nach nicht noch nur ob oder ohne sehr sein seine seit
    sich sie sind so soll über uber um und uns unter vom von vor wann war waren warum was welche welchem
    welchen welcher welches wem wen wenn wer werden wessen weshalb wie wieso wieviel wieviele wird wo woher
    wohin wurde wurden zu zum zur
    """
)
LANGUAGES = {"en": ENGLISH, "fr": FRENCH, "es": SPANISH, "de": GERMAN}


def words(text: str) -> list[str]:
    """The words of a text as they stand in it, in order."""
    return _WORD.findall(text)


def language(tokens: Sequence[str]) -> str:
    """The language whose function words the question uses most; English when it uses none."""
    counts = _counted(tokens)
    return max(counts, key=lambda code: counts[code])


def told(tokens: Sequence[str]) -> str:
    """The same, and "" when no language stands out from the others."""
    counts = _counted(tokens)
    leading = [code for code, count in counts.items() if count == max(counts.values())]
    return leading[0] if len(leading) == 1 else ""


def _counted(tokens: Sequence[str]) -> dict[str, int]:
    folded = [fold(token) for token in tokens]
    return {code: sum(word in known for word in folded) for code, known in LANGUAGES.items()}


def content(text: str) -> list[str]:
    """The words of a question that say what it is about, each once, in order, as written.

    When every word is a function word ("What is it?", "Who?"), all of them are kept: the title of a
    film or a band may be made of nothing else ("The Who").
    """
    tokens = words(_CONTRACTED.sub(" ", text))
    shaping = LANGUAGES[language(tokens)]
    kept = [token for token in tokens if fold(token) not in shaping] or tokens
    return list({fold(token): token for token in reversed(kept)}.values())[::-1]
