"""The sense model: an encoder of sentences in numpy, and tables of vectors for the senses of WordNet."""
