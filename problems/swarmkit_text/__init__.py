"""Texts for word sense disambiguation: raw text, tagged words and corpora, read as sentences of tokens."""
