"""A package, so that no `tests` which another distribution installs is imported in its place."""
