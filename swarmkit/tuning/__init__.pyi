from .outcome import Outcome as Outcome
from .space import Dimension as Dimension
from .space import search_space as search_space
from .study import Listeners as Listeners
from .study import Places as Places
from .study import tune as tune
from .task import Instance as Instance
from .task import TuningTask as TuningTask
