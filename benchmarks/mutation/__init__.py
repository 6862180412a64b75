"""Mutation testing: places where code can be changed, and copies of a checkout in which changed code is tested."""
