"""The parts of `peers.py`: clock, tasks, the peers' side, our side, plan, environment, bars and table."""
