"""swarmkit: combinatorial problems solved by swarms and related metaheuristics.

    import swarmkit
    result = swarmkit.solve("synthetic", "icm", seed=1)

Everything users may import is listed in the stub beside this file. It is loaded when first asked for, so that a plugin
that only says what it offers, or `swarmkit --help`, does not wait for numpy.
"""

from typing import Any

import lazy_loader

_load, __dir__, _names = lazy_loader.attach_stub(__name__, __file__)

_DEPRECATED = ("Left", "WHOLE_STEP")
"""Names of version 0.2: `contract/deprecated.py` says what to do."""

_RENAMED = {"Found": "StepResult"}
"""Old spellings of public names, each with the new one."""

__all__ = [name for name in _names if name not in _DEPRECATED]


def __getattr__(name: str) -> Any:
    """Return a public name; one that is deprecated with a warning."""
    if name in _DEPRECATED or name in _RENAMED:
        from swarmkit.contract.deprecated import warn_of_name

        warn_of_name(name, _RENAMED.get(name))
    return _load(_RENAMED.get(name, name))
