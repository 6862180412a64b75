from .disambiguation import Sense as Sense
from .disambiguation import disambiguate as disambiguate
from .experts.questions import Question as Question
from .experts.questions import Vote as Vote
from .measures import Measure as Measure
from .problem import WordSenses as WordSenses
from .raw_text import Lexicon as Lexicon
from .raw_text import open_lexicon as open_lexicon
