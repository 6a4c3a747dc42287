"""The ways in which a language model says that the passages do not hold the answer. Pure.

Told to write one fixed sentence, a small model writes a dozen others, in the language of the question.
Whoever speaks of the passages and denies refuses, also in words that the passages have. "It is not known"
may be what a passage states; it refuses only where none does.
"""

import re

_PASSAGES = r"(?:passages?|texts?|sources|information|context|excerpts?|documents|articles|answer)"
_SAY = (
    r"(?:sa(?:y|id)s?|stat\w+|mention\w*|specif\w*|provid\w*|contain\w*|includ\w*|gives?|given|answer\w*|tells?"
    r"|indicat\w*|address\w*|discuss\w*|describ\w*|explain\w*|have|available|enough|found|known|clear|possible)"
)
_SURELY = re.compile(
    rf"\W*(?:unfortunately,? |however,? |based on [^,]{{0,60}}, |according to [^,]{{0,60}}, )?(?:"
    rf"(?:the |these |this |none of the |no |provided |given |above |any )*{_PASSAGES}\b.{{0,50}}"
    rf"(?:\bnot\b|n['’]t\b|\bno\b|\bnone\b|\bnothing\b|cannot\b).{{0,40}}?\b{_SAY}\b"
    rf"|(?:none of the|no) (?:\w+ )?{_PASSAGES}\b.{{0,40}}\b{_SAY}\b"
    rf"|there (?:is|are|was|were)(?: no|n['’]t any| not any| not enough) (?:\w+ )?"
    r"(?:information|mention|answers?|evidence|details?|passages?|data|indication)\b"
    r"|(?:i am|i['’]m|we are)? ?(?:sorry|afraid)\b|i apologi[sz]e|as an ai\b"
    r"|i (?:do not|don['’]t|cannot|can['’]t|could not|couldn['’]t|am not able|am unable|have no)\b"
    r"|(?:this|the|your) question (?:cannot|can['’]t|can not|could not|is not|isn['’]t)\b"
    r"|(?:les? |ces? |l['’]|aucune? |d['’]apr[eè]s .{0,30}, )?"
    r"(?:passages?|textes?|sources?|extraits?|information\w*|r[ée]ponse|documents?)\b"
    r".{0,30}\b(?:ne|n['’]).{0,30}\b(?:pas|rien|aucune?|mentionn\w*|indiqu\w*|di[ts]\w*|pr[ée]cis\w*)"
    r"|il n['’]y a (?:pas|aucune?)\b.{0,20}\b(?:information|mention|r[ée]ponse|passage|texte|donn[ée]e)"
    r"|je (?:ne|n['’])|(?:je suis )?d[ée]sol[ée]"
    r"|(?:los |el |las |la |este |estos |ning[uú]n |ninguno de los )*"
    r"(?:pasajes?|textos?|fuentes?|informaci[oó]n|respuesta|documentos?|fragmentos?)\b.{0,30}\b(?:no|ni|nada)\b"
    r"|ning(?:[uú]n|uno de los) (?:pasajes?|textos?|fuentes?)\b"
    r"|no hay (?:\w+ )?(?:informaci[oó]n|menci[oó]n|respuesta|datos)\b"
    r"|no (?:s[ée]|puedo|tengo)\b|lo siento"
    r"|(?:die |der |in den )?(?:textstellen|abschnitten?|passagen|quellen|texte?)\b.{0,40}"
    r"\b(?:nicht|keine?)\b"
    r"|(?:ich (?:wei[sß]+|kann) (?:es )?nicht|es gibt keine (?:angaben?|information\w*))"
    r")",
    re.IGNORECASE,
)  # fmt: skip
_PERHAPS = re.compile(
    r"\W*(?:(?:it|this|that|which) (?:is|was)(?: not|n['’]t) (?:\w+ )?"
    r"(?:stated|mentioned|specified|known|clear|said|given|provided|possible|explicitly)"
    r"|not (?:stated|mentioned|specified|provided|given|available|known|applicable|found)"
    r"|unknown\b|unclear\b|n/?a\b|none\b|no (?:answer|information)\b"
    r"|(?:cela |ce |il )?n['’](?:est|a) pas (?:[ée]t[ée] )?(?:mentionn|indiqu|pr[ée]cis|dit|connu|possible)"
    r"|(?:non |pas )(?:mentionn|indiqu|pr[ée]cis|connu)|inconnue?\b"
    r"|no (?:se |est[aá] )(?:\w+ )?(?:menciona|indica|especifica|dice|sabe|proporciona|indicado|mencionado)"
    r"|no (?:mencionado|indicado|especificado)|desconocid[oa]\b)",
    re.IGNORECASE,
)
_OF_PASSAGES = re.compile(
    r"\b(?:passages?|text|texte|texto|context|sources?|information|informations?|información|pasajes?|fuentes?"
    r"|abschnitte?n?|textstellen?)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|no|nothing|none|cannot|ne|n'|pas|aucun\w*|ningun\w*|nada|nicht|keine?\w*)\b|n['’]t\b",
    re.IGNORECASE,
)


def refuses(sentence: str) -> bool:
    """Whether the sentence says so, whatever the passages hold."""
    return _SURELY.match(sentence) is not None


def may_refuse(sentence: str) -> bool:
    """Whether the sentence says so unless a passage supports it."""
    if _PERHAPS.match(sentence):
        return True
    return _OF_PASSAGES.search(sentence) is not None and _NOT.search(sentence) is not None
