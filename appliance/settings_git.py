"""The rows of the table of settings that are about Git repositories as sources."""

from typing import Literal, get_args

from appliance.setting import Setting

Reach = Literal["internet", "network", "all"]

GIT = (
    Setting(
        "git_minutes",
        int,
        60,
        "How long after one sync of a Git source the next one begins; 0: only when it is asked for.",
        unit="minutes",
        low=0,
        high=100_000,
    ),
    Setting(
        "git_reach",
        str,
        "network",
        "Where Git sources may lie: only in the internet; also in the networks around the box; anywhere, "
        "also on this machine.",
        choices=get_args(Reach),
    ),
    Setting(
        "git_certificates",
        str,
        "",
        "File of certificates (PEM) that hosts of Git sources are checked against; empty: the system's.",
    ),
    Setting("git_size", int, 500, "Largest Git source on the disk.", unit="MiB", low=1, high=100_000),
)
