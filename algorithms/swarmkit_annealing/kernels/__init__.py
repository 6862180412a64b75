"""The compiled kernels of annealing; importing one of its modules loads numba."""
