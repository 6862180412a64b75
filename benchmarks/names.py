"""Count names that are participles or pronouns, and lines that are comments.

    python benchmarks/names.py
    python benchmarks/names.py --tree ../before --most 100

A name is counted each time the code binds it: definitions of functions and classes, parameters, targets of
assignments, loops and comprehensions, attributes. It is a participle or a pronoun if its last word is one
(`benchmarks/name_words.py`). A line is a comment if it holds one, alone or after code; instructions to tools are none.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from name_words import IRREGULAR_PARTICIPLES, PRONOUNS, TERMS

PACKAGES = ("swarmkit", "algorithms", "problems")
IGNORED = ("self", "cls", "_", "__all__")
INSTRUCTION = re.compile(r"#\s*(noqa|type:|pragma|fmt:|!)")


def main() -> None:
    """Print the shares of a checkout, and the most frequent names that count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, default=Path(__file__).absolute().parents[1], help="the checkout")
    parser.add_argument("--package", default="", help="only files whose path begins so")
    parser.add_argument("--most", type=int, default=40, help="the number of names to print")
    options = parser.parse_args()
    names: Counter[str] = Counter()
    lines = comments = 0
    for path in product_files(options.tree, options.package):
        text = path.read_text(encoding="utf-8")
        names.update(bound_names(ast.parse(text)))
        lines += len(text.splitlines())
        comments += comment_lines(text)
    unsuitable = Counter({name: count for name, count in names.items() if is_participle_or_pronoun(name)})
    print(f"bindings {names.total()}, participles and pronouns {unsuitable.total()}", end=" ")
    print(f"({unsuitable.total() / max(1, names.total()):.2%}), {len(unsuitable)} distinct names")
    print(f"lines {lines}, with a comment {comments} ({comments / max(1, lines):.2%})")
    print(", ".join(f"{name} {count}" for name, count in unsuitable.most_common(options.most)))


def product_files(tree: Path, beginning: str) -> Iterator[Path]:
    """Yield the Python files of the product below a checkout whose relative path begins in a certain way."""
    for package in PACKAGES:
        for path in sorted((tree / package).rglob("*.py")):
            if str(path.relative_to(tree)).startswith(beginning):
                yield path


def bound_names(tree: ast.AST) -> Iterator[str]:
    """Yield every name that a module binds, as often as it does."""
    for node in ast.walk(tree):
        name = ""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = node.attr
        if name and name not in IGNORED:
            yield name


def is_participle_or_pronoun(name: str) -> bool:
    """Whether the last word of a name is a participle or a pronoun.

    >>> [is_participle_or_pronoun(name) for name in ("found", "_given", "RunInputs", "accepted", "seed", "best_one")]
    [True, True, False, False, False, True]
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_").split("_")
    word = words[-1]
    regular = word.endswith("ed") and len(word) > 4
    return word not in TERMS and (word in PRONOUNS or word in IRREGULAR_PARTICIPLES or regular)


def comment_lines(text: str) -> int:
    """Return the number of lines with a comment that is no instruction to a tool."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type == tokenize.COMMENT and not INSTRUCTION.match(token.string) for token in tokens)


if __name__ == "__main__":
    main()
