"""Comparisons: many runs of several methods on several instances, kept in a store."""
