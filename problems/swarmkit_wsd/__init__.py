"""Word sense disambiguation on WordNet: the plugin `wsd`, and `disambiguate` for Python.

The public names are listed in the stub beside this file and imported when first used.
"""

import lazy_loader

from swarmkit import hookimpl
from swarmkit_wsd import hookspecs


@hookimpl
def swarmkit_hookspecs() -> object:
    """Specify the hooks for measures, experts and annotators."""
    return hookspecs


@hookimpl
def swarmkit_problems() -> dict[str, str]:
    """Offer the problems."""
    return {"wsd": "swarmkit_wsd.problem:WordSenses", "wsd-redundancy": "swarmkit_wsd.redundancy:Redundancy"}


@hookimpl
def swarmkit_measures() -> dict[str, str]:
    """Offer the measures of relatedness."""
    return {
        "extended-lesk": "swarmkit_wsd.measures:ExtendedLesk",
        "gloss-cosine": "swarmkit_wsd.measures:GlossCosine",
        "lesk": "swarmkit_wsd.measures:Lesk",
        "lin": "swarmkit_wsd.measures:Lin",
        "lin-lesk": "swarmkit_wsd.measures:LinLesk",
        "ppr": "swarmkit_wsd.measures:PageRank",
        "weighted-mean": "swarmkit_wsd.measures:WeightedMean",
    }


@hookimpl
def swarmkit_experts() -> dict[str, str]:
    """Offer the person in the terminal as an expert."""
    return {"interactive": "swarmkit_wsd.experts.interactive:PERSON"}


@hookimpl
def swarmkit_annotators() -> dict[str, str]:
    """Offer the senses of a text with their explanation, for the studio."""
    return {"wsd": "swarmkit_wsd.annotator:annotate"}


@hookimpl
def swarmkit_commands() -> dict[str, str]:
    """Offer the commands.

    They are named here, not in a plugin of their own, so that `SWARMKIT_PLUGINS=wsd` is still all of word senses.
    """
    return {
        "data": "swarmkit_wsd_services.commands.data:data",
        "experiment wsd-best": "swarmkit_wsd_services.commands.experiment:wsd_best",
        "wsd": "swarmkit_wsd_services.commands.wsd:wsd",
    }


# Without the lazy `__dir__`: pluggy reads every attribute that `dir` lists, which would import all of them.
__getattr__, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
