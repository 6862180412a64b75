"""The figure of `--plot`: labelled axes, costs as costs, best known values, and a picture of the solution."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import swarmkit
from swarmkit.report.plot import best_known, plot_runs

PICTURES = ["colouring", "flowshop", "independent-set", "maxcut", "qap", "setcover", "synthetic", "tsp"]


def figure_of(monkeypatch, tmp_path, runs, problem):
    """Return the axes of the figure that would be written."""
    kept = []
    monkeypatch.setattr("swarmkit.report.plot.save_figure", lambda figure, path, title: kept.append(figure))
    plot_runs(runs, tmp_path / "figure.png", problem)
    [figure] = kept
    figure.canvas.draw()
    return figure.axes


def legend(axes):
    return " | ".join(text.get_text() for text in axes.get_legend().get_texts())


@pytest.mark.parametrize("name", PICTURES)
def test_every_bundled_problem_has_a_picture(name):
    from swarmkit.plugins.host import host

    if name not in {offer.name for offer in host().offers("problem")}:
        pytest.skip(f"there is no problem '{name}'")
    problem = swarmkit.make_problem(name)
    result = swarmkit.solve(problem, "random", looks=2000)
    axes = Figure().add_subplot()
    swarmkit.draw_solution(problem, np.array(result.solution), axes)
    assert axes.has_data()
    assert axes.get_title()


def test_costs_are_drawn_as_costs_with_the_best_known_value_as_a_line(monkeypatch, tmp_path):
    problem = swarmkit.make_problem("flowshop", instance="ta001")
    result = swarmkit.solve(problem, "random", looks=20_000)
    curve, _ = figure_of(monkeypatch, tmp_path, [result], problem)
    assert curve.get_ylabel() == "lowest makespan so far"
    assert curve.get_lines()[0].get_ydata()[-1] == result.metrics["makespan"]
    assert "best known: 1,278" in legend(curve)
    assert best_known(problem, result) == (1278.0, "best known")


def test_axes_have_units_and_thousands_separators(monkeypatch, tmp_path):
    problem = swarmkit.make_problem("tsp", n=12)
    result = swarmkit.solve(problem, "ils", looks=20_000)
    curve = figure_of(monkeypatch, tmp_path, [result], problem)[0]
    assert (curve.get_xlabel(), curve.get_ylabel()) == ("looks", "lowest length so far")
    labels = [text.get_text() for axis in (curve.xaxis, curve.yaxis) for text in axis.get_ticklabels()]
    assert any("," in label for label in labels)
    assert not any("e+" in label or "times" in label for label in labels)


def test_the_best_of_several_runs_is_named_and_the_others_are_summed_up(monkeypatch, tmp_path):
    problem = swarmkit.make_problem("synthetic", planted=True)
    runs = [swarmkit.solve(problem, "random", seed=seed, looks=5000) for seed in range(10)]
    curve = figure_of(monkeypatch, tmp_path, runs, problem)[0]
    best = max(runs, key=lambda run: run.score)
    said = legend(curve)
    assert f"seed {best.seed}: " in said
    assert "the best of 10 runs" in said
    assert "the others: " in said
    assert "optimum: " in said


def test_a_run_with_one_improvement_is_a_line_to_its_end(monkeypatch, tmp_path):
    result = swarmkit.solve("synthetic", "greedy")
    curve = figure_of(monkeypatch, tmp_path, [result], swarmkit.make_problem("synthetic"))[0]
    assert f"after {result.trace.looks[-1]:,} looks" in legend(curve)
