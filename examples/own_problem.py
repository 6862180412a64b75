"""A problem of your own: colour a map so that neighbours differ. Only `sizes` and `score` are needed."""

import numpy as np

import swarmkit

BORDERS = [pair.split("-") for pair in ["WA-NT", "WA-SA", "NT-SA", "NT-Q", "SA-Q", "SA-NSW", "SA-V", "Q-NSW", "NSW-V"]]


class MapColouring(swarmkit.Problem):
    """Give each region one of three colours; the score counts the borders between different colours."""

    regions = sorted({region for border in BORDERS for region in border})
    colours = ("red", "green", "blue")
    sizes = [len(colours)] * len(regions)

    def score(self, X):
        """Count differing borders, for all rows of X at once."""
        a, b = np.array([[self.regions.index(region) for region in border] for border in BORDERS]).T
        return (X[:, a] != X[:, b]).sum(axis=1)

    def describe(self, x):
        """Name regions and colours."""
        return [{"region": r, "colour": self.colours[c]} for r, c in zip(self.regions, x, strict=True)]


if __name__ == "__main__":
    result = swarmkit.solve(MapColouring(), "icm", seed=1, target=len(BORDERS))
    print(f"{result.score:.0f} of {len(BORDERS)} borders differ")
    print({row["region"]: row["colour"] for row in result.answer})
