"""Best known cuts and chromatic numbers of published graphs, by name and number of nodes."""

from __future__ import annotations

_CUTS = {
    800: "G1 11624, G2 11620, G3 11622, G4 11646, G5 11631, G6 2178, G7 2006, G8 2005, G9 2054, G10 2000, G11 564,"
    "G12 556, G13 582, G14 3064, G15 3050, G16 3052, G17 3047, G18 992, G19 906, G20 941, G21 931",
    1000: "G43 6660, G44 6650, G45 6654, G46 6649, G47 6657, G51 3848, G52 3851, G53 3850, G54 3852",
    2000: "G22 13359, G23 13344, G24 13337, G26 13328, G27 3341, G28 3298, G29 3405, G32 1410, G33 1382, G34 1384,"
    "G39 2408, G40 2400, G41 2405, G42 2481",
    3000: "G48 6000, G49 6000, G50 5880",
}
_CHROMATIC_NUMBERS = {
    11: "myciel3 4",
    23: "myciel4 5",
    25: "queen5_5 5",
    36: "queen6_6 7",
    47: "myciel5 6",
    49: "queen7_7 7",
    64: "queen8_8 9",
    74: "huck 11",
    80: "jean 10",
    81: "queen9_9 10",
    87: "david 11",
    95: "myciel6 7",
    96: "queen8_12 12",
    100: "queen10_10 11",
    120: "games120 9",
    121: "queen11_11 11",
    125: "DSJC125.1 5, DSJC125.5 17, DSJC125.9 44",
    128: "miles250 8, miles500 20, miles750 31, miles1000 42, miles1500 73",
    138: "anna 11",
    144: "queen12_12 12",
    191: "myciel7 8",
    300: "flat300_20_0 20, flat300_26_0 26, flat300_28_0 28",
    450: "le450_5a 5, le450_5b 5, le450_5c 5, le450_5d 5, le450_15a 15, le450_15b 15, le450_15c 15, le450_15d 15,"
    "le450_25a 25, le450_25b 25, le450_25c 25, le450_25d 25",
}


def _values(table: dict[int, str]) -> dict[tuple[str, int], float]:
    """Return the value of each graph, by its name and number of nodes: other graphs may have the same name."""
    entries = [(nodes, entry.split()) for nodes, text in table.items() for entry in text.split(",")]
    return {(name, nodes): float(value) for nodes, (name, value) in entries}


CUTS = _values(_CUTS)
"""The largest cuts known of graphs of the Gset on which published tables agree."""
CHROMATIC_NUMBERS = _values(_CHROMATIC_NUMBERS)
"""The chromatic numbers of graphs of DIMACS's collection."""
