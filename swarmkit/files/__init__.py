"""Files: text that users provide, and files that are written completely or not at all."""
