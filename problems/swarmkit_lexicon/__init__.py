"""Lexicons: WordNet, found or fetched (`obtain`), parsed, compiled into arrays, and the wordnets of other languages."""
