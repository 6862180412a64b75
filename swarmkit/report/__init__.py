"""Reports of comparisons: one self-contained HTML file, and tables in Markdown and LaTeX.

from swarmkit.report import make_page
Path("report.html").write_text(make_page(records), encoding="utf-8")
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
