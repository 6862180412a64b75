"""What annealing moves on: stages with a gain table, tours, or chains of solutions side by side."""
