import pytest

from swarmkit import UsageError
from swarmkit_text.corpora.semcor import is_semcor, read_semcor

FILE = """<contextfile concordance=brown>
<context filename=br-z01 paras=yes>
<p pnum=1>
<s snum=1>
<wf cmd=ignore pos=DT>The</wf>
<wf cmd=done pos=NN lemma=bank wnsn=2 lexsn=1:14:00::>banks</wf>
<wf cmd=done rdf=person pos=NNP lemma=person wnsn=1 lexsn=1:03:00:: pn=person>Mary_Smith</wf>
<wf cmd=done pos=VB lemma=take_place wnsn=1 lexsn=2:30:00::>took_place</wf>
<wf cmd=done pos=JJ lemma=hard wnsn=1;2 lexsn=3:00:06::;3:00:02::>hard</wf>
<wf cmd=done pos=JJ lemma=hard wnsn=-1>harder</wf>
<punc>.</punc>
</s>
</p>
</context>
</contextfile>
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "br-z01"
    path.write_text(FILE)
    return path


def test_words_with_a_sense_are_targets_and_names_are_not(file):
    labelled = read_semcor(file)
    (sentence,) = labelled.text.sentences
    assert [token.surface for token in sentence.tokens] == [
        "The", "banks", "Mary Smith", "took place", "hard", "harder", "."
    ]  # fmt: skip
    assert [(token.lemma, token.pos) for token in sentence.targets] == [
        ("bank", "n"),
        ("take_place", "v"),
        ("hard", "a"),
    ]
    assert list(labelled.keys.values()) == [
        ("bank%1:14:00::",), ("take_place%2:30:00::",), ("hard%3:00:06::", "hard%3:00:02::")
    ]  # fmt: skip
    assert labelled.counted


def test_files_of_semcor_are_known_by_their_beginning(file, tmp_path):
    other = tmp_path / "other"
    other.write_text("<corpus>")
    assert is_semcor(file)
    assert not is_semcor(other)


@pytest.mark.parametrize("damage", ["<contextfile>\n<p>", FILE.replace("banks</wf>", "banks"), ""])
def test_a_damaged_file_is_refused_in_words(tmp_path, damage):
    path = tmp_path / "damaged"
    path.write_text(damage)
    with pytest.raises(UsageError, match="expected a file of SemCor's format"):
        read_semcor(path)
