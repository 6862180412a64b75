"""Compiled kernels, each with a plain twin that tests hold it to."""
