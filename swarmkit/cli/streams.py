"""The standard streams of a command: open, and able to take any text."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)
"""The errors of a disk that takes no more, and of a standard output that is closed."""

ESCAPES = "swarmkit-escapes"
"""The name of the error handler below."""


def prepare_streams() -> None:
    """Open the standard streams that are closed, and let the others take characters that their encoding has not.

    The next file that is opened would take the number of a closed stream, and what C functions print would be written
    into it. Standard output is opened for reading alone: printing to it fails, as it would if it were closed.
    """
    for descriptor, (name, flags) in enumerate((("stdin", os.O_RDWR), ("stdout", os.O_RDONLY), ("stderr", os.O_RDWR))):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, flags), True)  # the lowest free number: that of this stream
            stream = open(descriptor, "w" if descriptor else "r", closefd=False)  # noqa: SIM115  (open to the end)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
    codecs.register_error(ESCAPES, escape)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors=ESCAPES)


def escape(error: UnicodeError) -> tuple[str, int]:
    r"""Return the escapes of JSON for characters that cannot be encoded: a JSON document stays one.

    >>> escape(UnicodeEncodeError("ascii", "café", 3, 4, ""))
    ('\\u00e9', 4)
    """
    import json

    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def discard_output() -> None:
    """Send what is still to be printed nowhere, so that leaving does not try to print it once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
