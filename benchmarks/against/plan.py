"""What is measured: methods, instances, and which seeds run how long."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from against.bars import GAP_BARS

ALL = frozenset({"tour", "assignment", "categories"})
TOUR, ASSIGNMENT = frozenset({"tour"}), frozenset({"assignment"})
PERMUTATION = TOUR | ASSIGNMENT


@dataclass(frozen=True)
class Method:
    """A solver of ours with its parameters, or a peer."""

    label: str
    unit: str
    kinds: frozenset[str] = ALL
    solver: str = ""
    params: dict[str, Any] = field(default_factory=dict)
    note: str = ""

    @property
    def ours(self) -> bool:
        """Whether it is one of our solvers."""
        return bool(self.solver)


AGAIN = "two of three evaluations are of parents, again"
METHODS = (
    Method("auto", "looks", ALL, "auto"),
    Method("tsp-aco", "tours", TOUR, "tsp-aco"),
    Method("tsp-aco walk", "tours", TOUR, "tsp-aco", {"construction": "walk"}),
    Method("tsp-aco 2opt", "tours", TOUR, "tsp-aco", {"local_search": "2opt"}),
    Method("annealing", "moves", ALL, "annealing"),
    Method("tour-ga", "evaluations", TOUR, "tour-ga"),
    Method("tour-ga plain", "evaluations", TOUR, "tour-ga", {"initial": "nearest", "local_search": "none"}),
    Method("ga", "evaluations", ALL - TOUR, "ga"),
    Method("ga icm", "evaluations", ALL - TOUR, "ga", {"local_search": "icm"}),
    Method("ils", "climbs", ALL - ASSIGNMENT, "ils"),
    Method("robust-tabu", "swaps", ASSIGNMENT, "robust-tabu"),
    Method("bco", "tours", TOUR, "bco", {"iterations": 10**6}),
    Method("scikit-opt ACA_TSP", "tours", TOUR),
    Method("ACO-Pants", "tours", TOUR),
    Method("simanneal", "moves"),
    Method("scikit-opt SA_TSP", "moves", TOUR),
    Method("scikit-opt GA_TSP", "evaluations", PERMUTATION, note=AGAIN),
    Method("scikit-opt GA_TSP vectorised", "evaluations", TOUR, note=AGAIN),
    Method("DEAP", "evaluations"),
    Method("pymoo GA", "evaluations"),
    Method("PyGAD", "evaluations"),
    Method("mealpy ABC", "evaluations"),
)
LKH = Method("elkai (LKH)", "tours", TOUR)
OTHERS = 2
"""Seeds of methods that promise no gap, unless it is said how many."""
YARDSTICKS = {"tours": ("tsp-aco",), "moves": ("annealing",), "evaluations": ("tour-ga plain", "ga")}
"""The method of ours whose rate a peer's is compared with: the first that was measured on the instance."""


@dataclass(frozen=True)
class Instance:
    """A problem by name and options; drawn ones come in several variations, one a seed."""

    name: str
    kind: str
    problem: str
    options: dict[str, Any]
    variations: int = 1

    def settings(self, variation: int) -> dict[str, Any]:
        """Return the options of one variation."""
        return self.options if "file" in self.options else {**self.options, "seed": variation}


def instances(sizes: list[int], categories: list[int], tsp: list[str], qap: list[str], drawn: int) -> list[Instance]:
    """Return the instances that were asked for."""
    found = [Instance(f"tsp {n:,}", "tour", "tsp", {"n": n}, drawn) for n in sizes]
    found += [Instance(Path(file).stem, "tour", "tsp", {"file": str(Path(file).resolve())}) for file in tsp]
    found += [Instance(Path(file).stem, "assignment", "qap", {"file": str(Path(file).resolve())}) for file in qap]
    found += [Instance(f"categories {n:,}", "categories", "categories", {"n": n}, drawn) for n in categories]
    return found


def schedule(
    method: Method, instance: Instance, seeds: int | None, marks: list[float], offered: set[str]
) -> list[list[float]]:
    """Return each seed's marks: with `seeds` all the same, otherwise a plan of about 15 minutes in all.

    Then ten seeds where a gap is promised, as long as it is promised for; elsewhere two, the first of them to the
    last mark, except on small instances, where it is the rate that is asked for. A promise that any of several methods
    may keep is measured with the first of them that there is.
    """
    if seeds is not None:
        return [marks] * seeds
    here = [bar for bar in GAP_BARS if bar.instance == instance.name]
    promised = [bar.mark for bar in here if method.label == next((m for m in bar.methods if m in offered), None)]
    first = 1 if instance.options.get("n", 1000) > 100 and instance.kind != "categories" else 0
    if not promised:
        return [marks] * first + [marks[:1]] * (OTHERS - first)
    if any(mark > marks[0] for mark in promised):
        return [marks] * 10
    return [marks] + [marks[:1]] * 9
