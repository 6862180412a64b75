"""WordNet: found or fetched (`obtain`), parsed (`parse`), compiled into arrays (`compile`), opened as a `Lexicon`."""
