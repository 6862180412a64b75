"""Comparisons: experiments, the plans of their runs, the store that keeps them, and the workers that make them."""
