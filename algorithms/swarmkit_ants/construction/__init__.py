"""The ways in which ants build tours, each a policy in a module of its own: walk, focused, partial."""
