"""Many cases as one test: a case that takes less time than a test's own beginning and end."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence

import pytest


def every(
    names: str | Sequence[str], cases: Iterable, ids: Callable[..., object] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """In place of `pytest.mark.parametrize` for quick cases that share whatever fixtures give: each is tried,
    also after one that fails; all that fail, or would skip, are named with what was wrong. May be stacked.
    A case is named by the function `ids`, by `pytest.param`, or by its values."""
    parameters = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    named = [_named(case, len(parameters)) for case in cases]
    assert named, f"no case of {names}"

    def over_all(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(**others: object) -> None:
            __tracebackhide__ = True
            failed = []
            for given, values in named:
                try:
                    test(**others, **dict(zip(parameters, values, strict=True)))
                except (Exception, pytest.fail.Exception, pytest.skip.Exception):  # noqa: BLE001
                    wrong = pytest.ExceptionInfo.from_current().getrepr(style="short")
                    name = given or ", ".join(str(ids(one)) if ids else repr(one) for one in values)
                    failed.append(f"[{name[:200]}]\n{wrong}")
            if failed:
                told = "\n\n".join(failed)
                pytest.fail(f"{len(failed)} of {len(named)} cases:\n\n{told}", pytrace=False)

        signature = inspect.signature(test)
        left = [one for one in signature.parameters.values() if one.name not in parameters]
        assert len(left) + len(parameters) == len(signature.parameters), f"{test.__name__} has no {names}"
        run.__signature__ = signature.replace(parameters=left)  # the rest are fixtures
        return run

    return over_all


def _named(case: object, parameters: int) -> tuple[str | None, Sequence]:
    """A case's name, if it was given one, and its values."""
    given = None
    if hasattr(case, "values") and hasattr(case, "marks"):  # pytest.param
        assert not case.marks, "a marked case is a test of its own"
        values, given = case.values, case.id
    else:
        values = (case,) if parameters == 1 else tuple(case)
    assert len(values) == parameters, f"{len(values)} values for {parameters} parameters: {values!r}"
    return given, values
