"""One tree of errors. Each message names the thing, what was found and what was expected;
`hint` is the next step, for a person."""

from pathlib import Path


class LamplightError(Exception):
    """Root of all errors that a person can act on."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class SettingsError(LamplightError):
    """A setting has a value that cannot be used."""


class ArchiveError(LamplightError):
    """A ZIM archive cannot be opened or read."""


class EntryMissing(LamplightError):
    """An archive has no such entry, or only a chain of redirects that ends nowhere."""


class EntryUnreadable(LamplightError):
    """One entry of an archive cannot be turned into text; the others can."""


class IndexFileError(LamplightError):
    """An index file cannot be used: damaged, of another version, of another model or archive. `open_file` is
    that of an index which failed while it was open."""

    def __init__(self, message: str, hint: str = "", open_file: Path | None = None) -> None:
        super().__init__(message, hint)
        self.open_file = open_file


class IndexingError(LamplightError):
    """An index cannot be made: a worker died, the disk is full, the finished file is not right."""


class VectorError(LamplightError):
    """A vector is zero, not finite, or of the wrong shape or type."""


class ModelFileError(LamplightError):
    """A model's file is missing, cannot be fetched, or is not the one the catalogue names."""


class ServiceDown(LamplightError):
    """A process of ours (embedder, llama) does not answer."""


class QueueFull(LamplightError):
    """Too many questions wait for the language model."""


class PromptTooLong(LamplightError):
    """What the language model should read does not fit into its context."""


class DecodingError(LamplightError):
    """The language model cannot go on with an answer."""


class SetupError(LamplightError):
    """The box cannot start: no disk space, a port that is taken, a program that is missing."""


class BundleError(LamplightError):
    """A bundle, or what one is made from (definition, lock, archive), cannot be used."""


class DeviceError(LamplightError):
    """The box itself cannot do what is asked: its card, its clock, its radio, its helper."""


class LabelError(LamplightError):
    """A label cannot be made: something is not known, or cannot be printed."""


class DocumentError(LamplightError):
    """An own document, or the archive of them, cannot be read, kept or found."""


class DocumentTooLarge(DocumentError):
    """A file is larger than own documents may be."""


class BackupError(LamplightError):
    """A backup of the whole box cannot be made, read or put in place."""


class PeopleError(LamplightError):
    """Someone who looks after the box cannot be added, changed or let in so."""


class ConversationMissing(LamplightError):
    """There is no such conversation, or it is another reader's."""


class TurnConflict(LamplightError):
    """A turn of a conversation cannot be taken: its id is another's, one is being answered, it is full."""


class ScopeError(LamplightError):
    """Where a question shall be asked is not there, or not written as it should be."""


class BoxError(LamplightError):
    """A box that is asked over the network says no, is not there, or is none. `field` is the part of what was
    sent that it says no to, "" where it names none."""

    def __init__(self, message: str, hint: str = "", field: str = "") -> None:
        super().__init__(message, hint)
        self.field = field


class GitError(LamplightError):
    """A Git repository cannot be read. `kind` says why: `away` (no way to its host just now), `key` (our key
    is not known there), `changed` (the host has another key than before), `gone` (no such repository or
    branch), `refused` (an address that is not opened), `large`, `slow`, `stopped` (by us) or `broken`."""

    def __init__(self, message: str, hint: str = "", kind: str = "broken") -> None:
        super().__init__(message, hint)
        self.kind = kind
