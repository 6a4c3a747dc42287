"""What is known of people, as frozen records. Times are seconds since 1970 by the box's clock."""

from dataclasses import dataclass, field
from typing import Literal, get_args

Role = Literal["reader", "editor", "admin"]
"""What someone may do. A reader sees what only known people see; an editor looks after sources and documents
of the common area; an admin after everything. Each may do what those before may."""

ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who may sign in. `role` may be less than their own, where a program acts for them. `lock` is
    that of the passphrase that they gave just now: what follows holds while it has not been changed."""

    id: int
    name: str
    role: Role
    lock: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which someone has signed in; `label` is what it calls itself, without its address."""

    id: int
    person: int
    label: str
    made: int
    seen: int


@dataclass(frozen=True, slots=True)
class Program:
    """A program that acts for someone with a token of its own, with at most `role`."""

    id: int
    person: int
    name: str
    role: Role
    made: int
    seen: int


def role_of(text: object) -> Role:
    """As a row has it. Raises ValueError for what is none."""
    for role in ROLES:
        if role == text:
            return role
    raise ValueError(f"there is no role {text!r}")


def reaches(role: Role, needed: Role) -> bool:
    """Whether a role may do what another may."""
    return ROLES.index(role) >= ROLES.index(needed)
