from . import linkage as linkage
from . import offspring as offspring
from . import tours as tours
