"""CoNLL-U: senses in MISC, and every other byte as it was."""

import io
import json
import re

import conllu
import pytest

from swarmkit import UsageError
from swarmkit_wsd import disambiguate
from swarmkit_wsd_services import conllu_pieces
from swarmkit_wsd_services.conllu_pieces import document_pieces, in_tasks, read_raw

pytestmark = pytest.mark.usefixtures("source")

TAG = ["wsd", "tag", "--preset", "fast"]

FILE = """# newdoc id = d1
# sent_id = 1
# text = They don't sit on the bank of the river.
1	They	they	PRON	PRP	Case=Nom	4	nsubj	4:nsubj	_
2-3	don't	_	_	_	_	_	_	_	Note=mwt
2	do	do	AUX	VBP	_	4	aux	4:aux	_
3	n't	not	PART	RB	Polarity=Neg	4	advmod	4:advmod	_
4	sit	sit	VERB	VB	_	0	root	0:root	_
5	on	on	ADP	IN	_	7	case	7:case	_
6	the	the	DET	DT	_	7	det	7:det	_
7	bank	bank	NOUN	NN	Number=Sing	4	obl	4:obl:on	Gloss=x
8	of	of	ADP	IN	_	10	case	10:case	_
9	the	the	DET	DT	_	10	det	10:det	_
10	river	river	NOUN	NN	Number=Sing	7	nmod	7:nmod:of	SpaceAfter=No
10.1	sits	sit	VERB	VBZ	_	_	_	4:conj	CopyOf=4
11	.	.	PUNCT	.	_	4	punct	4:punct	_

# sent_id = 2
1	The	the	DET	DT	_	3	det	_	_
2	attorney	attorney	NOUN	NN	_	3	compound	_	_
3	general	general	NOUN	NN	_	4	nsubj	_	_
4	saw	see	VERB	VBD	_	0	root	_	_
5	the	the	DET	DT	_	6	det	_	_
6	bank	bank	NOUN	NN	_	4	obj	_	Sense=bank%1:14:00::


# newdoc id = d2
1	Untagged	_	_	_	_	_	_	_	_
2	rivers	_	_	_	_	_	_	_	Sense=old%1:00:00::|SenseConfidence=0.1
3	run  on	_	_	_	_	_	_	_	_
4	banks	_	_	_	_	_	_	_	_
"""


def sense_of(line):
    found = re.search(rb"(?:\t|\|)Sense=([^|\n]+)", line)
    return found and found[1].decode()


def without_senses(content):
    cut = re.sub(rb"\|?Sense(Confidence|End)?=[^|\r\n]*", b"", content)
    return re.sub(rb"\t\|", b"\t", re.sub(rb"\t(\r?\n)", rb"\t_\1", cut))


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["unix", "windows"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
def test_senses_are_in_misc_and_everything_else_is_as_it_was(cli, tmp_path, end, mark):
    content = mark + FILE.encode().replace(b"\n", end)
    (tmp_path / "a.conllu").write_bytes(content)
    said = cli(*TAG, "a.conllu", "--out", "b.conllu")
    assert said.code == 0, said.err
    written = (tmp_path / "b.conllu").read_bytes()
    assert without_senses(written) == without_senses(content)
    lines = written.split(end)
    senses = {line.split(b"\t")[1].decode(): sense_of(line) for line in lines if sense_of(line)}
    assert senses["river"] == "river%1:17:00::"
    assert senses["sit"].startswith("sit%2:")  # the lemma and the part of speech of the file
    assert {"do", "don't", "sits"}.isdisjoint(senses)  # an auxiliary, a multiword token, an empty node
    assert b"Gloss=x|Sense=bank%1:17:01::|SenseConfidence=0." in written
    assert b"Sense=attorney_general%1:18:00::|SenseConfidence=0.9999|SenseEnd=3" in written
    assert b"\tSense=bank%1:14:00::" + end in written  # known: not a byte of it changes
    assert senses["rivers"] == "river%1:17:00::"  # found by an earlier run: found again
    assert b"old%" not in written
    assert len(conllu.parse(written.decode("utf-8-sig").replace("\r\n", "\n"))) == 3


def test_a_file_that_has_senses_is_tagged_to_the_same_bytes_again(cli, tmp_path):
    (tmp_path / "a.conllu").write_text(FILE)
    once = cli(*TAG, "a.conllu").out
    (tmp_path / "b.conllu").write_text(once)
    assert cli(*TAG, "b.conllu").out == once


def test_a_known_sense_decides_on_the_words_around_it(cli, tmp_path):
    words = [("The", "DET"), ("bank", "NOUN"), ("and", "CCONJ"), ("the", "DET"), ("depository", "NOUN")]
    lines = [f"{at}\t{word}\t{word.lower()}\t{tag}" + "\t_" * 6 for at, (word, tag) in enumerate(words, 1)]
    for key in ("bank%1:17:01::", "bank%1:14:00::"):
        lines[1] = "\t".join([*lines[1].split("\t")[:9], f"Sense={key}"])
        (tmp_path / "a.conllu").write_text("\n".join(lines) + "\n\n")
        written = cli(*TAG, "a.conllu").out
        expected = disambiguate(
            [word for word, _ in words], pos=[tag for _, tag in words], known={1: key}, preset="fast"
        )
        assert f"Sense={key}\n" in written
        assert float(re.search("Confidence=([0-9.]+)", written)[1]) == pytest.approx(expected[-1].confidence, abs=1e-4)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("1\tbank\tbank\n", "a.conllu:1: 3 columns; expected CoNLL-U: 10 columns"),
        ("# text\n\n1" + "\t_" * 9 + "\nx1" + "\t_" * 9 + "\n", "a.conllu:4: Failed parsing field 'id'"),
        ("1\tbank\tbank\tTHING" + "\t_" * 6 + "\n", "a.conllu:1: 'bank' has the tag 'THING'"),
        ("1\t\tbank\tNOUN" + "\t_" * 6 + "\n", "a.conllu:1: a word without a form"),
        ("1\tbank\tbank\tNOUN" + "\t_" * 5 + "\tSense=x%1:00:00::\n", "is not a sense of 'bank'; expected one of"),
        (b"1\t\xff" + b"\t_" * 8 + b"\n", "a.conllu:1: bytes that are not UTF-8"),
    ],
    ids=["columns", "id", "tag", "form", "sense", "bytes"],
)
def test_what_is_wrong_is_refused_with_its_line(cli, tmp_path, content, said):
    (tmp_path / "a.conllu").write_bytes(content if isinstance(content, bytes) else content.encode())
    answer = cli(*TAG, "a.conllu")
    assert answer.code == 2, answer.out
    assert said in " ".join(answer.err.split())


