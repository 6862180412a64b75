import pytest

from swarmkit import UsageError, XmlReader


class Names(XmlReader):
    """Collects what the parser says."""

    def __init__(self):
        super().__init__("names.xml", "names in XML")
        self.events = []

    def started(self, name, attributes):
        self.events.append((name, attributes, self.line))
        if name == "wrong":
            self.refuse("<wrong>; expected <name>")

    def ended(self, name):
        self.events.append(f"/{name}")

    def characters(self, data):
        self.events.append(data)


def test_a_reader_gets_elements_attributes_and_text_in_their_order():
    reader = Names()
    reader.parse('<names>\n<name id="1">Zoë &amp; Li</name></names>')
    events = [event for event in reader.events if not isinstance(event, str)]
    assert events == [("names", {}, 1), ("name", {"id": "1"}, 2)]
    assert "".join(event for event in reader.events if isinstance(event, str)) == "\nZoë & Li/name/names"


def test_a_declared_encoding_that_does_not_exist_is_ignored():
    reader = Names()
    reader.parse('<?xml version="1.0" encoding="utf8"?><names>é</names>')
    assert "é" in reader.events


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<names>\n<wrong/></names>", "names.xml, line 2: <wrong>; expected <name>."),
        ("<names>\n\n<name></names>", "names.xml, line 3: malformed XML (mismatched tag); expected names in XML."),
        ("", "names.xml, line 1: malformed XML (no element found); expected names in XML."),
        ("<!DOCTYPE n [<!ENTITY a 'b'>]><n/>", "names.xml, line 1: an entity declaration, which is not allowed."),
        ("<!DOCTYPE n SYSTEM 'n.dtd'>\n<n>&who;</n>", "names.xml, line 2: an unknown entity &who;."),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(text, said):
    with pytest.raises(UsageError) as refused:
        Names().parse(text)
    assert str(refused.value) == said


def test_readers_without_methods_check_that_a_file_is_well_formed():
    XmlReader("a.xml", "XML").parse("<a><b>text</b></a>")
    with pytest.raises(UsageError, match=r"a\.xml, line 1: malformed XML"):
        XmlReader("a.xml", "XML").parse("text")
