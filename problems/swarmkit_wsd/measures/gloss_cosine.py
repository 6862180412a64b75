"""The cosine of two extended glosses, their words weighted by tf-idf.

An extended gloss is the gloss of a synset, its names, and the glosses and names of the synsets related to it.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from swarmkit_lexicon.bags import USUAL, glosses, known_relations, names, related
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_wsd.measures.measure import Block, Measure, Synsets
from swarmkit_wsd.measures.sparse import PreparedRows, Rows, count_rows


def weight(times: NDArray[Any], glosses_with: NDArray[Any], glosses_in_all: int) -> NDArray[np.float64]:
    """Return the tf-idf weight of words: (1 + ln times) · ln(glosses in all / glosses with the word).

    >>> weight(np.array([1.0]), np.array([10]), 10).tolist()
    [0.0]
    """
    rarity = np.log(glosses_in_all / np.maximum(glosses_with, 1))
    return np.asarray((1.0 + np.log(times)) * rarity)


class GlossCosine(Measure):
    """Cosine of extended glosses with tf-idf weights."""

    relations: Annotated[tuple[str, ...], Field(description="whose glosses join the synset's own")] = USUAL
    examples: Annotated[bool, Field(description="count the examples as part of the glosses")] = True
    names: Annotated[bool, Field(description="count the words of the synsets' names, too")] = True

    _relations_exist = field_validator("relations")(known_relations)

    def prepare(self, lexicon: Lexicon, synsets: Synsets) -> PreparedRows:
        """Compute the tf-idf vector, scaled to length 1, of each synset's extended gloss."""
        distinct = np.unique(synsets)
        owner, _, target = related(lexicon, distinct, self.relations)
        content = glosses(lexicon, target, self.examples)
        owners, words = [owner[content.owner]], [lexicon.arrays["content.word"][content.item]]
        if self.names:
            owner_of_name, word = names(lexicon, target)
            owners.append(owner[owner_of_name])
            words.append(word)
        rows = count_rows(np.concatenate(owners), np.concatenate(words), len(distinct))
        # The cosine of two vectors of length 1 is their product.
        return PreparedRows(distinct, _unit_rows(rows, lexicon), _cosine)


def _unit_rows(rows: Rows, lexicon: Lexicon) -> Rows:
    values = weight(rows.values, lexicon.arrays["word.glosses"][rows.columns], len(lexicon.synset_pos))
    owners = np.repeat(np.arange(len(rows.starts) - 1), np.diff(rows.starts))
    lengths = np.sqrt(np.bincount(owners, weights=values**2, minlength=len(rows.starts) - 1))
    return Rows(rows.starts, rows.columns, values / np.maximum(lengths, 1e-300)[owners])


def _cosine(products: Block, *_: Rows) -> Block:
    return np.minimum(products, 1.0)  # rounding
