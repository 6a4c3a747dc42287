"""The embedding model's word pieces, which counting needs and cutting with it. The one door to tokenizers."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import tokenizers

from appliance.errors import ModelFileError

FETCH = "Delete the file if it is there; ./build.sh run fetches it."


class Tokens:
    """The model's tokenizer alone: counts without loading the model. Raises ModelFileError."""

    def __init__(self, tokenizer: Path) -> None:
        check_there(tokenizer)
        self._tokenizer = _loaded(tokenizer)

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self.ids(texts)]

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids with the special ones, uncut."""
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]


@cache
def _loaded(file: Path) -> tokenizers.Tokenizer:
    """One for the embedder and the reader, which have the same: it takes 7 MB."""
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:
        if type(error) is not Exception:  # the package raises that class itself, and nothing narrower
            raise
        raise ModelFileError(f"The tokenizer {file.name} cannot be loaded: {error}.", FETCH) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def check_there(file: Path) -> None:
    """Raises ModelFileError where there is no such file."""
    if not file.is_file():
        raise ModelFileError(f"The model file {file} is missing.", FETCH)
