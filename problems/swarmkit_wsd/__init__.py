"""Word sense disambiguation on WordNet: the plugin `wsd`, and `disambiguate` for Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from swarmkit import hookimpl

if TYPE_CHECKING:
    from swarmkit import Problem
    from swarmkit_wsd.disambiguation import Sense, disambiguate
    from swarmkit_wsd.lexicon import Lexicon, open_lexicon
    from swarmkit_wsd.measures import Measure
    from swarmkit_wsd.problem import WordSenses

_HOME = {
    "Lexicon": "lexicon",
    "Measure": "measures",
    "Sense": "disambiguation",
    "WordSenses": "problem",
    "disambiguate": "disambiguation",
    "open_lexicon": "lexicon",
}

__all__ = ["Lexicon", "Measure", "Sense", "WordSenses", "disambiguate", "open_lexicon"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'swarmkit_wsd' has no attribute '{name}'")
    import importlib

    return getattr(importlib.import_module(f"swarmkit_wsd.{_HOME[name]}"), name)


@hookimpl
def swarmkit_problems() -> Mapping[str, type[Problem]]:
    """Offer the problem."""
    from swarmkit_wsd.problem import WordSenses

    return {"wsd": WordSenses}


@hookimpl
def swarmkit_measures() -> Mapping[str, type]:
    """Offer the measures of relatedness."""
    from swarmkit_wsd.measures import MEASURES

    return MEASURES


@hookimpl
def swarmkit_commands() -> Mapping[str, Any]:
    """Offer the commands, which are light until they are used."""
    from swarmkit_wsd.commands import data, wsd
    from swarmkit_wsd.experiment.command import experiment

    return {"data": data, "experiment": experiment, "wsd": wsd}
