"""A process like `appliance llama`, with a scripted engine: SOCKET, seconds between two words."""

import sys
from pathlib import Path

from answer.fakes import ScriptedEngine
from appliance.answer.queue import QueuedModel
from appliance.services import process
from appliance.services.llama import create_app

if __name__ == "__main__":
    engine = ScriptedEngine([f"word{n} " for n in range(100)], float(sys.argv[2]))
    process.serve(create_app(QueuedModel(engine, 40)), Path(sys.argv[1]))
