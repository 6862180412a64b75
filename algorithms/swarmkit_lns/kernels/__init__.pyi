from . import routes as routes
from . import shop as shop
