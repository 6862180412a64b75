"""The README's program."""

import swarmkit

problem = swarmkit.make_problem("synthetic", n=40, planted=True, seed=7)
result = swarmkit.solve(problem, "icm", seed=1, looks=1_000_000)

print(f"score {result.score:.2f}, {result.metrics['share of optimum']:.0%} of the planted optimum")
print(f"{result.looks:,} looks, stopped by {result.stopped}")
