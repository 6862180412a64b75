"""Texts of other languages than English, read by rules: sentences, and the entries that their words may stand for."""
