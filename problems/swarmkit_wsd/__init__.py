"""Word sense disambiguation on WordNet: the plugin `wsd`, and `disambiguate` for Python.

The public names are listed in the stub beside this file and imported when first used; the hooks import nothing heavy.
"""

import lazy_loader

from swarmkit_wsd.hooks import (
    swarmkit_annotators as swarmkit_annotators,
)
from swarmkit_wsd.hooks import (
    swarmkit_commands as swarmkit_commands,
)
from swarmkit_wsd.hooks import (
    swarmkit_experts as swarmkit_experts,
)
from swarmkit_wsd.hooks import (
    swarmkit_hookspecs as swarmkit_hookspecs,
)
from swarmkit_wsd.hooks import (
    swarmkit_measures as swarmkit_measures,
)
from swarmkit_wsd.hooks import (
    swarmkit_problems as swarmkit_problems,
)

# Without the lazy `__dir__`: pluggy reads every attribute that `dir` lists, which would import all of them.
__getattr__, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
