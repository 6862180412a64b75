"""The README's program."""

import numpy as np

import swarmkit


class Route(swarmkit.Problem):
    direction, distinct = "minimise", True  # the score is a cost; every stop is visited once

    def __init__(self, stops):
        self.stops, self.sizes = stops, [len(stops)] * len(stops)

    def score(self, X):  # one solution a row
        return np.linalg.norm(self.stops[X] - self.stops[np.roll(X, -1, axis=1)], axis=2).sum(axis=1)

    def view(self):
        return swarmkit.View(scene={"kind": "tour", "points": self.stops, "closed": True})


problem = Route(np.random.default_rng(1).random((40, 2)))
result = swarmkit.solve(problem, "ils", seed=1, looks=1_000_000)
print(f"length {result.cost:.3f} after {result.evaluations:,} evaluations, stopped by {result.stopped}")
