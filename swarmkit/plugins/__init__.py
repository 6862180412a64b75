"""Plugins: the hooks they implement, the host that loads them, and problems and solvers made by name."""
