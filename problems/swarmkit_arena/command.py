"""The command `arena`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from swarmkit import check_writable, print_json, print_table, write_atomically

if TYPE_CHECKING:
    from swarmkit_arena.verdict import Gate, Verdict


def arena(
    entry: Annotated[str, typer.Argument(metavar="FILE", help="A Python file with a solver, or the name of a solver.")],
    solver: Annotated[
        str, typer.Option("-a", "--algo", help="The solver of the file that is meant, if it offers several.")
    ] = "",
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write the verdict as an HTML page.")] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The seed of the instances; by default one that nobody knows before.")
    ] = None,
    as_document: Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")] = False,
) -> None:
    """Say whether a solver keeps the rules of a fair comparison, and how good it is; exit code 1 if it is refused.

    The file runs in a process of its own, with limits on time and memory and without a network. It is audited, checked
    by the conformance kit, and compared with the bundled solvers on instances that are drawn for it.

    Example: swarmkit arena my_solver.py -o verdict.html
    """
    from swarmkit_arena.arena import enter
    from swarmkit_arena.verdict import make_page

    if out:
        check_writable(out, force, "Give another name, or --force to overwrite it.")
    runs = 0

    def played(_: object) -> None:
        nonlocal runs
        runs += 1
        if sys.stderr.isatty():
            print(f"\r{runs} runs", end="\r", file=sys.stderr, flush=True)

    ready = (lambda _: None) if as_document else show_gate
    try:
        verdict = enter(entry, solver=solver, seed=seed, ready=ready, played=played)
    except KeyboardInterrupt:
        print("swarmkit: interrupted; there is no verdict before the last gate", file=sys.stderr)
        raise typer.Exit(130) from None
    try:  # the verdict is shown first: a full disk does not lose it
        if as_document:
            print_json(verdict.model_dump(mode="json") | {"words": verdict.words})
        else:
            show(verdict)
        sys.stdout.flush()
    finally:
        if out:
            write_atomically(out, make_page(verdict).encode())
    if out and not as_document:
        print(f"written: {out}")
    if not verdict.accepted:
        raise typer.Exit(1)


def show_gate(gate: Gate) -> None:
    """Print a gate as soon as it is passed, or not."""
    words = gate.words if gate.passed else "refused"
    print(f"{'passed' if gate.passed else 'failed'}  {gate.name} ({gate.seconds:.1f} s): {words}", file=sys.stderr)


def show(verdict: Verdict) -> None:
    """Print a verdict."""
    from swarmkit.statistics import p_words
    from swarmkit_arena.rules import RULES

    if not verdict.accepted:
        print(verdict.words)
        for rule in dict.fromkeys(reason.rule for reason in verdict.reasons):
            print(f"\n{rule}: {RULES[rule]}")
            for reason in verdict.reasons:
                if reason.rule == rule:
                    print(f"  - {reason.words}")
        return
    if not verdict.without_network:
        print("The network was not taken from it: this system does not allow that.\n")
    if verdict.standing is None:
        print(f"{verdict.words} It refuses all families of the arena, so there is nothing to compare.")
        return
    print_table(
        [
            {
                "against": pair.second,
                "effect": f"{pair.effect:+.2f}",
                "after Holm": "" if pair.adjusted is None else p_words(pair.adjusted),
                "better": pair.better or "",
            }
            for pair in verdict.standing.pairs
        ]
    )
    print(f"\n{verdict.words}")
    print(f"Effects are rank-biserial correlations, 1 if it is better on every instance. Again: --seed {verdict.seed}")
