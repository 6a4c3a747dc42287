"""Sentences of the evidence that give orders to whoever reads them for an answer. Pure.

They stay in the archive and on its pages, and are never quoted in an answer, whatever the model makes of
them. Reference works do say "ignore" and "answer", and give orders to patients and cooks: an order here needs
a verb of that kind and what it is about, rules or the answer. What is missed must still answer the question
by the reader's word to be shown.
"""

import re

_VERBS = (
    r"(?:ignor\w*|disregard|forget|override|obey|repl(?:y|ies)|respond|answer|repeat|print|say|write|tell"
    r"|translate|summari[sz]e|reveal|oublie[zr]?|r[ée]pon(?:ds|dez|dre)|[ée]cri(?:s|vez|re)|olvid[ae]|responde"
    r"|escribe|repite|vergiss|antworte|schreibe?)"
)
_ABOUT = (
    r"(?:rules?|instructions?|prompt|question|answers?|everything (?:above|before)|this line|task"
    r"|conversation"
    r"|nothing else|with the (?:single )?words?|the words?|the string|the reader|capital letters|so far"
    r"|r[èe]gles?|consignes?|uniquement|seulement|le mot|reglas|instrucciones|solamente|todo lo anterior"
    r"|regeln|nur|frage|anweisungen)"
)
_ORDER = re.compile(
    rf"(?<!\w){_VERBS}\b.{{0,60}}?(?<!\w){_ABOUT}(?!\w)"
    r"|(?<!\w)(?:(?<!if )(?<!when )(?<!whether )you are (?:now|an?|the) "
    r"|your (?:answer|instructions|training)\b"
    r"|were you told|fill in the|pretend to be|assistant,|assistant (?:must|shall|in the world)"
    r"|language model\b|system (?:message|prompt)|debug mode|end (?:of (?:data|passages?|quote)|quote)"
    r"|(?:reply|respond|answer) (?:only )?(?:with|in)\b|correct output|new task|play a game"
    r"|now the answer|do not mention|instead write|put (?:this|them|it) (?:first|into|in your)"
    r"|tell the reader|please rewrite"
    r"|question:|answer:|click here)"
    r"|(?:^|[.:;] )(?:be the \w+ (?:of|in|who)|(?:say|write|answer|reply|state|claim) that)\b"
    r"|(?:\band|\bnow|\bthen|\balso|\bplease|:) (?:say|write|print|reply|repeat) (?-i:[A-Z]{3,})"
    r"|\b(?:say|write|answer with) (?-i:[A-Z]{3,})\b|\bsay that\b.*\bis\b|\bif you do not answer\b"
    r"|[<‹]\s*/?\s*(?:passage|system|sys|context|script|span|tool|think|!--)|[<‹]\|?\w+\|?>"
    r"|\[/?INST|<<‹?SYS|###|!\[|\]\(|\| ?-{2,}|javascript:"
    r"|забудь|игнорируй|ответь|忽略|只回答|تجاهل|اكتب",
    re.IGNORECASE,
)


def gives_orders(sentence: str) -> bool:
    """Whether the sentence tells a reader what to answer or what to leave aside."""
    return _ORDER.search(sentence) is not None
