from .bqm import from_dimod as from_dimod
from .problem import CostNetwork as CostNetwork
