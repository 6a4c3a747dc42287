"""Sizes first: the parts of the image are added up before anything is fetched. Pure."""

from collections.abc import Mapping

from appliance.errors import SetupError

MB, GB = 10**6, 10**9
MIB = 1 << 20
BOOT = 512 * MIB  # a kernel, its initramfs and the firmware take a fifth; an owner may add a second kernel
DATA = 64 * MIB  # grown on the first start to all that the card has left
START = 4 * MIB  # before the first partition: what cards are erased in
SMALLER = 0.97  # a card may have 3 % less than its label says


def file_system(content: int, files: int) -> int:
    """Bytes of an ext4 that holds `content` bytes in `files` files: a block is half empty on average, an
    inode takes 256 bytes; 3 % and 16 MiB for the tables. A multiple of 4 MiB."""
    needed = content + files * (2048 + 256)
    return aligned(int(needed * 1.03) + 16 * MIB)


def aligned(size: int) -> int:
    return -(-size // START) * START


def require_card(parts: Mapping[str, int], card: int) -> int:
    """The image's size in bytes for `parts` (bytes by name), whose partitions' own space is added. Raises
    SetupError, with the parts, when a card of `card` * 10^9 bytes by its label may be too small."""
    image = START + BOOT + DATA + file_system(sum(parts.values()), sum(parts.values()) // 20_000)
    room = int(card * GB * SMALLER)
    if image > room:
        listed = ", ".join(f"{name} {size / MB:,.0f} MB" for name, size in sorted(parts.items()))
        raise SetupError(
            f"The image would take {image / MB:,.0f} MB: {listed}. "
            f"A card sold as {card} GB may have no more than {room / MB:,.0f} MB.",
            "Leave something out (--model none, fewer bundles), or give a larger card: --card 32.",
        )
    return image
