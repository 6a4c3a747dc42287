"""A question that asks for a calculation: which figures, which formula, and the exact result. Pure.

Figures come from the passages that an answer may cite, each with its number, or from the question. A result
is given only when there is one reading: a second figure that would fit, a limit beside a dose, a word that
could change the meaning, units that do not go together, all end in silence. A wrong dose hurts people.

A calculation whose figures are all the question's ("convert 5 miles to km") needs no evidence: it is given
whatever the gate says, marked "from your question", and no language model is asked. One that rests on
passages is given only where the gate lets them answer.
"""

from collections.abc import Sequence

from appliance.answer import compare, rates, sums
from appliance.answer.expressions import calculation, leaves
from appliance.answer.stated import Asked
from appliance.answer.units import UnitsDisagree
from appliance.records import Calculation, Evidence

LONGEST = 400  # letters of a question that is read for a calculation
OF_QUESTION = (sums.conversion, sums.share, sums.listed, sums.sign, rates.given, compare.years_given)
OF_PASSAGES = (rates.stated, compare.between, compare.more, compare.years, compare.age, compare.converted)


def calculate(question: str, evidence: Sequence[Evidence]) -> Calculation | None:
    """The calculation that a question asks for, None when it asks for none or when anything is in doubt.

    `evidence`: the passages that may be cited, in the order of their numbers; empty where the gate refused.
    """
    if len(question) > LONGEST or not any(c.isdigit() for c in question + "".join(e.text for e in evidence)):
        return None
    asked = Asked(question, evidence)
    for form in OF_QUESTION + (OF_PASSAGES if evidence else ()):
        try:
            tree = form(asked)
            if tree is not None and not any(figure.loose for figure in leaves(tree)):
                return calculation(tree, asked.language)
        except UnitsDisagree:
            return None
    return None
