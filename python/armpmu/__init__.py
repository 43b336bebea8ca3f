"""Counts Arm programs from Python, and reads what armpmu wrote.

    import armpmu
    report = armpmu.stat(["./program"], machine="cortex-a8")        # a Report
    report.counts["CPU_CYCLES"]
    table = armpmu.sweep(["./program"], machine="cortex-a8", settings={"l2.size_kb": [128, 256]})
    table.frame()                                                   # with pandas
    profile = armpmu.record(["./program"])                          # a Profile
    profile.frame("by_function")

armpmu.load(FILE) reads a file of any of the three. armpmu.plot draws a sweep (needs matplotlib), armpmu.sim feeds the
core models (needs cffi and a C compiler). Everything else needs the standard library alone, and frame() pandas.
"""

from armpmu.command import Failed, find, record, stat, sweep
from armpmu.profile import Profile
from armpmu.reports import Report, Sweep, load

__all__ = ["Failed", "Profile", "Report", "Sweep", "find", "load", "record", "stat", "sweep"]
