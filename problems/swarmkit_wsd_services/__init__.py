"""Services on word senses: commands, batches of texts, a server, formats of answers, and the spaCy component."""
