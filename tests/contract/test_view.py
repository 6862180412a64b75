"""Views of problems: captions, drawings of solutions, scenes of moving pictures."""

import numpy as np
from matplotlib.figure import Figure

import swarmkit
from swarmkit import Problem, View, draw_solution
from swarmkit.contract.problem_view import problem_view


class Sums(Problem):
    """Numbers, whose view draws their bars and counts how often the scene is computed."""

    sizes = (3, 4, 5)

    def __init__(self):
        self.scenes = 0

    def score(self, X):
        return X.sum(axis=1).astype(float)

    def view(self):
        return View("three numbers", draw=lambda x, axes: axes.bar(range(len(x)), x), scene=self._scene)

    def _scene(self):
        self.scenes += 1
        return {"stages": ["a", "b", "c"]}


def heights(problem, x):
    axes = Figure().add_subplot()
    draw_solution(problem, np.array(x), axes)
    return [int(bar.get_height()) for bar in axes.patches], axes


def test_a_problem_without_a_view_is_drawn_as_a_grid():
    problem = swarmkit.make_problem("synthetic", n=4)
    view = problem.view()
    assert (view.caption, view.draw, view.scene) == ("", None, {})
    drawn, axes = heights(problem, [0, 0, 0, 0])
    assert drawn == list(problem.sizes)  # the candidates, shaded
    assert axes.get_xlabel() == "stage"


def test_a_view_draws_and_describes_in_its_own_way():
    problem = Sums()
    assert heights(problem, [2, 0, 4])[0] == [2, 0, 4]
    assert "three numbers" in problem._repr_html_()
    assert swarmkit.solve(problem, "random", looks=30).caption == "three numbers"
    assert problem.scenes == 0  # it is computed for pictures alone
    assert problem.view().scene["stages"] == ["a", "b", "c"]
    assert problem.scenes == 1


def test_fixed_stages_are_drawn_with_the_others():
    problem = Sums()
    view = problem_view(problem, {1: 3})
    assert heights(view, [2, 4])[0] == [2, 3, 4]
    assert view.view().caption == "three numbers"
    assert view.view().scene == problem.view().scene
    plain = problem_view(swarmkit.make_problem("synthetic", n=4), {0: 1})
    assert len(heights(plain, [0, 0, 0])[0]) == 4


def test_recordings_have_caption_and_scene_of_the_view():
    recorder = swarmkit.Recorder()
    swarmkit.solve(Sums(), "random", looks=30, observers=[recorder])
    assert recorder.recording.facts["caption"] == "three numbers"
    assert recorder.recording.scene == {"stages": ["a", "b", "c"]}
