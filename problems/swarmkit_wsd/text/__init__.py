"""Raw English: cut into words, tagged, and matched with the entries of the lexicon."""
