"""Plugins for tests, as objects and as files."""

import textwrap

from swarmkit import hookimpl
from swarmkit.plugins import host as plugins


def write(path, text):
    path.write_text(textwrap.dedent(text))
    return str(path)


class Offering:
    def __init__(self, **solvers):
        self.solvers = solvers

    @hookimpl
    def swarmkit_solvers(self):
        return self.solvers


def icm():
    return plugins.host().find("solver", "icm").value
