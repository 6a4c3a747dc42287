"""The sentence of a stretch of text that says most of what the rest says; pure.

Sentences are compared by the rare words that they share (cosine of word counts weighed by how few sentences
have them); the one that is nearest to all others is the most central: degree centrality, as in LexRank
(Erkan and Radev, 2004). One that begins with a pronoun counts half: alone it does not say who is meant.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

from appliance.retrieval.words import content, fold, listed, words

SHORTEST, LONGEST = 25, 400  # letters of a sentence that can stand for others
LEANING = 0.5
_SPOKEN_OF = listed(
    """
    he she it they we this that these those his her its their such then there so but and or also
    il elle ils elles ce cela cet cette ces son sa ses leur leurs alors mais et ou aussi
    el ella ellos ellas este esta estos estas esto su sus entonces pero y o tambien
    """
)
_CODE = re.compile(r"[;{}]|\w\(|[=<>]{1,2}\s*\w")


def central(sentences: Sequence[str]) -> list[tuple[int, float]]:
    """(place, score) of each sentence that can stand for others, the most central first; early ones first
    among equals. Where all are short or code, of those."""
    fit = [place for place, one in enumerate(sentences) if _fits(one)]
    fit = fit or [place for place, one in enumerate(sentences) if content(one) and len(one) <= LONGEST]
    bags = [Counter(fold(word) for word in content(sentence)) for sentence in sentences]
    frequency = Counter(word for bag in bags for word in bag)
    rare = {word: math.log(1 + len(bags) / count) for word, count in frequency.items()}
    vectors = [{word: count * rare[word] for word, count in bag.items()} for bag in bags]
    lengths = [math.sqrt(sum(weight**2 for weight in vector.values())) or 1.0 for vector in vectors]
    scores = []
    for place in fit:
        own = vectors[place]
        near = sum(
            sum(weight * other.get(word, 0.0) for word, weight in own.items()) / length
            for other, length in zip(vectors, lengths, strict=True)
        )
        first = words(sentences[place])[:1]
        leaning = bool(first) and fold(first[0]) in _SPOKEN_OF
        scores.append((place, near / lengths[place] * (LEANING if leaning else 1.0)))
    return sorted(scores, key=lambda one: (-round(one[1], 9), one[0]))


def _fits(sentence: str) -> bool:
    return SHORTEST <= len(sentence.strip()) <= LONGEST and not _CODE.search(sentence)
