"""Quadratic assignment: files of QAPLIB, or instances drawn from a seed: the plugin `qap`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems() -> dict[str, str]:
    """Offer the problem."""
    return {"qap": "swarmkit_qap.problem:QuadraticAssignment"}
