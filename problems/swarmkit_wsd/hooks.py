"""The hooks that the plugin implements. Each imports what it offers when it is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from swarmkit import hookimpl

if TYPE_CHECKING:
    from swarmkit import Problem


@hookimpl
def swarmkit_hookspecs() -> object:
    """Specify the hooks for measures, experts and annotators."""
    import swarmkit_wsd.hookspecs

    return swarmkit_wsd.hookspecs


@hookimpl
def swarmkit_problems() -> Mapping[str, type[Problem]]:
    """Offer the problems."""
    from swarmkit_wsd.problem import WordSenses
    from swarmkit_wsd.redundancy import Redundancy

    return {"wsd": WordSenses, "wsd-redundancy": Redundancy}


@hookimpl
def swarmkit_measures() -> Mapping[str, type]:
    """Offer the measures of relatedness."""
    from swarmkit_wsd.measures import MEASURES

    return MEASURES


@hookimpl
def swarmkit_experts() -> Mapping[str, Callable[[Any], Any]]:
    """Offer the person in the terminal as an expert."""
    from swarmkit_wsd.experts.interactive import Person

    return {"interactive": Person()}


@hookimpl
def swarmkit_annotators() -> Mapping[str, Any]:
    """Offer the senses of a text with their explanation, for the studio."""
    from swarmkit_wsd.annotator import annotate

    return {"wsd": annotate}


@hookimpl
def swarmkit_commands() -> Mapping[str, Any]:
    """Offer the commands."""
    from swarmkit_wsd.commands.data import data
    from swarmkit_wsd.commands.wsd import wsd
    from swarmkit_wsd.evaluation.command import wsd_best

    return {"data": data, "experiment wsd-best": wsd_best, "wsd": wsd}
