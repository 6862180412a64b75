"""Pictures in a browser: the charts that report and viewer share, and the viewer of recorded runs.

from swarmkit.viewing import make_movie
Path("run.html").write_text(make_movie(recorder.recording), encoding="utf-8")
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
