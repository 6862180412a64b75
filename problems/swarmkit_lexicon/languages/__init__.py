"""Other languages than English: lemmas and glosses of the Open Multilingual Wordnet on WordNet 3.0's synsets."""
