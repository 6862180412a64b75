"""Experts: whoever knows more than the score is asked about the words whose sense is least certain."""
