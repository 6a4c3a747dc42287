"""Where a Git repository lies: its address taken apart, checked and put together again; pure.

What is not SSH or HTTPS is refused, and so is whatever git or ssh could take for an option, a command or
another transport (`file://`, `ext::`, `-oProxyCommand=…`). Links lead to a line of a file where the host's
form is known.
"""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from appliance.errors import GitError

Scheme = Literal["ssh", "https"]
Form = Literal["", "github", "gitlab", "gitea"]
FORMS: tuple[Form, ...] = ("github", "gitlab", "gitea")

_URL = re.compile(r"(ssh|https)://(?:([^/@]*)@)?(\[[0-9A-Fa-f:.]+\]|[^/:@\[\]]+)(?::(\d{1,5}))?(/.*)")
_SHORT = re.compile(r"(?:([^/@:]+)@)?([^/:@\[\]]+):(?!/)([^:]+)")  # git@host:team/wiki.git, as scp has it
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\.?")
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
_PATH = re.compile(r"/?[A-Za-z0-9._~+@%][A-Za-z0-9._~+@%/-]{0,499}")
_BRANCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/+-]{0,199}")
FORM = "Give an address like https://host/team/wiki.git or git@host:team/wiki.git."
_KNOWN: tuple[tuple[str, Form], ...] = (
    ("github", "github"),
    ("gitlab", "gitlab"),
    ("gitea", "gitea"),
    ("forgejo", "gitea"),
    ("codeberg", "gitea"),
)


@dataclass(frozen=True, slots=True)
class Remote:
    """`port` 0: the scheme's own. `path` of a short address (git@host:path) has no slash in front: it is
    below the user's folder there."""

    scheme: Scheme
    host: str
    path: str
    user: str = ""
    port: int = 0

    @property
    def url(self) -> str:
        """The address as git takes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        user = f"{self.user}@" if self.user else ""
        if not self.path.startswith("/"):
            return f"{user}{host}:{self.path}"
        return f"{self.scheme}://{user}{host}{f':{self.port}' if self.port else ''}{self.path}"

    @property
    def reached(self) -> int:
        """The port that it is reached on."""
        return self.port or {"ssh": 22, "https": 443}[self.scheme]

    @property
    def alias(self) -> str:
        """The host as a file of known hosts names it (sshd(8))."""
        return self.host if self.reached == 22 else f"[{self.host}]:{self.reached}"

    @property
    def name(self) -> str:
        """What the repository is called, by the last part of its path."""
        return self.path.rstrip("/").rpartition("/")[2].removesuffix(".git")


def remote(text: str) -> Remote:
    """An address as people type it. Raises GitError, without any part of what may be a password."""
    text = text.strip()
    if found := _URL.fullmatch(text):
        scheme, user, host, port, path = found.groups()
        if ":" in (user or "") or (scheme == "https" and user):
            raise GitError(
                "The address holds a name or password.",
                "Leave it out; a private repository is read over SSH with this box's key.",
                "refused",
            )
    elif (found := _SHORT.fullmatch(text)) and "::" not in text and "//" not in text:
        scheme, (user, host, path), port = "ssh", found.groups(), None
    else:
        raise GitError("This is no address of a Git repository that is read here.", FORM, "refused")
    host = host.strip("[]") if host.startswith("[") else host.rstrip(".").lower()
    number = int(port or 0)
    fits = (":" in host or _HOST.fullmatch(host)) and (not user or _USER.fullmatch(user)) and number < 65536
    parts = path.split("/")
    if not fits or not _PATH.fullmatch(path) or ".." in parts or any(p.startswith("-") for p in parts):
        raise GitError("This address of a Git repository cannot be used.", FORM, "refused")
    return Remote("ssh" if scheme == "ssh" else "https", host, path, user or "", number)


def branch(text: str) -> str:
    """A branch's name; "" is the one that the repository shows first. Raises GitError."""
    text = text.strip()
    bad = ".." in text or "//" in text or text.endswith(("/", ".", ".lock")) or "/." in text
    if text and (bad or not _BRANCH.fullmatch(text)):
        raise GitError("This is no name of a branch.", "Leave it empty for the repository's own.", "refused")
    return text


def form(host: str) -> Form:
    """What the host's pages look like, as its name tells; "" when it does not."""
    return next((known for word, known in _KNOWN if word in host), "")


def page(where: Remote, looks: Form, commit: str, file: str, lines: tuple[int, int] | None = None) -> str:
    """The page of a file at its host, at its lines (from 1, both ends counted); "" where the form is not
    known."""
    if looks not in FORMS:
        return ""
    port = f":{where.port}" if where.port and where.scheme == "https" else ""
    host = f"[{where.host}]" if ":" in where.host else where.host
    base = f"https://{host}{port}/{where.path.strip('/').removesuffix('.git')}"
    first, last = lines or (0, 0)
    path = quote(file, safe="/")
    match looks:
        case "github":
            return f"{base}/blob/{commit}/{path}?plain=1" + (f"#L{first}-L{last}" if lines else "")
        case "gitlab":
            return f"{base}/-/blob/{commit}/{path}?plain=1" + (f"#L{first}-{last}" if lines else "")
    return f"{base}/src/commit/{commit}/{path}?display=source" + (f"#L{first}-L{last}" if lines else "")
