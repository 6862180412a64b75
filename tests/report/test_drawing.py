"""Figures for papers: curves of comparisons, critical-difference diagrams, in the colours of the report."""

import re

import numpy as np
import pytest

import swarmkit
from swarmkit.report import COLOURS, draw_anytime, draw_ranks, new_figure
from swarmkit.statistics import analyse
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def records():
    """Runs of three solvers on four maps."""
    experiment = swarmkit.Experiment(
        problems=[{"name": "tsp", "options": {"n": 12, "seed": seed}} for seed in range(4)],
        solvers=["ils", "sa", "random"],
        runs=3,
        budget={"looks": 2_000},
    )
    return list(swarmkit.compare(experiment))


def test_the_colours_are_those_of_the_report():
    style = (ROOT / "swarmkit" / "viewing" / "chart.css").read_text(encoding="utf-8")
    assert tuple(re.findall(r"--s\d: light-dark\((#\w+),", style)) == COLOURS


def test_a_figure_has_its_style_and_leaves_that_of_matplotlib_alone():
    import matplotlib

    before = dict(matplotlib.rcParams)
    figure, axes = new_figure(2, 3)
    assert axes.shape == (2, 3)
    assert not axes[0, 0].spines["top"].get_visible()
    assert figure.dpi == 130
    assert dict(matplotlib.rcParams) == before


def test_a_curve_ends_at_the_median_of_the_costs_and_its_band_at_the_quartiles(records):
    here = [record for record in records if record.instance == records[0].instance]
    _, axes = new_figure()
    draw_anytime(here, axes)
    assert [line.get_label() for line in axes.get_lines()] == ["ils", "sa", "random"]
    for line in axes.get_lines():
        costs = [record.result.cost for record in here if record.method == line.get_label()]
        assert line.get_ydata()[-1] == np.median(costs)
        known = line.get_ydata()[np.isfinite(line.get_ydata())]
        assert (np.diff(known) <= 0).all()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("looks", "lowest length")


def test_runs_on_several_instances_are_refused(records):
    with pytest.raises(swarmkit.UsageError, match="these are on 4"):
        draw_anytime(records, new_figure()[1])


def test_the_diagram_has_every_method_with_its_average_rank(records):
    across = analyse(records).across
    _, axes = new_figure()
    draw_ranks(across, axes)
    shown = {text.get_text() for text in axes.texts}
    assert {f"{name}  {rank:.2f}" for name, rank in across.ranks.items()} <= shown
    assert f"critical difference {across.critical_difference:.2f}" in shown


def test_a_diagram_of_one_method_is_refused(records):
    across = analyse([record for record in records if record.method == "ils"]).across
    with pytest.raises(swarmkit.UsageError, match="at least two methods"):
        draw_ranks(across, new_figure()[1])
