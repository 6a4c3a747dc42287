"""All settings in one table; the command line, the environment, a settings file and the docs come from it.

A value is taken from the first of: the command line, the environment (`LAMPLIGHT_PORT`), the settings file
(TOML, the key as in the table), the default. `environment` gives them back as variables, so that the
processes that `appliance run` starts see what it saw. Leaves the use of the values to others.
"""

import hashlib
import os
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from appliance.errors import SettingsError
from appliance.setting import Setting

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
        "changes",
        str,
        "here",
        "Who may change the library from the pages: who sits at this machine; also who gives the admin's "
        "code; nobody.",
        choices=("here", "code", "nobody"),
    ),
    Setting("admin_code", str, "", "File with the admin's code, for changes from elsewhere."),
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
    ),
    Setting(
        "bundle_model",
        bool,
        True,
        "Load the language model that came with the bundle in use, where this machine carries it and none is "
        "named.",
    ),
    Setting("search_only", bool, False, "Leave the language model out; questions get passages."),
    Setting("threads", int, 0, "Threads for embedding and the model; 0: as many as cores.", low=0, high=64),
    Setting("results", int, 8, "Passages on an answer page.", low=1, high=50),
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
    ),
    Setting("kiosk", bool, False, "The box has a screen of its own, which anybody may use."),
    Setting("context", int, 2048, "Context of the language model.", unit="tokens", low=512, high=32768),
    Setting(
        "conversations",
        int,
        36500,  # a box without a clock of its own may take today for another year
        "How long a conversation is kept after its last question, by the box's clock; 0: none is kept.",
        unit="days",
        low=0,
        high=36500,
    ),
    Setting(
        "documents",
        str,
        "here",
        "Who may see and ask this box's own documents: who sits at this machine; everyone on its network; "
        "nobody.",
        choices=("here", "everyone", "nobody"),
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
    Setting("device", str, "", "Folder of what the card's own units found, set on the card."),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The values; one attribute for each row of the table."""

    home: Path
    library: Path
    archive: tuple[Path, ...]
    store: Path
    sticks: str
    trusted_keys: Path
    changes: str
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
    device: str

    @property
    def places(self) -> tuple[Path, ...]:
        """Where archives are looked for: those named one by one, or else the library folder."""
        return self.archive or (self.library,)


def load(
    given: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Settings:
    """Puts the values together. Raises SettingsError for an unknown key or a value that cannot be used."""
    given = {name: value for name, value in (given or {}).items() if value is not None}
    environment = os.environ if environment is None else environment
    from_file = _read(file) if file else {}
    values: dict[str, Any] = {}
    for row in TABLE:
        if row.name in given:
            values[row.name] = row.checked(given[row.name], row.flag)
        elif row.variable in environment:
            values[row.name] = row.checked(environment[row.variable], row.variable)
        elif row.name in from_file:
            values[row.name] = row.checked(from_file[row.name], f"{row.name} in {file}")
        else:
            values[row.name] = row.default
    values["home"] = values["home"] or default_home()
    values["library"] = values["library"] or values["home"] / "library"
    values["store"] = values["store"] or values["home"] / "installed"
    values["trusted_keys"] = values["trusted_keys"] or values["home"] / "trusted-keys.txt"
    values["runtime"] = values["runtime"] or default_runtime(values["home"])
    return Settings(**values)


def environment(settings: Settings) -> dict[str, str]:
    """The settings as environment variables; `load` makes the same settings from them."""
    return {row.variable: written(getattr(settings, row.name)) for row in TABLE}


def written(value: object) -> str:
    """A value as text that the table reads back; several paths stand on a line each."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "\n".join(str(part) for part in value)
    return str(value)


def _read(file: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The settings file {file} cannot be read: {error}.") from error
    unknown = sorted(set(found) - {row.name for row in TABLE})
    if unknown:
        raise SettingsError(
            f"The settings file {file} has unknown keys: {', '.join(unknown)}.",
            f"Known keys: {', '.join(row.name for row in TABLE)}.",
        )
    return found
