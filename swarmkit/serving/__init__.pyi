from .guard import Guard as Guard
from .guard import Rules as Rules
from .server import Bounds as Bounds
from .server import listen as listen
from .server import run as run
