"""What does not fit is said in our own words, whatever Pydantic calls it."""

from typing import Annotated, Literal

import pytest
from every import every
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance.misfits import misfit


class Call(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query: Annotated[str, Field(min_length=1, max_length=5, pattern="^[a-z]*$")] = "x"
    limit: Annotated[int, Field(ge=1, le=50)] = 8
    messages: Annotated[list[str], Field(min_length=1)] = ["x"]
    kind: Literal["question", "summary"] = "question"
    share: Annotated[float, Field(gt=0, lt=1)] = 0.5
    loud: bool = False


@every(
    ("sent", "sentence"),
    [
        ({"query": ""}, "query has nothing in it."),
        ({"query": "tetanus"}, "query has more than 5 letters."),
        ({"query": "A"}, "query has a letter that cannot stand there."),
        ({"query": 5}, "query is not a text."),
        ({"messages": []}, "messages has nothing in it."),
        ({"messages": "x"}, "messages is not a list."),
        ({"limit": 0}, "limit is too small: at least 1."),
        ({"limit": 51}, "limit is too large: at most 50."),
        ({"limit": "many"}, "limit is not a whole number."),
        ({"kind": "riddle"}, "kind is none of those that there are: 'question' or 'summary'."),
        ({"share": 0}, "share is too small: more than 0.0."),
        ({"share": "half"}, "share is not a number."),
        ({"loud": "very"}, "loud is neither true nor false."),
        ({"voice": 1}, "voice is not known here."),
        ({"query": None}, "query is not a text."),
    ],
)
def test_a_misfit_is_a_sentence(sent: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Call.model_validate(sent)
    (error,) = caught.value.errors()
    assert misfit(str(error["loc"][0]), error) == sentence


def test_what_is_not_known_is_said_without_pydantics_words() -> None:
    assert misfit("", {"type": "dataclass_type", "msg": "https://errors.pydantic.dev"}) == (
        "What was sent does not fit."
    )
