"""What 8-bit integers cost: F1 of a trained model with the numbers of its file, and with those it was rounded from.

    python benchmarks/quantisation.py --train semcor3.0 --model senses.safetensors --work senses.safetensors.work
        --corpus senseval2.data.xml --key senseval2.gold.key.txt

The floating-point numbers come from the folder (--work) in which `swarmkit wsd train` keeps its intermediate results;
the options --seed, --epochs and --held-out are those of that command. Needs the extra `train`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import swarmkit


def answers(model: Path, corpus: str, key: str) -> tuple[NDArray[np.int32], float]:
    """Return the sense of each word with a model, and their F1 in per cent."""
    problem = swarmkit.make_problem("wsd", corpus=corpus, key=key, preset="best", model=str(model))
    x = problem.default_solution()  # type: ignore[attr-defined]  # of 'wsd'
    return problem.chosen(x), 100 * problem.metrics(x)["f1"]  # type: ignore[attr-defined]  # of 'wsd'


def exact_model(given: argparse.Namespace, out: Path) -> None:
    """Write the model without rounding."""
    import torch

    from swarmkit_lexicon.lexicon import open_lexicon
    from swarmkit_sense_model.training.dataset import read_labelled
    from swarmkit_sense_model.training.export import write_model
    from swarmkit_sense_model.training.train import Plan, train_all

    torch.set_num_threads(1)
    plan = Plan(seed=given.seed, epochs=given.epochs, held_out=given.held_out)
    write_model(out, train_all(read_labelled(given.train), open_lexicon(), plan, given.work, print), exact=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, nargs="+", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--held-out", type=int, default=12)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        exact = Path(folder) / "exact.safetensors"
        exact_model(given, exact)
        floats, with_floats = answers(exact, given.corpus, given.key)
    integers, with_integers = answers(given.model, given.corpus, given.key)
    print(f"floating-point numbers: F1 {with_floats:.2f}")
    print(f"8-bit integers: F1 {with_integers:.2f}, {(floats != integers).sum()} of {len(floats)} senses differ")


if __name__ == "__main__":
    main()
