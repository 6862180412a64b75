"""The commands `swarmkit wsd` and `swarmkit data`."""
