"""The sense model: an encoder of sentences in numpy, tables of vectors for WordNet's senses, and their training."""
