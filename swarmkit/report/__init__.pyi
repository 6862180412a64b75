from .page import make_page as make_page
from .reproduction import ExperimentCommand as ExperimentCommand
from .reproduction import Reproduction as Reproduction
from .reproduction import reproduce as reproduce
from .tables import latex_table as latex_table
from .tables import markdown_table as markdown_table
