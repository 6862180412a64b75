"""Files: text that people hand in, and files that are written whole or not at all."""
