"""Starting again, asked for by a page: all processes where `appliance run` watches them, else the pages
alone, where systemd starts them anew. They read then what was chosen meanwhile.
"""

import os
import signal
from typing import Literal

from appliance.services.runtime import ask_again, supervised
from appliance.settings import Settings

Way = Literal["all", "pages", ""]


def way(given: Settings) -> Way:
    """What a page can have started again; "": nobody would start them."""
    return "all" if supervised(given.runtime) else "pages" if given.device else ""


def begin(given: Settings) -> None:
    """Has it done: this process gets the signal that ends it, and seconds for the answers on their way."""
    match way(given):
        case "all":
            ask_again(given.runtime)
        case "pages":
            os.kill(os.getpid(), signal.SIGTERM)
