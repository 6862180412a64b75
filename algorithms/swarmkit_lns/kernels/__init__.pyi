from . import routes as routes
