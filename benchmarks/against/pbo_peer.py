"""Runs of a peer on functions of the PBO suite, in the peers' environment: prints a line of JSON for each.

    python pbo_peer.py pymoo N EVALUATIONS INSTANCE FUNCTION:SEED ...

Each peer with its library's defaults for bits: pymoo's GA (binary sampling, two-point crossover, bit-flip mutation),
DEAP's eaSimple as its documentation sets up OneMax (300 individuals, tournaments of 3), nevergrad's DiscreteOnePlusOne.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any

import ioh
import numpy as np


class Counted:
    """A function that keeps the best value of its first evaluations."""

    def __init__(self, function: int, instance: int, n: int, most: int) -> None:
        self.function = ioh.get_problem(function, instance, n, ioh.ProblemClass.PBO)
        self.n, self.most, self.made, self.best = n, most, 0, -np.inf

    def __call__(self, x: Sequence[int]) -> float:
        """Return the value of a solution; it counts towards the best as long as evaluations are left."""
        value = float(self.function([int(bit) for bit in x]))
        self.made += 1
        if self.made <= self.most:
            self.best = max(self.best, value)
        return value


def pymoo(score: Counted, seed: int) -> None:
    """Run pymoo's genetic algorithm."""
    from pymoo.algorithms.soo.nonconvex.ga import GA
    from pymoo.core.problem import ElementwiseProblem
    from pymoo.operators.crossover.pntx import TwoPointCrossover
    from pymoo.operators.mutation.bitflip import BitflipMutation
    from pymoo.operators.sampling.rnd import BinaryRandomSampling
    from pymoo.optimize import minimize

    class Function(ElementwiseProblem):  # type: ignore[misc]  # the library has no types
        def __init__(self) -> None:
            super().__init__(n_var=score.n, n_obj=1, xl=0, xu=1, vtype=bool)

        def _evaluate(self, x: Any, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
            out["F"] = -score(x)

    method = GA(
        pop_size=100,
        sampling=BinaryRandomSampling(),
        crossover=TwoPointCrossover(),
        mutation=BitflipMutation(),
        eliminate_duplicates=True,
    )
    minimize(Function(), method, ("n_eval", score.most), seed=seed, verbose=False)


def deap(score: Counted, seed: int) -> None:
    """Run DEAP's simple evolutionary algorithm."""
    from deap import algorithms, base, creator, tools

    random.seed(seed)
    if not hasattr(creator, "Individual"):
        creator.create("Fitness", base.Fitness, weights=(1.0,))
        creator.create("Individual", list, fitness=creator.Fitness)
    box = base.Toolbox()
    box.register("bit", random.randint, 0, 1)
    box.register("individual", tools.initRepeat, creator.Individual, box.bit, score.n)
    box.register("population", tools.initRepeat, list, box.individual)
    box.register("evaluate", lambda individual: (score(individual),))
    box.register("mate", tools.cxTwoPoint)
    box.register("mutate", tools.mutFlipBit, indpb=0.05)
    box.register("select", tools.selTournament, tournsize=3)
    population = box.population(n=300)
    while score.made < score.most:
        population, _ = algorithms.eaSimple(population, box, cxpb=0.5, mutpb=0.2, ngen=1, verbose=False)


def nevergrad(score: Counted, seed: int) -> None:
    """Run nevergrad's discrete (1+1) evolution strategy."""
    import nevergrad as ng

    bits = ng.p.TransitionChoice([0, 1], repetitions=score.n)
    bits.random_state.seed(seed)
    method = ng.optimizers.DiscreteOnePlusOne(parametrization=bits, budget=score.most)
    method.minimize(lambda x: -score(x))


PEERS: dict[str, Callable[[Counted, int], None]] = {"pymoo": pymoo, "deap": deap, "nevergrad": nevergrad}


def main() -> None:
    """Make the runs, one after the other."""
    name, (n, most, instance) = sys.argv[1], map(int, sys.argv[2:5])
    for run in sys.argv[5:]:
        function, seed = map(int, run.split(":"))
        score = Counted(function, instance, n, most)
        PEERS[name](score, seed)
        facts = {"method": name, "function": function, "n": n, "evaluations": most, "instance": instance}
        print(json.dumps({**facts, "seed": seed, "best": score.best}), flush=True)


if __name__ == "__main__":
    main()
