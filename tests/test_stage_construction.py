"""Ants that build solutions stage by stage, against the marginal scores of the tables."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.kernels import rng
from swarmkit.search import rng_state, roulette_wheel
from swarmkit.testing.families import random_form, shapes
from swarmkit_ants.stage_construction import build_solutions, visibility

seeds = st.integers(0, 2**32 - 1)


@given(shapes(), st.booleans(), seeds, st.sampled_from([0.5, 1.0, 2.0]))
def test_solutions_are_built_as_plainly_told(shape, distinct, seed, beta):
    problem = swarmkit.PairwiseProblem(random_form(shape, distinct=distinct, shared=distinct))
    form, n = problem.form, shape.n
    strength = np.random.default_rng(seed).random(int(form.sizes.sum())) + 0.1
    state = rng_state(np.random.default_rng(seed))
    plain = state.copy()
    X, scores, looks = build_solutions(problem, 2, strength, beta, state, np.random.default_rng(1))
    built, first = np.full((2, n), -1), int(rng.below(plain, n))
    for stage in np.roll(np.arange(n), -first):
        eta = visibility(form.marginals(built, int(stage)))
        weights = strength[form.offsets[stage] : form.offsets[stage + 1]] * eta**beta * problem.allowed(built, stage)
        built[:, stage] = roulette_wheel(weights, np.array([rng.uniform(plain), rng.uniform(plain)]))
    assert built.tolist() == X.tolist()
    assert np.allclose(scores, form.score(X))
    assert looks == 2 * form.sizes.sum()
    assert (plain == state).all()
