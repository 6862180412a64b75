"""What authors of solvers need besides the contract: gain tables, tours, orders of construction, compiled kernels.

Each name is documented where it is defined. Building blocks for kernels of your own are in `swarmkit.kernels`;
`docs/stride-solver.md` shows a solver with one.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
