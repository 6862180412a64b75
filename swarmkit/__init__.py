"""swarmkit: combinatorial problems solved by swarms and related metaheuristics.

    import swarmkit
    result = swarmkit.solve("synthetic", "icm", seed=1)

Everything users may import is listed in the stub beside this file. It is loaded when first asked for, so that a plugin
that only says what it offers, or `swarmkit --help`, does not wait for numpy.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
