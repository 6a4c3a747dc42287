"""What git and ssh say when a fetch fails -> an error that a person can act on; pure."""

import re
from collections.abc import Sequence

from appliance.errors import GitError

_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
AWAY = "The box tries again by itself."
MOVED = "If it was renamed or moved, remove this source and add it under its new address."
UNCLEAR = "Sync again; if it stays so, ask who runs its host."
KEY = "Give this box's key (shown beside the source) to the repository as a deploy key, for reading only."
_SIGNS: Sequence[tuple[str, str, str, str]] = (
    # (what stands in the message, kind, sentence, hint); the first that fits
    ("HOST IDENTIFICATION HAS CHANGED", "changed", "{host} now has another host key than before{new}.",
     "Ask who runs it whether that is so; only then trust the new key. Until then nothing is fetched."),
    ("Host key verification failed", "changed", "{host} has a host key that is not known.",
     "Ask who runs it, then trust the new key."),
    ("unable to update url base from redirection", "refused", "{host} sends the box on to another address.",
     "Give the address that it leads to; the box does not follow by itself."),
    ("The requested URL returned error: 3", "refused", "{host} sends the box on to another address.",
     "Give the address that it leads to; the box does not follow by itself."),
    ("Permission denied", "key", "{host} does not know this box's key.", KEY),
    ("could not read Username", "key", "{host} asks for a name and password.",
     "Use the address for SSH (git@host:team/wiki.git), and give it this box's key."),
    ("Authentication failed", "key", "{host} asks for a name and password.",
     "Use the address for SSH (git@host:team/wiki.git), and give it this box's key."),
    ("error: 403", "key", "{host} does not let the box read this.", KEY),
    ("couldn't find remote ref", "gone", "The repository is empty, or has no such branch.",
     "Wait for its first commit, or remove this source and add it with another branch."),
    ("Repository not found", "gone", "{host} has no such repository, or does not show it to this box.", KEY),
    ("not found", "gone", "{host} has no such repository, or does not show it to this box.", KEY),
    ("does not appear to be a git repository", "gone", "{host} has no such repository.", MOVED),
    ("project you were looking for could not be found", "gone", "{host} has no such repository.", KEY),
    ("fsck error", "broken", "An object of the repository is not as it should be.",
     "`git fsck` at its host says which; nothing of it was taken."),
    ("SSL certificate", "broken", "The certificate of {host} cannot be trusted.",
     "For a host with its own authority name the certificate file in the setting `git_certificates`."),
    ("certificate verif", "broken", "The certificate of {host} cannot be trusted.",
     "For a host with its own authority name the certificate file in the setting `git_certificates`."),
    ("certificate subject name", "broken", "The certificate of {host} is for another name.",
     "Give the name that it is for."),
    ("No space left", "large", "The disk is full.", "Delete what is not needed, then sync again."),
    ("Could not resolve", "away", "{host} is not found on this network.", AWAY),
    ("Connection timed out", "away", "{host} does not answer.", AWAY),
    ("timed out", "away", "{host} does not answer.", AWAY),
    ("Connection refused", "away", "{host} takes no connection.", AWAY),
    ("No route to host", "away", "There is no way to {host} from this network.", AWAY),
    ("Network is unreachable", "away", "There is no way to {host} from this network.", AWAY),
    ("Failed to connect", "away", "{host} takes no connection.", AWAY),
    ("Operation too slow", "away", "The connection to {host} has come to a standstill.", AWAY),
    ("Connection closed by", "away", "{host} closed the connection.", AWAY),
    ("Connection reset", "away", "{host} closed the connection.", AWAY),
    ("early EOF", "away", "{host} closed the connection.", AWAY),
    ("hung up unexpectedly", "away", "{host} closed the connection.", AWAY),
)  # fmt: skip


def told(message: str, host: str) -> GitError:
    """The error that a message of git (LC_ALL=C) means."""
    for sign, kind, sentence, hint in _SIGNS:
        if sign in message:
            found = _FINGERPRINT.search(message)
            new = f" ({found.group()})" if found else ""
            return GitError(sentence.format(host=host, new=new), hint, kind)
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    said = next((line for line in lines if line.startswith(("fatal:", "error:"))), "".join(lines[-1:]))
    plain = "".join(letter if letter.isprintable() else " " for letter in said)[:200]
    return GitError(f"git could not read the repository: {plain or 'it gave no reason'}.", UNCLEAR)
