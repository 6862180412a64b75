"""Files that people hand in, read as text or refused in a sentence."""

from __future__ import annotations

from pathlib import Path

from swarmkit.contract.errors import UsageError


def read_text(path: str | Path, expected: str) -> str:
    """Read a UTF-8 file as it is, its line ends too; `expected` names what it should have been."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file; expected {expected}.") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{path}: cannot be read ({reason}); expected {expected}.") from error
    return decode_text(data, path, expected)


def decode_text(data: bytes, path: str | Path, expected: str) -> str:
    """Turn bytes to text, or say on which line they are not text."""
    null = data.find(b"\0")
    if null >= 0:
        line = data.count(b"\n", 0, null) + 1
        raise wrong_line(path, line, f"a null byte, so this is not a text file; expected {expected}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise wrong_line(path, line, f"bytes that are not UTF-8; expected {expected} in UTF-8") from error


def wrong_line(path: str | Path, line: int, what: str) -> UsageError:
    """Say what is wrong with a line of a file.

    >>> print(wrong_line("gold.key", 3, "no sense key; expected 'id key'"))
    gold.key, line 3: no sense key; expected 'id key'.
    """
    return UsageError(f"{path}, line {line}: {what}.")


def quoted(text: str, longest: int = 60) -> str:
    """Quote a piece of a file for a message, cut where it is long.

    >>> quoted("a b")
    "'a b'"
    """
    return repr(text if len(text) <= longest else text[: longest - 1] + "…")
