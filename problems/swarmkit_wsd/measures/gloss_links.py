"""Links from the glosses of synsets to the senses of their words, made without a tagger.

Every content word of a gloss (examples included) gets the likeliest of all its senses, over all parts of speech, by

    ln((count + 1) / Σ (count + 1)) + 20 · cosine of the extended glosses + 2 if the sense is a hypernym,

and the link is kept if the softmax of these values gives that sense more than 0.6. The constants are those of a trial
on Senseval-2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit_lexicon.arrays import strings_in
from swarmkit_lexicon.bags import glosses, related
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_wsd.measures.gloss_cosine import GlossCosine
from swarmkit_wsd.measures.sparse import counted

COSINE = 20.0
HYPERNYM = 2.0
LEAST_POSTERIOR = 0.6


def gloss_links(lexicon: Lexicon) -> NDArray[np.int64]:
    """Return the links, each a row of a synset and the synset of a word of its gloss."""
    from swarmkit_wsd.measures import gloss_links_kernel as kernel

    everything = np.arange(len(lexicon.synset_pos))
    rows = GlossCosine().prepare(lexicon, everything).rows
    owner, relation, above = related(lexicon, everything, ("hypernyms",))
    owner, above = owner[relation > 0], above[relation > 0]
    words = _words(lexicon)
    synset, posterior = kernel.likeliest_senses(
        kernel.Vectors(rows.starts, rows.columns, rows.values),
        words,
        kernel.Senses(_ints(lexicon.lemma_senses), _ints(lexicon.sense_synset), pooled_prior(lexicon)),
        kernel.Hypernyms(np.searchsorted(owner, np.arange(len(everything) + 1)), above),
        kernel.Weights(COSINE, HYPERNYM),
    )
    source = np.repeat(everything, np.diff(words.starts))
    kept = (posterior > LEAST_POSTERIOR) & (source != synset)  # examples contain the synset's own words
    return np.column_stack([source[kept], synset[kept]])


def pooled_prior(lexicon: Lexicon) -> NDArray[np.float64]:
    """Return the logarithm of each sense's share of the add-one counts of its lemma, over all parts of speech."""
    counts = lexicon.sense_count + 1.0
    totals = np.bincount(lexicon.sense_lemma, weights=counts)
    return np.asarray(np.log(counts / totals[lexicon.sense_lemma]))


def _words(lexicon: Lexicon) -> Any:
    """Return the kernel's `Words`: the distinct content words of each gloss that are lemmas."""
    from swarmkit_wsd.measures.gloss_links_kernel import Words

    vocabulary = strings_in(lexicon.arrays, "word")
    lemma_of = np.array([lexicon.lemma_names.find(vocabulary[word]) for word in range(len(vocabulary))], np.int64)
    found = glosses(lexicon, np.arange(len(lexicon.synset_pos)), examples=True)
    lemma = lemma_of[lexicon.arrays["content.word"][found.item]]
    distinct = counted(found.owner[lemma >= 0], lemma[lemma >= 0], len(lexicon.synset_pos))
    return Words(distinct.starts, distinct.columns)


def _ints(array: NDArray[Any]) -> NDArray[np.int64]:
    return array.astype(np.int64)
