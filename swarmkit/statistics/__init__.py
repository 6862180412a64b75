"""Non-parametric statistics of comparisons: tests, effect sizes, intervals, anytime performance.

    from swarmkit.statistics import analyse
    print(analyse(records).words)

Every result has numbers and a sentence.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
