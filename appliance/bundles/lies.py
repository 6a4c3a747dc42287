"""Every way in which a bundle can be other than it says, as an error of its own that names the file.

`file` is the path within the bundle, as in SHA256SUMS, or "" where the whole bundle is meant.
"""

from appliance.errors import BundleError


class Lie(BundleError):
    """Root of what `verify` finds. Nothing of a bundle with a lie is served."""

    def __init__(self, file: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint or HINT)
        self.file = file


HINT = "Nothing of this bundle is used. Make the stick again, or get the bundle again."


class NotABundle(Lie):
    """There is no bundle.toml, or it or SHA256SUMS does not read as what it should be."""


class NewerFormat(Lie):
    """The bundle is of a format that this version does not know."""


class Missing(Lie):
    """A file that the bundle lists is not there."""


class Extra(Lie):
    """A file is there that the bundle does not list."""


class TooBig(Lie):
    """A file has more bytes than the bundle says."""


class TooSmall(Lie):
    """A file has fewer bytes than the bundle says: a copy that broke off."""


class Changed(Lie):
    """A file has the right size and other content."""


class Escapes(Lie):
    """A name leads out of the bundle, or is one that not every disk can hold."""


class NotAFile(Lie):
    """A link, a device, a pipe or a socket where a file should be."""


class WrongIndex(Lie):
    """An index was made from another archive than the one beside it."""


class BadSignature(Lie):
    """bundle.sig does not fit SHA256SUMS, or cannot be read."""


class NotTrusted(Lie):
    """The signature is whole, but of a key that this box does not trust."""


class Unsigned(NotTrusted):
    """There is no signature."""


class Unreadable(Lie):
    """A file is there and cannot be read: the stick was pulled out, or the disk is failing."""
