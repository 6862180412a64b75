"""The server of word senses: `swarmkit wsd serve`."""
