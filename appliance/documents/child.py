"""The process that reads people's files: `python -m appliance.documents.child`.

A line of JSON in ({"file", "name", "tokenizer"}), a line out: what the file says and where it is cut, or why
it cannot be read. It may use so much memory and so much time, opens no more files than it needs and writes
none; a file that kills it kills nothing else. It ends when its input ends.
"""

import json
import resource
import sys
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from appliance.documents.parts import divided, estimate
from appliance.errors import EntryUnreadable
from appliance.indexer.chunk import Count
from appliance.sources import files

MEMORY = 1_200_000_000  # bytes of address space; libraries take a third of it
SECONDS = 180  # of processor time, for one file or many: whoever uses it starts another


def main() -> None:
    Path("/proc/self/oom_score_adj").write_text("1000")  # where memory is short, this one goes first
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin.buffer:
        spent = resource.getrusage(resource.RUSAGE_SELF)
        limit = int(spent.ru_utime + spent.ru_stime) + SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        asked = json.loads(line)
        answer = json.dumps(_read(Path(asked["file"]), asked["name"], asked["tokenizer"]), ensure_ascii=False)
        # Half a letter ("\ud800", which YAML lets through) can be kept in no file and shown on no page.
        sys.stdout.buffer.write(answer.encode("utf-8", "replace") + b"\n")
        sys.stdout.buffer.flush()


def _read(file: Path, name: str, tokenizer: str) -> dict[str, Any]:
    try:
        return asdict(divided(files.read(file, name), _counting(tokenizer)))
    except EntryUnreadable as error:
        return {"refused": str(error), "hint": error.hint}
    except MemoryError:
        return {"refused": f"{name} needs more memory than one file may take.", "hint": "Split it."}
    except RecursionError:
        return {"refused": f"{name} is nested too deeply.", "hint": "Save it anew, more simply."}
    except Exception as error:  # noqa: BLE001 - whatever a library makes of a broken file is told by its name
        return {
            "refused": f"{name} is damaged ({type(error).__name__}).",
            "hint": "Save it anew, then add it.",
        }


@cache
def _counting(tokenizer: str) -> Count:
    """The embedding model's own count of tokens; an estimate where its tokenizer is not there."""
    if not tokenizer:
        return estimate
    from appliance.tokens import Tokens  # a package that only this needs

    return Tokens(Path(tokenizer)).count


if __name__ == "__main__":
    main()
