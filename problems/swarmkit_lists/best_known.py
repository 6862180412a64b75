"""Best costs that are published for instances of the field, by name; proved optimal except where said."""

ROUTES = {"X-n101-k25": 27591.0, "X-n200-k36": 58578.0, "X-n502-k39": 69226.0}
"""Uchoa, E. et al. 2017. New benchmark instances for the capacitated vehicle routing problem. EJOR 257(3)."""

MAKESPANS = {"ft06": 55.0, "ft10": 930.0, "la16": 945.0, "la21": 1046.0, "la31": 1784.0, "abz5": 1234.0}
"""Fisher and Thompson 1963, Lawrence 1984, Adams, Balas and Zawack 1988."""
