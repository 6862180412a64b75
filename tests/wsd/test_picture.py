import numpy as np
import pytest
from matplotlib.figure import Figure

import swarmkit
from swarmkit_wsd.picture import LINES, WIDTH, pieces

pytestmark = pytest.mark.usefixtures("source")


def test_the_picture_is_the_text_in_colours_with_senses_and_the_next_ones():
    problem = swarmkit.make_problem("wsd", preset="fast", text="They sat on the bank of the river $x_1$.")
    x = problem.default_solution()
    made = pieces(problem, x)
    words = {piece.text: piece for piece in made if piece.line == 0}
    assert {"They", "sat", "bank", "river"} <= set(words)
    assert words["bank"].bold
    assert not words["They"].bold
    heads = [piece for piece in made if piece.text.startswith("bank: ")]
    assert [head.colour for head in heads] == [words["bank"].colour]
    assert any(piece.text.startswith("else ") for piece in made)
    assert all(piece.line < LINES and piece.column + len(piece.text) <= WIDTH for piece in made)
    axes = Figure().add_subplot()
    problem.view().draw(x, axes)
    axes.figure.canvas.draw()  # dollar signs of a text are not mathematics
    assert len(axes.texts) == len(made)


def test_a_long_text_is_cut_and_says_so():
    problem = swarmkit.make_problem("wsd", preset="fast", text="The dog saw the cat near the old house. " * 30)
    made = pieces(problem, np.zeros(len(problem.sizes), np.int64))
    assert any(piece.text.endswith("more words") for piece in made)
    assert all(piece.line < LINES for piece in made)
