"""A real studio: the command in a process of its own."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

CODE = "from swarmkit.cli import main; main()"


@contextmanager
def studio(*arguments, browser=None):
    """Start `swarmkit studio`; yield the process and the address that it prints.

    Args:
        arguments: what stands before the command.
        browser: a program that is started as the browser; none by default.
    """
    options = ["--no-browser"] if browser is None else []
    command = [sys.executable, "-c", CODE, *arguments, "studio", *options, "--port", "0"]
    environment = os.environ | ({} if browser is None else {"BROWSER": f"{browser} %s"})
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True, env=environment)
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
