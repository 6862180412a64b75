"""The peers, each used as its documentation shows, with the operators it offers for the kind of task.

Every function imports its library, begins the clock and runs until the clock says `Over`. Populations are 100, or what
the library takes by default for its tour solvers. Costs come from tables; libraries that can score a whole population
in one call get that.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from against.annealer import anneal
from against.clock import Clock
from against.tasks import Task

FOREVER = 100_000  # mealpy takes no more
POPULATION = 100


def objective(task: Task, clock: Clock) -> Callable[[Any], float]:
    """Return the cost of a solution as a function that tells the clock; what is no solution never counts as best."""

    def cost(x: Any) -> float:
        x = np.asarray(x, np.int64)
        value = task.cost(x)
        clock.tell(value if value >= clock.best or task.valid(x) else np.inf)
        return value

    return cost


def batch_objective(task: Task, clock: Clock) -> Callable[[Any], np.ndarray]:
    """Do the same for a whole population."""

    def costs(X: Any) -> np.ndarray:
        X = np.asarray(X, np.int64)
        values = task.costs(X)
        at = int(values.argmin())
        clock.tell(float(values[at]) if task.valid(X[at]) else np.inf, len(X))
        return values

    return costs


def sko_aca(task: Task, _: int, clock: Clock) -> None:
    """Use scikit-opt's ACA_TSP with its default of ten ants, one iteration at a time."""
    from sko.ACA import ACA_TSP

    clock.begin()
    colony = ACA_TSP(task.cost, task.n, distance_matrix=task.first.astype(float))
    while True:
        colony.run(1)
        clock.tell(float(min(colony.generation_best_Y)), colony.size_pop)


def sko_ga(task: Task, _: int, clock: Clock) -> None:
    """Use scikit-opt's GA_TSP as its example does: a function of one tour, 50 tours, all children mutate.

    It evaluates parents again, twice a generation; these count as evaluations, too.
    """
    from sko.GA import GA_TSP

    clock.begin()
    GA_TSP(objective(task, clock), n_dim=task.n, size_pop=50, max_iter=10**9, prob_mut=1).run()


def sko_ga_batch(task: Task, _: int, clock: Clock) -> None:
    """Use the same with a function of the whole population, which makes evaluating parents again nearly free."""
    from sko.GA import GA_TSP
    from sko.tools import set_run_mode

    costs = batch_objective(task, clock)
    set_run_mode(costs, "vectorization")
    clock.begin()
    GA_TSP(costs, n_dim=task.n, size_pop=50, max_iter=10**9, prob_mut=1).run()


def sko_sa(task: Task, seed: int, clock: Clock) -> None:
    """Use scikit-opt's SA_TSP, its temperature on the scale of the distances."""
    from sko.SA import SA_TSP

    clock.begin()
    hot = 0.5 * task.spacing()
    SA_TSP(objective(task, clock), task.random(np.random.default_rng(seed)), hot, 1e-9 * hot, 10 * task.n, 10**9).run()


def deap_ga(task: Task, seed: int, clock: Clock) -> None:
    """Use DEAP's (mu + lambda) with ordered crossover and inversion, or one-point crossover and uniform mutation."""
    from deap import algorithms, base, creator, tools

    if not hasattr(creator, "Fitness"):  # a module that keeps what is created
        creator.create("Fitness", base.Fitness, weights=(-1.0,))
        creator.create("Individual", list, fitness=creator.Fitness)
    cost, box, rng = objective(task, clock), base.Toolbox(), np.random.default_rng(seed)
    box.register("individual", lambda: creator.Individual(task.random(rng).tolist()))
    box.register("population", tools.initRepeat, list, box.individual)
    box.register("evaluate", lambda x: (cost(x),))
    box.register("select", tools.selTournament, tournsize=3)
    box.register("mate", tools.cxOrdered if task.distinct else tools.cxOnePoint)
    if task.distinct:
        box.register("mutate", tools.mutInversion)
    else:
        box.register("mutate", tools.mutUniformInt, low=0, up=task.candidates - 1, indpb=1 / task.n)
    clock.begin()
    algorithms.eaMuPlusLambda(box.population(POPULATION), box, POPULATION, POPULATION, 0.7, 0.3, 10**9, verbose=False)


def pymoo_ga(task: Task, seed: int, clock: Clock) -> None:
    """Use pymoo's GA with order crossover and inversion, or with its operators for whole numbers."""
    from pymoo.algorithms.soo.nonconvex.ga import GA
    from pymoo.core.problem import Problem
    from pymoo.operators.crossover.ox import OrderCrossover
    from pymoo.operators.crossover.pntx import SinglePointCrossover
    from pymoo.operators.mutation.inversion import InversionMutation
    from pymoo.operators.mutation.pm import PM
    from pymoo.operators.repair.rounding import RoundingRepair
    from pymoo.operators.sampling.rnd import IntegerRandomSampling, PermutationRandomSampling
    from pymoo.optimize import minimize

    costs = batch_objective(task, clock)

    class Peer(Problem):
        def _evaluate(self, X: Any, out: dict[str, Any], *args: Any, **rest: Any) -> None:
            out["F"] = costs(X)

    if task.distinct:
        kit = {
            "sampling": PermutationRandomSampling(),
            "crossover": OrderCrossover(),
            "mutation": InversionMutation(),
        }
    else:
        kit = {
            "sampling": IntegerRandomSampling(),
            "crossover": SinglePointCrossover(),
            "mutation": PM(vtype=float, repair=RoundingRepair()),
        }
    clock.begin()
    problem = Peer(n_var=task.n, n_obj=1, xl=0, xu=task.candidates - 1, vtype=int)
    minimize(problem, GA(pop_size=POPULATION, **kit), ("n_gen", 10**9), seed=seed, verbose=False)


