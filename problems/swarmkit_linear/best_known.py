"""Optima of OR-Library's set covering problems, by name and size."""

from __future__ import annotations

_COVERS = {
    (
        200,
        1000,
    ): "scp41 429, scp42 512, scp43 516, scp44 494, scp45 512, scp46 560, scp47 430, scp48 492, scp49 641, scp410 514",
    (
        200,
        2000,
    ): "scp51 253, scp52 302, scp53 226, scp54 242, scp55 211, scp56 213, scp57 293, scp58 288, scp59 279, scp510 265",
    (
        300,
        3000,
    ): "scpa1 253, scpa2 252, scpa3 232, scpa4 234, scpa5 236, scpb1 69, scpb2 76, scpb3 80, scpb4 79, scpb5 72",
    (
        400,
        4000,
    ): "scpc1 227, scpc2 219, scpc3 243, scpc4 219, scpc5 215, scpd1 60, scpd2 66, scpd3 72, scpd4 62, scpd5 61",
}
_COVERS[200, 1000] += ", scp61 138, scp62 146, scp63 145, scp64 131, scp65 161"

COVERS = {
    (name, rows, columns): float(value)
    for (rows, columns), text in _COVERS.items()
    for name, value in (entry.split() for entry in text.split(", "))
}
"""The cost of an optimal cover, by the name of the problem and its numbers of rows and columns."""
