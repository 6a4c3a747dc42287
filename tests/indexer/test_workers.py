"""The workers' own errors reach whoever waits for them."""

import pytest

from appliance.errors import ModelFileError
from appliance.indexer.workers import Encoding, Pool
from appliance.vectors import HashEncoder

pytestmark = pytest.mark.slow


def unloadable(_threads):
    raise ModelFileError("The model file is damaged.", "Fetch it again.")


@pytest.mark.parametrize("ended_before", [True, False])
def test_a_model_that_cannot_be_loaded_is_said_in_its_own_words(ended_before):
    encoding = Encoding("hash", HashEncoder.model_sha256, HashEncoder, unloadable)
    with Pool(encoding, 1) as pool:
        if ended_before:
            pool._workers[0].process.join(20)
        with pytest.raises(ModelFileError, match="is damaged") as caught:
            list(pool.encode([["a text"]] * 20))
    assert caught.value.hint == "Fetch it again."