def test_a_line_without_end_is_not_held_in_memory(monkeypatch):
    monkeypatch.setattr(conllu_pieces, "LONGEST", 10)
    with pytest.raises(UsageError, match="a line of more than 10 bytes"):
        list(read_raw(io.BytesIO(b"#" * 100), "a"))
    with pytest.raises(UsageError, match="a sentence of more than 1,000 bytes"):
        list(read_raw(io.BytesIO(b"# a\n" * 1000), "a"))


def written(sentences, document=None):
    """A file of sentences of three words; a document begins every so often."""
    row = "\t".join(["bank", "bank", "NOUN"] + ["_"] * 6)
    lines = []
    for at in range(sentences):
        lines += ["# newdoc"] * bool(document and at % document == 0) + [f"# sent_id = {at}"]
        lines += [f"{number}\t{row}" for number in (1, 2, 3)] + [""]
    return ("\n".join(lines) + "\n").encode()


def test_pieces_have_every_sentence_once_and_the_words_around_them_as_context(monkeypatch):
    monkeypatch.setattr(conllu_pieces, "PIECE", 30)
    monkeypatch.setattr(conllu_pieces, "CONTEXT", 5)
    for document in (None, 7, 25):
        sentences = list(read_raw(io.BytesIO(written(100, document)), "a"))
        found = list(document_pieces(sentences))
        assert [one for piece in found for one in piece.core] == sentences
        assert [piece for task in in_tasks(found) for piece in task] == found
        for piece in found:
            assert sum(one.words for one in piece.core) <= 36
            together = [*piece.before, *piece.core, *piece.after]
            at = sentences.index(together[0])
            assert together == sentences[at : at + len(together)]
            assert len({one.document for one in together}) == 1
            first = sentences.index(piece.core[0])
            if first and sentences[first - 1].document == piece.core[0].document:
                assert sum(one.words for one in piece.before) >= 5


def test_an_output_is_resumed_at_the_piece_where_it_ends(cli, tmp_path, monkeypatch):
    monkeypatch.setattr(conllu_pieces, "PIECE", 30)
    content = written(60, 25)
    (tmp_path / "a.conllu").write_bytes(content)
    (tmp_path / "b.conllu").write_bytes(written(3))
    assert cli(*TAG, "a.conllu", "b.conllu", "--out", "o.conllu").code == 0
    whole = (tmp_path / "o.conllu").read_bytes()
    assert whole.startswith(b"# newdoc\n# sent_id = 0\n1\tbank\tbank\tNOUN")
    assert without_senses(whole) == content + written(3)
    for size in (0, 7, len(whole) // 2, len(whole) - 1, len(whole)):
        (tmp_path / "o.conllu").write_bytes(whole[:size])
        said = cli(*TAG, "a.conllu", "b.conllu", "--out", "o.conllu", "--resume")
        assert said.code == 0, said.err
        assert (tmp_path / "o.conllu").read_bytes() == whole
    (tmp_path / "o.conllu").write_bytes(whole.replace(b"sent_id = 4\n", b"sent_id = x\n"))
    said = cli(*TAG, "a.conllu", "b.conllu", "--out", "o.conllu", "--resume")
    assert (said.code, "o.conllu has other sentences" in said.err) == (2, True)
    (tmp_path / "o.conllu").write_bytes(whole + b"# more\n")
    said = cli(*TAG, "a.conllu", "b.conllu", "--out", "o.conllu", "--resume")
    assert (said.code, "more answers than the input" in said.err) == (2, True)


def test_an_empty_last_column_is_no_other_sentence(cli, tmp_path):
    content = b"1\tbank\tbank\tNOUN" + b"\t_" * 5 + b"\t\n\n"
    (tmp_path / "a.conllu").write_bytes(content)
    assert cli(*TAG, "a.conllu", "--out", "o.conllu").code == 0
    written = (tmp_path / "o.conllu").read_bytes()
    assert b"\tSense=bank%" in written
    assert cli(*TAG, "a.conllu", "--out", "o.conllu", "--resume").code == 0
    assert (tmp_path / "o.conllu").read_bytes() == written


def test_the_senses_are_those_of_json_lines_where_the_tags_are_the_same(cli, tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": "A river ."}) + "\n")
    lines = ["1\tA\ta\tDET" + "\t_" * 6, "2\triver\triver\tNOUN" + "\t_" * 6, "3\t.\t.\tPUNCT" + "\t_" * 6]
    (tmp_path / "a.conllu").write_text("\n".join(lines) + "\n\n")
    (sense,) = json.loads(cli(*TAG, "a.jsonl").out)["senses"]
    assert f"Sense={sense['key']}|SenseConfidence={sense['confidence']:.4f}" in cli(*TAG, "a.conllu").out
