"""The arena: a solver in a file is checked for the rules of a fair comparison, then compared with the bundled solvers.

The public names are listed in the stub beside this file and imported when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
