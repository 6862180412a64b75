"""What `benchmarks/auto.py` measures: instances in six families, runs by process CPU time, a store, regrets."""
