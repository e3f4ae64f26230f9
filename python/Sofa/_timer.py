"""The timer: how long parts of a script, and the phases of the steps in it, take.

SPDX-License-Identifier: Apache-2.0
"""

import contextlib
import time

_enabled = {}  # id: is it on?
_intervals = {}
_records = {}  # id: the record of the last begin to end
_open = []  # records that have begun, outermost first: (label, record)


def _milliseconds():
    return 1e3 * time.perf_counter()


def _add(record, label, entry):
    """A label that is met again holds a list."""
    before = record.get(label)
    if before is None:
        record[label] = entry
    elif isinstance(before, list):
        before.append(entry)
    else:
        record[label] = [before, entry]


def _begin(label):
    record = {"start_time": _milliseconds()}
    if _open:
        _add(_open[-1][1], label, record)
    _open.append((label, record))
    return record


def _end(label):
    if not _open or _open[-1][0] != label:
        raise RuntimeError(f"the timer's '{label}' has not begun, or something in it has not ended")
    record = _open.pop()[1]
    record["end_time"] = _milliseconds()
    record["total_time"] = record["end_time"] - record["start_time"]


class Timer:
    """setEnabled(id, True), begin(id), ... end(id), then getRecords(id): a dict for each label, times in milliseconds."""

    @staticmethod
    def setEnabled(id, enabled):
        _enabled[id] = bool(enabled)

    @staticmethod
    def isEnabled(id):
        return _enabled.get(id, False)

    @staticmethod
    def setInterval(id, interval):
        _intervals[id] = int(interval)

    @staticmethod
    def getInterval(id):
        return _intervals.get(id, 0)

    @staticmethod
    def begin(id):
        if _enabled.get(id):
            _open.clear()
            _records[id] = _begin(id)

    @staticmethod
    def end(id):
        if _enabled.get(id):
            _end(id)

    @staticmethod
    def stepBegin(label):
        if _open:
            _begin(label)

    @staticmethod
    def stepEnd(label):
        if _open:
            _end(label)

    @staticmethod
    def getRecords(id):
        return dict(_records.get(id, {}))

    @staticmethod
    def clear():
        _records.clear()
        _open.clear()


@contextlib.contextmanager
def animate(scene):
    """A step: its phases, with the time that each took, are records of a timer that runs."""
    if not _open:
        yield
        return
    before = scene.profile
    record = _begin("Simulation::animate")
    try:
        yield
    finally:
        for name, phase in scene.profile.items():
            seconds = phase.seconds - (before[name].seconds if name in before else 0)
            if seconds > 0:
                _add(record, name, {"start_time": record["start_time"], "end_time": record["start_time"] + 1e3 * seconds,
                                    "total_time": 1e3 * seconds})
        _end("Simulation::animate")
