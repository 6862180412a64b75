from . import linear_annealing as linear_annealing
from . import order_annealing as order_annealing
from . import partition_crossover as partition_crossover
from . import table_annealing as table_annealing
from . import tour_annealing as tour_annealing
