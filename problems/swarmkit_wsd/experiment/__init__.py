"""Experiments of papers, run again: `swarmkit experiment`."""
