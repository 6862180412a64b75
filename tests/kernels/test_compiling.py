import subprocess
import sys
import threading

import pytest
from numba.core.event import Event, EventStatus

from swarmkit.kernels import compiling, rng

KERNEL = """
from numba import types
from swarmkit.kernels.compiling import FLOAT, INT, kernel
from {module} import Pair

@kernel(FLOAT(types.NamedTuple((INT, FLOAT), Pair)))
def add(pair):
    return pair.a + pair.b

print(add(Pair(1, 2.5)))
"""
PAIR = "from typing import NamedTuple\n\n\nclass Pair(NamedTuple):\n    a: int\n    b: float\n"


def test_a_cache_that_names_a_type_which_has_moved_is_compiled_again(tmp_path):
    for module in ("before", "after"):
        (tmp_path / f"{module}.py").write_text(PAIR)
        (tmp_path / "kernel_of_pairs.py").write_text(KERNEL.format(module=module))
        done = subprocess.run(
            [sys.executable, "-c", "import kernel_of_pairs"], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.stdout == "3.5\n", done.stderr
        (tmp_path / f"{module}.py").unlink()


@pytest.mark.parametrize(("patience", "said"), [(0.0, 1), (60.0, 0)])
def test_whoever_waits_for_kernels_is_told_once(patience, said, capsys, monkeypatch):
    monkeypatch.setattr(compiling, "PATIENCE", patience)
    notice = compiling.CompileNotice()
    start, end = (
        Event("numba:compile", status, {"dispatcher": rng.random_bits})
        for status in (EventStatus.START, EventStatus.END)
    )
    for _ in range(2):
        notice.on_start(start)
        for timer in [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]:
            timer.join(0.5 if said else 0.0)
        notice.on_end(end)
    assert capsys.readouterr().err == f"{compiling.NOTICE}\n" * said
