"""What a control process asks of the kernel reaches all its threads, and a refusal is one sentence."""

from __future__ import annotations

import os
import sys

import pytest

from wbc_control.parameters.middleware import RealTimeParameters
from wbc_control.ros import process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")

ASK = """
import os, threading, time
from wbc_control.parameters.middleware import RealTimeParameters
from wbc_control.ros.process import request_real_time, step_back, threads
threading.Thread(target=time.sleep, args=(60.0,), daemon=True).start()
core = str(min(os.sched_getaffinity(0)))
print("refused", request_real_time(RealTimeParameters(policy="fifo", priority=7, affinity=core, lock_memory=True)))
ranks = {(os.sched_getscheduler(t), os.sched_getparam(t).sched_priority) for t in threads()}
print("threads", len(threads()), "ranks", ranks, "cores", {len(os.sched_getaffinity(t)) for t in threads()})
step_back()
print("served", os.sched_getparam(0).sched_priority, "slack", open("/proc/self/timerslack_ns").read().strip(), "ns")
print("locked", [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmLck")])
"""


def test_every_thread_is_asked_for(start):
    child = start("-c", ASK)
    assert child.wait(60.0) == 0, child.text
    said = child.text
    assert ("slack 1 ns" in said or "slack 0 ns" in said) and "cores {1}" in said  # a real-time thread has none
    if "SCHED_FIFO 7 refused" in said:
        pytest.skip("SCHED_FIFO is not permitted here")
    assert "threads 2 ranks {(1, 7)}" in said and f"served {process.SERVICE_PRIORITY}" in said
    assert "mlockall refused" in said or "locked ['0']" not in said


def test_refusals_are_said_in_one_sentence_each(monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(process.os, "sched_setscheduler", refuse)
    monkeypatch.setattr(process.os, "sched_setaffinity", refuse)
    sentences = process.request_real_time(RealTimeParameters(policy="fifo", affinity="0"))
    assert len(sentences) == 2 and "SCHED_FIFO 70 refused" in sentences[1] and "affinity '0' refused" in sentences[0]
    assert not any("\n" in sentence for sentence in sentences)


def test_a_core_that_is_no_number_is_refused_in_words():
    (sentence,) = process.request_real_time(RealTimeParameters(affinity="first"))
    assert "affinity 'first' refused" in sentence


def test_nothing_is_asked_for_by_default():
    before = os.sched_getaffinity(0), os.sched_getscheduler(0)
    assert process.request_real_time(RealTimeParameters()) == []
    assert (os.sched_getaffinity(0), os.sched_getscheduler(0)) == before


def test_memory_settles_once_and_collections_become_rare():
    import gc

    before = gc.get_threshold()
    try:
        process.settle_memory()
        assert gc.get_freeze_count() > 0 and gc.get_threshold()[0] >= 50_000
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