def mealpy_abc(task: Task, seed: int, clock: Clock) -> None:
    """Use mealpy's artificial bee colony with its permutation or integer variables; its particle swarm fared alike."""
    from mealpy import ABC, IntegerVar, PermutationVar, Problem

    cost = objective(task, clock)

    class Peer(Problem):
        def obj_func(self, y: Any) -> float:
            return cost(self.decode_solution(y)["x"])

    if task.distinct:
        bounds = PermutationVar(valid_set=list(range(task.n)), name="x")
    else:
        bounds = IntegerVar(lb=[0] * task.n, ub=[task.candidates - 1] * task.n, name="x")
    clock.begin()
    problem = Peer(bounds=bounds, minmax="min", log_to=None)
    ABC.OriginalABC(epoch=FOREVER, pop_size=POPULATION).solve(problem, seed=seed)


def pygad_ga(task: Task, seed: int, clock: Clock) -> None:
    """Use PyGAD; on permutations with inversion, and order crossover given as a function, as it documents.

    Its own way (`gene_space`, `allow_duplicate_genes=False`) repairs what its crossovers break, which takes seconds a
    generation from 100 cities on; what breaks nothing is some hundred times as fast and nearer to the optimum.
    """
    import pygad

    cost, rng = objective(task, clock), np.random.default_rng(seed)
    begin = np.array([task.random(rng) for _ in range(POPULATION)])
    kit: dict[str, Any] = {"gene_space": list(range(task.candidates)), "mutation_num_genes": 1}
    if task.distinct:
        kit = {"crossover_type": order_crossover, "mutation_type": "inversion"}
    clock.begin()
    pygad.GA(
        num_generations=10**9,
        num_parents_mating=POPULATION // 2,
        fitness_func=lambda _, x, __: -cost(x),
        initial_population=begin,
        gene_type=int,
        parent_selection_type="tournament",
        random_seed=seed,
        suppress_warnings=True,
        logger=logging.getLogger("quiet"),
        **kit,
    ).run()


def order_crossover(parents: Any, size: tuple[int, int], _: Any) -> np.ndarray:
    """Keep a piece of one parent, and the order of the other for the rest."""
    children = np.empty(size, parents.dtype)
    for k in range(size[0]):
        one, two = parents[k % len(parents)], parents[(k + 1) % len(parents)]
        i, j = sorted(random.sample(range(size[1] + 1), 2))
        kept = np.zeros(size[1], bool)
        kept[one[i:j]] = True
        rest = two[~kept[two]]
        children[k] = np.concatenate([rest[:i], one[i:j], rest[i:]])
    return children


def pants(task: Task, _: int, clock: Clock) -> None:
    """Use ACO-Pants with its default of ten ants; building its world of edges is not on the clock."""
    from pants import Solver, World

    away = task.first.tolist()

    class Peer(Solver):
        def aco(self, colony: Any) -> Any:
            best = super().aco(colony)
            clock.tell(best.distance, len(colony))
            return best

    world = World(list(range(task.n)), lambda a, b: away[a][b])
    clock.begin()
    Peer(limit=10**9).solve(world)


def lkh(task: Task, _: int, clock: Clock) -> None:
    """Use elkai (LKH): ten runs up to 500 cities, one above; it cannot be stopped, so it takes what it takes."""
    import elkai

    largest = float(task.first.max())
    scale = 1.0 if np.array_equal(task.first, np.rint(task.first)) else 1e6 / largest  # LKH counts in whole numbers
    table = np.rint(task.first * scale).astype(int).tolist()
    clock.begin()
    way = np.array(elkai.DistanceMatrix(table).solve_tsp(runs=10 if task.n <= 500 else 1)[:-1])
    clock.count, clock.seconds, clock.best = 1, clock.read(), task.cost(way)


PEERS: dict[str, Callable[[Task, int, Clock], None]] = {
    "scikit-opt ACA_TSP": sko_aca,
    "scikit-opt GA_TSP": sko_ga,
    "scikit-opt GA_TSP vectorised": sko_ga_batch,
    "scikit-opt SA_TSP": sko_sa,
    "DEAP": deap_ga,
    "pymoo GA": pymoo_ga,
    "mealpy ABC": mealpy_abc,
    "PyGAD": pygad_ga,
    "simanneal": anneal,
    "ACO-Pants": pants,
    "elkai (LKH)": lkh,
}


def seed_all(seed: int) -> None:
    """Seed the global generators that most peers draw from."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002  (theirs is the old generator)
    vars(np).setdefault("int", int)  # scikit-opt 0.6.6 still asks for the old name
