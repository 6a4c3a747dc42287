"""All settings in one table; the command line, the environment, a settings file and the docs come from it.

A value is taken from the first of: the command line, the environment (`LAMPLIGHT_PORT`), the settings file
(TOML, the key as in the table), what the admin's desk has chosen (`chosen`), the default. `environment` gives
them back as variables, so that the processes that `appliance run` starts see what it saw; `free` names those
among them that nobody but the desk has said, so that a later choice is seen by a process that starts later.
Leaves the use of the values to others.
"""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from appliance import chosen, setting
from appliance.chosen import Chosen
from appliance.setting import Setting
from appliance.settings_git import GIT, Reach

# How sure the gate must be before a question is answered; models/gate.toml has both error rates of each.
Strictness = Literal["strict", "balanced", "open"]
OURS = "lamplight"  # the reader that comes with the program


def default_home() -> Path:
    """Where models, archives and indexes lie on a desktop unless LAMPLIGHT_HOME says otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(base) / "lamplight"


def default_runtime(home: Path) -> Path:
    """`home/run`; where that is too long for a socket's path, a short folder of this user and home."""
    folder = home / "run"
    if len(os.fsencode(folder / "embedder.sock")) <= SOCKET_PATH_BYTES:
        return folder
    base = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    return Path(base) / f"lamplight-{os.getuid()}-{hashlib.sha256(os.fsencode(home)).hexdigest()[:8]}"


# The box's number on its own hotspot. Of a range for documentation (TEST-NET-2, RFC 5737), which nobody else
# has: with a private one some Androids never open the sheet of a captive portal.
VISITORS_ADDRESS = "198.51.100.1"
# A unix socket's path has 108 bytes with the NUL at its end (unix(7)).
SOCKET_PATH_BYTES = 107

TABLE: tuple[Setting, ...] = (
    Setting("home", Path, None, "Folder of models, archives, indexes and sockets."),
    Setting("library", Path, None, "Folder of the archives and their indexes; by default home/library."),
    Setting("archive", tuple, (), "Archive (.zim) to serve instead of the library; may be repeated."),
    Setting("store", Path, None, "Folder of the installed bundles; by default home/installed."),
    Setting(
        "sticks", str, "", "Folder in which sticks are mounted, each in its own; empty: none are noticed."
    ),
    Setting(
        "trusted_keys", Path, None, "Public keys whose bundles are trusted; by default home/trusted-keys.txt."
    ),
    Setting(
        "admin_code",
        str,
        "",
        "File with the code that makes an admin, once; by default home/people/first-use-code.",
    ),
    Setting("runtime", Path, None, "Private folder of sockets and logs; by default home/run."),
    Setting("reader", str, "", "Address of kiwix-serve, set by `run`; empty: reading in Kiwix is off."),
    Setting("host", str, "127.0.0.1", "Address that the pages listen on."),
    Setting("port", int, 8080, "Port of the pages.", low=1, high=65535),
    Setting(
        "profile",
        str,
        "desktop",
        "What the machine can carry: how much evidence the model reads and how long it writes.",
        choices=("desktop", "pi5", "pi4"),
    ),
    Setting(
        "gate",
        str,
        "balanced",
        "How sure the box must be before it answers: strict refuses more, open answers more and errs more.",
        choices=get_args(Strictness),
        desk="now",
    ),
    Setting(
        "reranker",
        str,
        OURS,
        "What reads the candidates: ours, or a cross-encoder of the catalogue (fit the gate for it first).",
        choices=(OURS, "ms-marco-minilm"),
    ),
    Setting(
        "model",
        str,
        "",
        "Language model by its name in the catalogue; empty, or when it is not here: the profile's best.",
        desk="box",
    ),
    Setting(
        "bundle_model",
        bool,
        True,
        "Load the language model that came with the bundle in use, where this machine carries it and none is "
        "named.",
    ),
    Setting("search_only", bool, False, "Leave the language model out; questions get passages.", desk="box"),
    Setting("threads", int, 0, "Threads for embedding and the model; 0: as many as cores.", low=0, high=64),
    Setting("results", int, 8, "Passages on an answer page.", low=1, high=50),
    Setting(
        "at_once",
        int,
        0,
        "Questions that the model answers at once; 0: as many as the machine of the profile carries.",
        low=0,
        high=16,
    ),
    Setting("queue", int, 40, "Questions that may wait for the model at once.", low=1, high=1000),
    Setting(
        "portal",
        str,
        "",
        "Name of the box on its own hotspot, as lamplight.home.arpa: all other names lead there, and phones "
        "get a welcome page. Empty: none of that.",
    ),
    Setting("leases", str, "", "Folder of dnsmasq's lease files: who has a new lease is welcomed anew."),
    Setting(
        "language",
        str,
        "en",
        "Language of the welcome page for a phone that asks for none it has, and of the label.",
        choices=("en", "fr", "es", "ar", "hi"),
        desk="pages",
    ),
    Setting("kiosk", bool, False, "The box has a screen of its own, which anybody may use.", desk="box"),
    Setting(
        "context",
        int,
        2048,
        "Context of the language model, for each answer.",
        unit="tokens",
        low=512,
        high=32768,
    ),
    Setting(
        "conversations",
        int,
        36500,  # a box without a clock of its own may take today for another year
        "How long a conversation is kept after its last question, by the box's clock; 0: none is kept.",
        unit="days",
        low=0,
        high=36500,
        desk="pages",
    ),
    Setting(
        "documents",
        str,
        "here",
        "Who may see and ask this box's own documents: who sits at this machine or has signed in; "
        "everyone on its network; nobody.",
        choices=("here", "everyone", "nobody"),
        desk="now",
    ),
    Setting(
        "document_text",
        int,
        5,
        "Largest text file (.txt, .md, .html) of own documents.",
        unit="MiB",
        low=1,
        high=50,
    ),
    Setting(
        "document_file",
        int,
        100,
        "Largest other file (.pdf, .docx, .odt, .epub) of own documents.",
        unit="MiB",
        low=1,
        high=1000,
    ),
    Setting(
        "usage",
        bool,
        True,
        "Count questions, refusals, slow answers and opened articles by the day; no: delete the counts.",
        desk="now",
    ),
    *GIT,
    Setting("device", str, "", "Folder of what the card's own units found, set on the card."),
    Setting("free", str, "", "Settings that the desk may choose, set by `run`: their names, commas between."),
)
CHOICES = tuple(row for row in TABLE if row.desk)
FREE = TABLE[-1].variable


