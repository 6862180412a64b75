"""The experiment `wsd-best`: presets, solvers and corpora in one table, and how well confidences are calibrated."""
