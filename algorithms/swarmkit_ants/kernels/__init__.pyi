from . import aca as aca
from . import focused as focused
from . import partial as partial
from . import stage_walk as stage_walk
from . import tour_walk as tour_walk
