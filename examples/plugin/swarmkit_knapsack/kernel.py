"""Hill climbing on the gain table, compiled: a kernel of one's own, made of swarmkit's building blocks."""

from swarmkit.kernels.compiling import FLOATS, INT, INTS, LINKS, READONLY_INTS, RNG_STATE, copy, kernel
from swarmkit.kernels.gain_table import CURRENT, gain, move
from swarmkit.kernels.rng import below


@kernel(INT(LINKS, CURRENT, INTS, FLOATS, READONLY_INTS, INT, RNG_STATE))
def climb(links, current, best, scores, free, moves, rng_state):
    """Try random moves, take those that are no loss, and return the moves since the last gain.

    Args:
        links: the problem's tables, laid out by `swarmkit.search.links_of`.
        current: the current solution with its gain table, changed in place.
        best: the incumbent, changed in place.
        scores: the current score and the incumbent's, changed in place.
        free: the stages with at least two candidates.
        moves: how many moves are tried.
        rng_state: the state of the kernels' generator, changed in place.
    """
    idle = 0
    for _ in range(moves):
        i = free[below(rng_state, len(free))]
        c = below(rng_state, links.offsets[i + 1] - links.offsets[i] - 1)
        c += c >= current.x[i]
        delta = gain(links, current, i, c)
        idle += 1
        if delta >= 0.0:
            move(links, current, i, c)
            scores[0] += delta
        if delta > 0.0:
            idle = 0
        if scores[0] > scores[1]:
            scores[1] = scores[0]
            copy(current.x, best)
    return idle
