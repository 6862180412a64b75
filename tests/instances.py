"""Instances in files: small ones of our own in tests/data, and those of others beside the repository, if there."""

import csv

from tests.conftest import ROOT

OWN = ROOT / "tests" / "data"
OTHERS = ROOT.parent / "shared" / "data"


def best(name):
    """What is best for a file of our own."""
    return {row["file"]: float(row["best"]) for row in csv.DictReader((OWN / "best.csv").read_text().splitlines())}[
        name
    ]


def files(own, folder, others):
    """Paths of our own files, and of those of others in a folder of theirs, as far as they are there."""
    found = [OTHERS / folder / name for name in others]
    return [OWN / name for name in own] + [path for path in found if path.is_file()]


def rows(own, folder, table):
    """Lines about files: our own ones, and those of a table of others if it is there."""
    path = OTHERS / folder / table
    return own + (list(csv.DictReader(path.read_text().splitlines())) if path.is_file() else [])
