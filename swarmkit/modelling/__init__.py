"""Models: problems written as variables, expressions and comparisons, which fill in the forms of the contract."""
