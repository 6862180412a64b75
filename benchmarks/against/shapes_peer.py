"""One run of a peer on a problem with linear constraints, in the peers' environment: prints a line of JSON.

    python shapes_peer.py METHOD FILE SECONDS SEED

The file has the tables and rows of the problem, and the program of 0-1 columns that `swarmkit_exact` makes of them. All
peers minimise on one thread, and are stopped by process CPU time; reading the file is not counted.
"""

from __future__ import annotations

import json
import math
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

Answer = tuple[float | None, float | None]
"""The best cost and the proved bound, if there are any."""


def after_cpu_seconds(seconds: float, stop: Callable[[], Any]) -> None:
    """Call a function when this process has used so much more CPU time."""
    end = time.process_time() + seconds

    def watch() -> None:
        while time.process_time() < end:
            time.sleep(0.02)
        stop()

    threading.Thread(target=watch, daemon=True).start()


def cpsat(data: Any, seconds: float, seed: int, linearization: int = 1) -> Answer:
    """Run CP-SAT with one worker."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    if "schedule" in data:
        {"Flow shop": flow_shop, "Sequencing with set-up times": set_ups}[str(data["schedule"])](model, data)
    else:
        program(model, data)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.random_seed = 1, seed
    solver.parameters.linearization_level = linearization
    after_cpu_seconds(seconds, solver.stop_search)
    status = solver.solve(model)
    solved = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return solver.objective_value if solved else None, solver.best_objective_bound


def flow_shop(model: Any, data: Any) -> None:
    """Write a permutation flow shop to a model: which job is at which place, and when each place ends on a machine."""
    times = data["times"]
    machines, n = times.shape
    at = [[model.new_bool_var("") for _ in range(n)] for _ in range(n)]
    for line in (*at, *zip(*at, strict=True)):
        model.add_exactly_one(line)
    latest = int(times.sum())
    end = [[model.new_int_var(0, latest, "") for _ in range(n)] for _ in range(machines)]
    for m in range(machines):
        for place in range(n):
            takes = sum(int(times[m, job]) * at[job][place] for job in range(n))
            model.add(end[m][place] >= takes + (end[m - 1][place] if m else 0))
            if place:
                model.add(end[m][place] >= takes + end[m][place - 1])
    model.minimize(end[-1][-1])


def set_ups(model: Any, data: Any) -> None:
    """Write a sequence with set-up times and weighted lateness to a model: arcs of a circuit, and ends of jobs."""
    takes, setup, due, weight = (data[name].tolist() for name in ("takes", "setup", "due", "weight"))
    n = len(takes)
    latest = sum(takes) + n * max(map(max, setup))
    end = [model.new_int_var(0, latest, "") for _ in range(n)]
    late = [model.new_int_var(0, latest, "") for _ in range(n)]
    arcs = []
    for i in range(n + 1):  # n is what comes before the first job
        for j in range(n + 1):
            if i == j:
                continue
            arc = model.new_bool_var("")
            arcs.append((i, j, arc))
            if j < n:
                before = end[i] if i < n else 0
                model.add(end[j] >= before + setup[i][j] + takes[j]).only_enforce_if(arc)
    model.add_circuit(arcs)
    for j in range(n):
        model.add(late[j] >= end[j] - due[j])
    model.minimize(sum(w * amount for w, amount in zip(weight, late, strict=True)))


def program(model: Any, data: Any) -> None:
    """Write a program of 0-1 columns to a model."""
    from ortools.sat.python import cp_model

    columns = [model.new_bool_var("") for _ in data["costs"]]
    scale = 10.0 ** int(data["digits"])
    for row in range(len(data["lower"])):
        part = slice(data["indptr"][row], data["indptr"][row + 1])
        chosen = [columns[column] for column in data["columns"][part]]
        values = np.rint(scale * data["coefficients"][part]).astype(int).tolist()
        lower, upper = scale * data["lower"][row], scale * data["upper"][row]
        low = -(2**50) if math.isinf(lower) else math.ceil(lower - 1e-6)
        high = 2**50 if math.isinf(upper) else math.floor(upper + 1e-6)
        model.add_linear_constraint(cp_model.LinearExpr.weighted_sum(chosen, values), low, high)
    model.minimize(cp_model.LinearExpr.weighted_sum(columns, data["costs"].tolist()))


def highs(data: Any, seconds: float, seed: int) -> Answer:
    """Run HiGHS."""
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("random_seed", seed)
    solver.setOptionValue("mip_rel_gap", 0.0)
    program = highspy.HighsLp()
    n = len(data["costs"])
    program.num_col_, program.num_row_ = n, len(data["lower"])
    program.col_cost_, program.col_lower_, program.col_upper_ = data["costs"], np.zeros(n), np.ones(n)
    program.row_lower_, program.row_upper_ = data["lower"], data["upper"]
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_, program.a_matrix_.index_ = data["indptr"], data["columns"]
    program.a_matrix_.value_ = data["coefficients"]
    kinds = [highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger]
    program.integrality_ = [kinds[integral] for integral in data["integral"].tolist()]
    solver.passModel(program)
    solver.HandleUserInterrupt = True
    after_cpu_seconds(seconds, solver.cancelSolve)
    solver.startSolve()
    solver.joinSolve()
    info = solver.getInfo()
    solved = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    return info.objective_function_value if solved else None, info.mip_dual_bound


def scip(data: Any, seconds: float, seed: int) -> Answer:
    """Run SCIP."""
    from pyscipopt import Model, quicksum

    model = Model()
    model.hideOutput()
    kinds = ["B" if integral else "C" for integral in data["integral"]]
    columns = [model.addVar(vtype=kind, lb=0, ub=1, obj=cost) for kind, cost in zip(kinds, data["costs"], strict=True)]
    for row in range(len(data["lower"])):
        part = slice(data["indptr"][row], data["indptr"][row + 1])
        pairs = zip(data["coefficients"][part].tolist(), data["columns"][part], strict=True)
        total = quicksum(value * columns[column] for value, column in pairs)
        lower, upper = float(data["lower"][row]), float(data["upper"][row])
        if math.isfinite(lower):
            model.addCons(total >= lower)
        if math.isfinite(upper):
            model.addCons(total <= upper)
    model.setIntParam("timing/clocktype", 1)  # CPU time
    model.setRealParam("limits/time", seconds)
    model.setRealParam("limits/gap", 0.0)
    model.setIntParam("randomization/randomseedshift", seed)
    model.setIntParam("lp/threads", 1)
    model.optimize()
    return model.getObjVal() if model.getNSols() else None, model.getDualbound()


def pymoo(data: Any, seconds: float, seed: int) -> Answer:
    """Run pymoo's genetic algorithm on the candidates, with the rows as its constraints, or on orders."""
    from pymoo.algorithms.soo.nonconvex.ga import GA
    from pymoo.core.problem import Problem
    from pymoo.core.termination import NoTermination
    from pymoo.operators.crossover.ox import OrderCrossover
    from pymoo.operators.crossover.ux import UniformCrossover
    from pymoo.operators.mutation.inversion import InversionMutation
    from pymoo.operators.mutation.pm import PolynomialMutation
    from pymoo.operators.repair.rounding import RoundingRepair
    from pymoo.operators.sampling.rnd import IntegerRandomSampling, PermutationRandomSampling

    sizes = data["sizes"]
    offsets = np.cumsum(sizes) - sizes
    i, j = data["edges"].T
    rows = len(data["row_lower"])
    dense = np.zeros((rows, int(sizes.sum())))
    dense[np.repeat(np.arange(rows), np.diff(data["row_indptr"])), data["row_slots"]] = data["row_coefficients"]
    limits = np.isfinite(data["row_lower"]), np.isfinite(data["row_upper"])

    class Tables(Problem):  # type: ignore[misc]  # the library has no types
        def __init__(self) -> None:
            count = int(limits[0].sum() + limits[1].sum())
            super().__init__(n_var=len(sizes), n_obj=1, n_ieq_constr=count, xl=0, xu=sizes - 1, vtype=int)

        def _evaluate(self, X: Any, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
            X = X.astype(int)
            value = data["unary"][offsets + X].sum(axis=1)
            if len(i):
                value = value + data["flat"][data["starts"] + X[:, i] * sizes[j] + X[:, j]] @ data["weights"]
            out["F"] = -value
            sums = np.stack([dense[:, offsets + x].sum(axis=1) for x in X]) if rows else np.zeros((len(X), 0))
            low, high = (data["row_lower"] - sums)[:, limits[0]], (sums - data["row_upper"])[:, limits[1]]
            out["G"] = np.concatenate([low, high], axis=1) - 1e-6

    if data["distinct"]:
        moves = {
            "sampling": PermutationRandomSampling(),
            "crossover": OrderCrossover(),
            "mutation": InversionMutation(),
        }
    else:
        mutation = PolynomialMutation(prob=1.0, vtype=float, repair=RoundingRepair())
        moves = {"sampling": IntegerRandomSampling(), "crossover": UniformCrossover(), "mutation": mutation}
    method = GA(pop_size=100, eliminate_duplicates=True, **moves)
    problem, end = Tables(), time.process_time() + seconds
    method.setup(problem, termination=NoTermination(), seed=seed, verbose=False)
    best = math.inf
    while time.process_time() < end:
        method.next()
        feasible = method.opt is not None and len(method.opt) and method.opt[0].CV[0] <= 0
        best = min(best, float(method.opt[0].F[0])) if feasible else best
    return None if math.isinf(best) else best, None


METHODS: dict[str, Callable[..., Answer]] = {
    "CP-SAT": cpsat,
    "CP-SAT, linearization 2": lambda *job: cpsat(*job, linearization=2),
    "HiGHS": highs,
    "SCIP": scip,
    "pymoo GA": pymoo,
}


def main() -> None:
    """Make the run."""
    method, file, seconds, seed = sys.argv[1:]
    data = dict(np.load(file))
    cost, bound = METHODS[method](data, float(seconds), int(seed))
    constant = 0.0 if method == "pymoo GA" else -float(data.get("constant", 0.0))
    bound = None if bound is None or not math.isfinite(bound) or abs(bound) > 1e15 else bound + constant
    print(json.dumps({"cost": None if cost is None else cost + constant, "bound": bound, "cpu": time.process_time()}))


if __name__ == "__main__":
    main()
