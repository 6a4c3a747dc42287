"""The one door to `ssh-keygen`, and how git calls `ssh`: deploy keys made here, and the keys of hosts.

Each repository has a key of its own (Ed25519), whose private half never leaves the box. A host's key is kept
when it is first met, in one file for all repositories; another one later ends the fetch.
"""

import base64
import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import GitError
from appliance.sources.remotes import Remote

CONNECT = 20  # seconds
PATIENCE = 30.0  # seconds for ssh-keygen
NOT_HERE = "Install it (apt install openssh-client), then try again."


@dataclass(frozen=True, slots=True)
class Keys:
    """Deploy keys and known hosts in `folder`, which its owner alone can read."""

    folder: Path

    @property
    def known_hosts(self) -> Path:
        return self.folder / "known_hosts"

    def private(self, name: str) -> Path:
        return self.folder / f"{name}.key"

    def _public(self, name: str) -> Path:
        return self.folder / f"{name}.key.pub"

    def make(self, name: str) -> str:
        """The public key of a repository, made when there is none. Raises GitError."""
        private = self.private(name)
        if not private.exists():
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            aside = private.with_name(f".{name}.new")
            for left in (aside, aside.with_name(aside.name + ".pub")):
                left.unlink(missing_ok=True)
            _keygen("-q", "-t", "ed25519", "-N", "", "-C", f"lamplight-{name}", "-f", str(aside))
            os.chmod(aside, 0o600)
            aside.with_name(aside.name + ".pub").replace(self._public(name))
            aside.replace(private)
        return self.public(name)

    def public(self, name: str) -> str:
        """The line to be given to the host; "" where there is none."""
        try:
            return self._public(name).read_text("utf-8").strip()
        except FileNotFoundError:
            return ""

    def remove(self, name: str) -> None:
        for file in (self.private(name), self._public(name)):
            file.unlink(missing_ok=True)

    def hosts(self, remote: Remote) -> list[str]:
        """Fingerprints of the keys that are kept of a host, as `ED25519 SHA256:…`."""
        if remote.scheme != "ssh" or not self.known_hosts.exists():
            return []
        lines = [
            line
            for line in self.known_hosts.read_text("utf-8", "replace").splitlines()
            if line.split(" ", 1)[0] == remote.alias and len(line.split()) > 2
        ]
        return [_fingerprint(line) for line in lines]

    def forget(self, remote: Remote) -> None:
        """Drops what is kept of a host: the next fetch keeps the key that it then meets."""
        if not self.known_hosts.exists():
            return
        lines = self.known_hosts.read_text("utf-8", "replace").splitlines(keepends=True)
        kept = [line for line in lines if line.split(" ", 1)[0] != remote.alias]
        aside = self.known_hosts.with_name("known_hosts.new")
        with aside.open("w", encoding="utf-8") as file:
            file.writelines(kept)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(self.known_hosts)

    def ssh(self, name: str, remote: Remote, address: str) -> list[str]:
        """The command that git calls: to this address alone, with this key alone, asking nobody."""
        options = {
            "BatchMode": "yes",
            "StrictHostKeyChecking": "accept-new",
            "UserKnownHostsFile": _quoted(self.known_hosts),
            "GlobalKnownHostsFile": "/dev/null",
            "HostKeyAlias": remote.alias,
            "HostName": address,
            "CheckHostIP": "no",
            "UpdateHostKeys": "no",
            "HashKnownHosts": "no",
            "VerifyHostKeyDNS": "no",
            "IdentitiesOnly": "yes",
            "IdentityFile": _quoted(self.private(name)),
            "IdentityAgent": "none",
            "PreferredAuthentications": "publickey",
            "ForwardAgent": "no",
            "ForwardX11": "no",
            "ClearAllForwardings": "yes",
            "PermitLocalCommand": "no",
            "ControlMaster": "no",
            "ControlPath": "none",
            "ProxyCommand": "none",
            "RequestTTY": "no",
            "ConnectTimeout": str(CONNECT),
            "ConnectionAttempts": "1",
            "ServerAliveInterval": "15",
            "ServerAliveCountMax": "2",
        }
        return ["ssh", "-F", "none", *(f"-o{key}={value}" for key, value in options.items())]


def _quoted(path: Path) -> str:
    """A path as ssh_config(5) reads one: in quotes, its percent signs doubled."""
    return '"' + str(path).replace("%", "%%") + '"'


def _fingerprint(line: str) -> str:
    """Of a line of known hosts (sshd(8)): the key's kind and hash, as ssh-keygen tells them."""
    _, kind, key = line.split()[:3]
    digest = base64.b64encode(hashlib.sha256(base64.b64decode(key)).digest()).decode().rstrip("=")
    return f"{kind.removeprefix('ssh-').upper()} SHA256:{digest}"


def _keygen(*words: str) -> None:
    try:
        done = subprocess.run(
            ["ssh-keygen", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env={"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "HOME": "/nonexistent"},
            check=False,
        )
    except FileNotFoundError as error:
        raise GitError("ssh-keygen is not installed here.", NOT_HERE) from error
    except subprocess.TimeoutExpired as error:
        raise GitError("ssh-keygen gives no answer.", "Try again.") from error
    if done.returncode:
        raise GitError(f"ssh-keygen: {done.stderr.strip()[:200]}.", "See the disk's space, then try again.")
