"""Compiled kernels of the genetic algorithms; each has a plain twin that tests hold it to."""
