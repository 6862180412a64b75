"""An expert for `swarmkit wsd tag --expert`: it chooses the sense whose gloss shares most words with the text.

    swarmkit wsd tag "The bank was steep." --ask-below 0.9 --expert "python examples/expert.py"

A question a line comes in, an answer a line goes out. Replace `choose` by whatever knows more: a language model, a
lookup in a glossary of your field, another tagger.
"""

import json
import re
import sys


def words(text):
    """Return the words of at least four letters, without the ending of a plural."""
    return {word.removesuffix("s") for word in re.findall(r"[a-z]{4,}", text.lower())}


def choose(question):
    """Return the key of a sense and how reliable it is; None if no gloss has a word of the text."""
    text = words(question["text"]) - words(question["word"])
    shared = {one["key"]: len(text & words(one["gloss"])) for one in question["candidates"]}
    best = max(shared, key=shared.get)
    return {"key": best, "reliability": 0.6} if shared[best] else {"key": None}


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], **choose(question)}), flush=True)
