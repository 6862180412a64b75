"""Runs that are watched: what is sent is the recording, in parts while the run goes on, and whole at its end."""

import json

import swarmkit
from swarmkit.viewing import LiveRecorder
from swarmkit.viewing.live import STOPPED
from swarmkit.viewing.viewer_data import viewer_data


def watched(**given):
    """Return the messages of a run, its result, and its recording."""
    sent = []
    live = LiveRecorder(sent.append)
    result = swarmkit.solve("synthetic", "dbees", observers=[live], **given)
    return sent, result, live.recorder.recording


def test_the_messages_begin_go_on_and_end_with_the_whole_recording(monkeypatch):
    monkeypatch.setattr("swarmkit.viewing.live.INTERVAL", 0.0)
    sent, result, made = watched(seed=1)
    assert [next(iter(message)) for message in sent] == ["begin", *["more"] * (len(sent) - 2), "end"]
    assert sent[0]["begin"]["frames"] == []
    assert json.loads(json.dumps(sent[-1]["end"])) == sent[-1]["end"] == viewer_data(made)
    parts = [frame for message in sent[1:-1] for frame in message["more"]["frames"]]
    assert parts == sent[-1]["end"]["frames"][: len(parts)]
    assert sent[-1]["end"]["frames"][-1]["score"] == result.score
    better = [one for message in sent[1:-1] for one in message["more"]["improvements"]]
    assert better == sent[-1]["end"]["improvements"][: len(better)]


def test_frames_are_sent_together_a_few_times_a_second():
    sent, _, made = watched(seed=1)
    assert len(sent) < len(made.frames) / 2


def test_a_watched_run_is_the_same_run():
    _, result, _ = watched(seed=3)
    assert result.differences(swarmkit.solve("synthetic", "dbees", seed=3)) == []


def test_a_viewer_can_stop_a_run():
    def send(message):
        if "more" in message:
            live.stop()

    live = LiveRecorder(send)
    result = swarmkit.solve("synthetic", "annealing", looks=10**12, seconds=60, observers=[live])
    assert result.stopped == STOPPED
    assert result.seconds < 30
