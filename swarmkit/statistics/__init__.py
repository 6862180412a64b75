"""Statistics of comparisons, non-parametric: tests, effect sizes, intervals, anytime performance.

    from swarmkit.statistics import analyse
    print(analyse(records).words)

What is not a number here is said in words: every finding has them. The tests need the extra `report`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
