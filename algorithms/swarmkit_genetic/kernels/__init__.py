"""The compiled kernels of genetic algorithms, each with a plain twin in the tests; loaded when first asked for."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
