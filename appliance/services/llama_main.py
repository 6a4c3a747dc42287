"""What `appliance llama` runs: loads the language model, reads the fixed part of the prompt, and answers."""

import os
import signal
import threading
import time
from collections.abc import Callable

from appliance.answer.batch import AT_ONCE, Batch
from appliance.answer.llm import Llama
from appliance.answer.prompt import FIXED
from appliance.answer.queue import QueuedModel
from appliance.errors import ModelFileError
from appliance.log import say
from appliance.services import language, process
from appliance.services.llama import create_app
from appliance.services.runtime import socket_path
from appliance.settings import Settings

NICE = 10  # search and pages come first: everybody waits for passages
PACE = 3.0  # seconds between two looks at the bundle in use


def serve(given: Settings) -> None:
    """Loads the model that the settings name and answers on the socket until it is told to stop."""
    chosen = language.choose(given)
    if chosen.file is None:
        raise ModelFileError(
            f"There is no language model in {given.home / 'models'}.",
            "Fetch one with ./build.sh run, or start with --search-only.",
        )
    os.nice(NICE)
    slots = given.at_once or AT_ONCE[given.profile]
    engine = Batch(Llama(chosen.file, given.context, given.threads, slots, FIXED))
    threading.Thread(target=leave_for_another, args=(given, chosen.name), daemon=True).start()
    process.serve(create_app(QueuedModel(engine, given.queue)), socket_path(given.runtime, "llama"))


def end() -> None:
    """This process, as whoever started it ends it: the answer on its way gets two seconds."""
    os.kill(os.getpid(), signal.SIGTERM)


def leave_for_another(
    given: Settings, loaded: str, pace: float = PACE, leave: Callable[[], None] = end
) -> None:
    """Waits until the box is to load another model, with another bundle or the one before, and leaves.
    Whoever started this process starts it again."""
    while (wanted := language.choose(given).name) in (loaded, ""):
        time.sleep(pace)
    say(f"{wanted} takes the place of {loaded}.")
    leave()
