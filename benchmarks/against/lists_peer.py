"""One run of a peer on routes or a schedule, in the peers' environment: prints a line of JSON.

    python lists_peer.py METHOD FILE SECONDS SEED

All peers run on one thread and are stopped by process CPU time; reading the file is not counted. The cost of routes is
computed by the caller, from the lists.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np
from shapes_peer import after_cpu_seconds


def pyvrp(data: Any, seconds: float, seed: int) -> dict[str, Any]:
    """Run PyVRP."""
    from pyvrp import Model, solve

    model, nodes = Model(), np.argsort(np.arange(len(data["arcs"])) != data["depot"], kind="stable")

    def windows(node: int) -> dict[str, int]:
        return {"tw_early": int(data["early"][node]), "tw_late": int(data["late"][node])} if data["timed"] else {}

    model.add_depot(0, 0, **windows(nodes[0]))
    for node in nodes[1:].tolist():
        service, amount = int(data["services"][node]), int(data["amounts"][node])
        model.add_client(0, 0, delivery=[amount], service_duration=service, **windows(node))
    # Without a limit PyVRP's readers say as many as stops, and fewer make it slower.
    model.add_vehicle_type(len(nodes) - 1, capacity=[int(min(data["capacity"], 2**40))])
    for i, start in enumerate(model.locations):
        for j, end in enumerate(model.locations):
            away = int(data["arcs"][nodes[i], nodes[j]])
            model.add_edge(start, end, distance=away, duration=away)
    problem = model.data()
    end = time.process_time() + seconds
    result = solve(problem, stop=lambda _: time.process_time() >= end, seed=seed, display=False)
    if not result.is_feasible():
        return {"cost": None}
    return {"lists": [nodes[route.visits()].tolist() for route in result.best.routes()]}


def routing(data: Any, seconds: float, _: int) -> dict[str, Any]:
    """Run OR-Tools' routing library with guided local search; it has no seed."""
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    n, vehicles, depot = len(data["arcs"]), int(data["vehicles"]), int(data["depot"])
    manager = pywrapcp.RoutingIndexManager(n, vehicles, depot)
    model = pywrapcp.RoutingModel(manager)
    arcs = data["arcs"].astype(int)
    model.SetArcCostEvaluatorOfAllVehicles(model.RegisterTransitMatrix(arcs.tolist()))
    load = model.RegisterUnaryTransitVector(data["amounts"].astype(int).tolist())
    model.AddDimension(load, 0, int(min(data["capacity"], 2**40)), True, "load")
    if data["timed"]:
        times = arcs + data["services"].astype(int)[:, None]
        horizon = int(data["late"].max())
        model.AddDimension(model.RegisterTransitMatrix(times.tolist()), horizon, horizon, False, "time")
        dimension = model.GetDimensionOrDie("time")
        for node in range(n):
            if node != depot:
                window = int(data["early"][node]), int(data["late"][node])
                dimension.CumulVar(manager.NodeToIndex(node)).SetRange(*window)
    best: dict[str, Any] = {"cost": None}
    least = np.inf
    end_time = time.process_time() + seconds

    def keep() -> None:
        nonlocal least
        if time.process_time() > end_time:
            model.solver().FinishCurrentSearch()
            return
        cost = model.CostVar().Value()
        if cost < least:
            least, best["nexts"] = cost, [model.NextVar(index).Value() for index in range(model.Size())]

    model.AddAtSolutionCallback(keep)
    parameters = pywrapcp.DefaultRoutingSearchParameters()
    parameters.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    parameters.time_limit.FromMilliseconds(int(1000 * 4 * seconds))  # of wall time
    model.SolveWithParameters(parameters)
    if "nexts" not in best:
        return {"cost": None}
    lists = []
    for vehicle in range(vehicles):
        index, nodes = best["nexts"][model.Start(vehicle)], []
        while not model.IsEnd(index):
            nodes.append(manager.IndexToNode(index))
            index = best["nexts"][index]
        lists.append(nodes)
    return {"lists": lists}


def cpsat(data: Any, seconds: float, seed: int) -> dict[str, Any]:
    """Run CP-SAT with one worker: an interval for each operation, optional ones where it may choose its machine."""
    from ortools.sat.python import cp_model

    durations, edges = data["durations"].astype(int), data["edges"]
    n, k = durations.shape
    model, horizon = cp_model.CpModel(), int(durations.max(axis=1).sum())
    starts = [model.new_int_var(0, horizon, "") for _ in range(n)]
    ends = [model.new_int_var(0, horizon, "") for _ in range(n)]
    machines: list[list[Any]] = [[] for _ in range(k)]
    for item in range(n):
        able = np.flatnonzero(durations[item] >= 0).tolist()
        taken = [model.new_constant(1)] if len(able) == 1 else [model.new_bool_var("") for _ in able]
        model.add_exactly_one(taken)
        for machine, chosen in zip(able, taken, strict=True):
            interval = starts[item], int(durations[item, machine]), ends[item], chosen, ""
            machines[machine].append(model.new_optional_interval_var(*interval))
    for intervals in machines:
        model.add_no_overlap(intervals)
    for before, later in edges.tolist():
        model.add(ends[before] <= starts[later])
    makespan = model.new_int_var(0, horizon, "")
    model.add_max_equality(makespan, ends)
    model.minimize(makespan)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.random_seed = 1, seed
    after_cpu_seconds(seconds, solver.stop_search)
    solved = solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return {"cost": solver.objective_value if solved else None, "bound": solver.best_objective_bound}


METHODS = {"PyVRP": pyvrp, "OR-Tools routing": routing, "CP-SAT": cpsat}


def main() -> None:
    """Make the run."""
    method, file, seconds, seed = sys.argv[1:]
    data = dict(np.load(file))
    begin = time.process_time()
    run = METHODS[method](data, float(seconds), int(seed))
    print(json.dumps(run | {"cpu": time.process_time() - begin}))


if __name__ == "__main__":
    main()
