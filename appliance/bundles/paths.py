"""Which names a bundle's files can have. Pure."""

_RESERVED = frozenset('<>:"|?*\\')  # in names on FAT, exFAT and NTFS


def safe_path(path: str) -> bool:
    """Whether a path stays below a bundle's folder and can be a file on FAT, exFAT, NTFS and ext4: relative,
    no `.` or `..` and nothing that starts with a dot, no reserved or unprintable character."""
    parts = path.split("/")
    return len(path) <= 1000 and all(
        part.isprintable()
        and 0 < len(part.encode("utf-8", "replace")) <= 255
        and not part.startswith((".", " "))
        and not part.endswith((".", " "))
        and not _RESERVED & set(part)
        for part in parts
    )
