"""The version of the installed distribution."""

from importlib.metadata import version

__version__ = version("pyswarmkit")
"""The version, as `swarmkit --version` says it."""
