from .movie import make_movie as make_movie
