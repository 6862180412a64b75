"""Servers on the own machine: the guard before a web application, and the loop that serves it.

from swarmkit.serving import Guard, Rules, listen, run
socket = listen("127.0.0.1", 8765)
run(Guard(app, Rules(port=socket.getsockname()[1], bearer=token)), socket)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
