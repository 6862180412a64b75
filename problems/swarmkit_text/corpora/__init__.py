"""Corpora with words to disambiguate: their XML formats, their key files, and the official scores."""
