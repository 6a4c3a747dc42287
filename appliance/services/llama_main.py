"""What `appliance llama` runs: loads the language model, reads the fixed part of the prompt, and answers."""

from appliance.answer.llm import Llama
from appliance.answer.prompt import FIXED
from appliance.answer.queue import QueuedModel
from appliance.errors import ModelFileError
from appliance.models import model_for, path
from appliance.services import process
from appliance.services.llama import create_app
from appliance.services.runtime import socket_path
from appliance.settings import Settings


def serve(given: Settings) -> None:
    """Loads the model that the settings name and answers on the socket until it is told to stop."""
    name = model_for(given.profile, given.home, given.model)
    if name is None:
        raise ModelFileError(
            f"There is no language model in {given.home / 'models'}.",
            "Fetch one with ./build.sh run, or start with --search-only.",
        )
    engine = Llama(path(given.home, name), given.context, given.threads)
    engine.warm(FIXED)
    process.serve(create_app(QueuedModel(engine, given.queue)), socket_path(given.runtime, "llama"))
