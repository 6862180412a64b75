"""Text that is read in blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import UsageError, decode_text
from swarmkit_text import blocks
from swarmkit_text.blocks import decode_blocks, file_blocks


def said(read):
    try:
        return "".join(read())
    except UsageError as error:
        return f"refused: {error}"


@given(st.lists(st.binary(max_size=6) | st.text(max_size=4).map(str.encode) | st.just(b"\xef\xbb\xbf"), max_size=8))
def test_blocks_are_read_as_a_whole_file_is(parts):
    whole = b"".join(parts)
    read = said(lambda: decode_blocks(parts, "a.txt", "text")).replace(
        ", or --encoding with its encoding (latin-1, …)", ""
    )
    assert read == said(lambda: decode_text(whole, "a.txt", "text")) or ("refused" in read and b"\0" in whole)


def test_a_wrong_byte_is_refused_with_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 7)
    (tmp_path / "a.txt").write_bytes(b"one\ntwo\nthree\n\xff\n")
    with pytest.raises(UsageError, match=r"a\.txt, line 4: bytes that are not UTF-8; expected a file of English text"):
        list(file_blocks(tmp_path / "a.txt"))
    (tmp_path / "a.txt").write_bytes(b"one\ntwo\nthr\0ee\n")
    with pytest.raises(UsageError, match=r"a\.txt, line 3: a null byte"):
        list(file_blocks(tmp_path / "a.txt"))


def test_a_file_that_cannot_be_opened_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        list(file_blocks(tmp_path / "nothing.txt"))
