"""The old name of `swarmkit_wsd_services.spacy_component`, which stands in its place when it is imported."""

import sys
import warnings
from importlib import import_module

warnings.warn(
    "swarmkit_wsd.spacy_component is now swarmkit_wsd_services.spacy_component; expected an import of the new name",
    DeprecationWarning,
    stacklevel=2,
)
# By its name, because nothing here imports the packages above it.
sys.modules[__name__] = import_module("swarmkit_wsd_services.spacy_component")
