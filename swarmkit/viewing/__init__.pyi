from .live import LiveRecorder as LiveRecorder
from .movie import make_movie as make_movie
