import numpy as np
import pytest

from swarmkit_lexicon.arrays import strings_in
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_wsd.measures import GlossCosine
from swarmkit_wsd.measures.graph import COSINE, HYPERNYM, LEAST_POSTERIOR, gloss_links, pooled_prior, wordnet_graph


@pytest.fixture(scope="module")
def links(lexicon):
    return gloss_links(lexicon)


def plain_links(lexicon, synset):
    """The links of one gloss, word by word."""
    vocabulary, prior = strings_in(lexicon.arrays, "word"), pooled_prior(lexicon)
    begin, end = lexicon.arrays["content.starts"][synset : synset + 2]
    found = set()
    for word in set(lexicon.arrays["content.word"][begin:end].tolist()):
        senses = lexicon.senses(vocabulary[word])
        if not len(senses):
            continue
        candidates = lexicon.sense_synset[senses]
        one = np.array([synset])
        cosines = GlossCosine().prepare(lexicon, np.append(candidates, synset)).block(one, candidates)[0]
        above = np.isin(candidates, list(lexicon.related(synset, "@ @i")))
        weights = np.exp(prior[senses] + COSINE * cosines + HYPERNYM * above)
        best = weights.argmax()
        if weights[best] / weights.sum() > LEAST_POSTERIOR and candidates[best] != synset:
            found.add(int(candidates[best]))
    return found


def test_links_are_those_of_the_plain_twin(lexicon, links, synsets):
    some = np.random.default_rng(3).choice(synsets, 40, replace=False)
    for synset in some.tolist():
        assert set(links[links[:, 0] == synset, 1].tolist()) == plain_links(lexicon, synset)
    assert np.isin(links[:, 0], some).sum() > 50


def test_glosses_have_about_four_links_each_and_none_to_their_own_synset(lexicon, links):
    assert 3 * len(lexicon.synset_pos) < len(links) < 5 * len(lexicon.synset_pos)
    assert np.all(links[:, 0] != links[:, 1])


def test_the_slope_beside_a_river_is_linked_with_water_and_land(lexicon, links):
    bank = lexicon.synset_named("bank.n.01")
    to = {lexicon.name(int(synset)) for synset in links[links[:, 0] == bank, 1]}
    assert {"slope.n.01", "body_of_water.n.01"} & to
    assert "money.n.01" not in to


def test_the_prior_pools_the_parts_of_speech(lexicon):
    shares = np.exp(pooled_prior(lexicon))
    senses = lexicon.senses("bank")
    assert {lexicon.pos(int(synset)) for synset in lexicon.sense_synset[senses]} == {"n", "v"}
    assert shares[senses].sum() == pytest.approx(1.0)
    assert np.all(shares > 0)


@pytest.mark.parametrize("with_links", [False, True])
def test_the_graph_is_undirected_and_has_every_relation(lexicon, with_links):
    graph = wordnet_graph(lexicon, with_links)
    n = len(lexicon.synset_pos)
    source = np.repeat(np.arange(n), graph.degrees)
    keys = source * n + graph.neighbour
    np.testing.assert_array_equal(np.sort(graph.neighbour * n + source), keys)
    assert np.all(np.diff(keys) > 0)
    assert np.all(source != graph.neighbour)
    for name in ("dog.n.01", "run.v.01", "good.a.01", "quickly.r.01"):
        synset = lexicon.synset_named(name)
        begin, end = lexicon.arrays["relation.starts"][synset : synset + 2]
        near = graph.neighbour[graph.starts[synset] : graph.starts[synset + 1]]
        assert set(lexicon.arrays["relation.target"][begin:end].tolist()) <= set(near.tolist())


def test_links_only_add_edges(lexicon, links):
    without, with_links = wordnet_graph(lexicon, False), wordnet_graph(lexicon, True)
    assert np.all(without.degrees <= with_links.degrees)
    source, target = links[len(links) // 2]
    assert target in with_links.neighbour[with_links.starts[source] : with_links.starts[source + 1]]


def test_arrays_made_from_a_lexicon_are_built_once_and_cached_by_its_hash(elsewhere, lexicon):
    built, said = [], []

    def derived(name, message=None):
        def build():
            built.append(name)
            return {"a": np.arange(5)}

        return Lexicon(lexicon.arrays, lexicon.source, said.append).derived(name, build, message)["a"].tolist()

    assert derived("x-1", "making x") == derived("x-1", "making x") == [0, 1, 2, 3, 4]
    assert (built, said) == (["x-1"], ["making x"])
    derived("x-2")
    assert built == ["x-1", "x-2"]
    (file,) = (elsewhere / "cache" / "compiled").glob("x-1-*")
    assert lexicon.sha256[:20] in file.name
    file.write_bytes(file.read_bytes()[:-1])
    assert derived("x-1") == [0, 1, 2, 3, 4]
    assert built == ["x-1", "x-2", "x-1"]
    assert "is damaged" in said[-1]
