"""The contract between problems, solvers and the harness: what each of them is, as data and abstract classes."""
