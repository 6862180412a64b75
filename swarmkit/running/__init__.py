"""Runs of solvers: one run with its budget and incumbent, checkpoints, several processes, gaps to the optimum."""
