"""The defaults of the bundled solvers, checked by `swarmkit tune`: instances, candidates, and what was found."""
