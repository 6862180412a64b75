from . import ils as ils
from . import qap_tabu as qap_tabu
from . import tabu as tabu
from . import tabu_moves as tabu_moves
from . import tour_ils as tour_ils
