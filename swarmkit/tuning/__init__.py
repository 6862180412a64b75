"""Tuning: a search for better parameters of a solver, on instances to learn from and others to check on, by Optuna.

The public names are listed in the stub beside this file and imported when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
