"""Where the model is that comes with the package."""

from pathlib import Path

BUNDLED = Path(__file__).parent / "bundled" / "senses.safetensors"
"""The file, with its provenance beside it."""
