"""The compiled loops of the ant solvers; each has a plain twin in the tests."""
