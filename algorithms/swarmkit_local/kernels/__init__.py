"""Compiled kernels of iterated local search and robust tabu search; each has a plain twin that tests hold it to."""
