from .arena import enter as enter
from .rules import RULES as RULES
from .rules import Reason as Reason
from .verdict import Standing as Standing
from .verdict import Verdict as Verdict
