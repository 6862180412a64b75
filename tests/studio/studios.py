"""A real studio: the command in a process of its own."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

CODE = "from swarmkit.cli import main; main()"


@contextmanager
def studio(*arguments):
    """Start `swarmkit studio`; yield the process and the address that it prints."""
    given = [sys.executable, "-c", CODE, *arguments, "studio", "--no-browser", "--port", "0"]
    process = subprocess.Popen(given, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        yield process, re.search(r"http://\S+", process.stdout.readline())[0]
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