@dataclass(frozen=True, slots=True)
class Settings:
    """The values; one attribute for each row of the table."""

    home: Path
    library: Path
    archive: tuple[Path, ...]
    store: Path
    sticks: str
    trusted_keys: Path
    admin_code: str
    runtime: Path
    reader: str
    host: str
    port: int
    profile: str
    gate: Strictness
    reranker: str
    model: str
    bundle_model: bool
    search_only: bool
    threads: int
    results: int
    at_once: int
    queue: int
    portal: str
    leases: str
    language: str
    kiosk: bool
    context: int
    conversations: int
    documents: str
    document_text: int
    document_file: int
    usage: bool
    git_minutes: int
    git_reach: Reach
    git_certificates: str
    git_size: int
    device: str
    free: str

    @property
    def places(self) -> tuple[Path, ...]:
        """Where archives are looked for: those named one by one, or else the library folder."""
        return self.archive or (self.library,)

    def is_free(self, name: str) -> bool:
        """Whether a choice of the desk counts: nobody has said otherwise where the box was started."""
        return name in chosen.free(self.free)


def load(
    given: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Settings:
    """Puts the values together. Raises SettingsError for an unknown key or a value that cannot be used."""
    given = {name: value for name, value in (given or {}).items() if value is not None}
    environment = os.environ if environment is None else environment
    from_file = setting.read_file(file, TABLE) if file else {}
    values: dict[str, Any] = {row.name: row.said(given, environment, from_file, file) for row in TABLE}
    values["home"] = values["home"] or default_home()
    values["library"] = values["library"] or values["home"] / "library"
    values["store"] = values["store"] or values["home"] / "installed"
    values["trusted_keys"] = values["trusted_keys"] or values["home"] / "trusted-keys.txt"
    values["runtime"] = values["runtime"] or default_runtime(values["home"])
    if FREE in environment or "free" in given:
        free = chosen.free(str(values["free"]))
    else:
        said = {*given, *from_file, *(row.name for row in TABLE if row.variable in environment)}
        free = {row.name for row in CHOICES} - said
    # What the card's units must know at their start was decided there (`device.apply`).
    open_to = free - {row.name for row in CHOICES if row.desk == "box" and values["device"]}
    picked = {name: value for name, value in choices(values["home"]).values.items() if name in open_to}
    values["free"] = chosen.told(free, picked)
    return Settings(**values | picked)


def again(settings: Settings) -> Settings:
    """The same with what the desk has chosen by now."""
    return load(None, environment(settings))


def choices(home: Path) -> Chosen:
    """What the desk has chosen, whether it counts or not."""
    return chosen.read(home, CHOICES)


def environment(settings: Settings) -> dict[str, str]:
    """The settings as environment variables; `load` makes the same settings from them. What the desk chose
    is not among them: it is read from its file again, and may have been taken back meanwhile."""
    picked = chosen.picked(settings.free)
    values = {row: row.default if row.name in picked else getattr(settings, row.name) for row in TABLE}
    return {row.variable: written(value) for row, value in values.items()}


def written(value: object) -> str:
    """A value as text that the table reads back; several paths stand on a line each."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "\n".join(str(part) for part in value)
    return str(value)
