"""Says whether what the guest's programs printed can be true on a Cortex-A8.

The figures stand in programs/work.h; the arithmetic is written out here a second time, on purpose. Counts
of a window hold the kernel's own work as well: the largest count of an empty window is the noise (see also
COLD), and the smallest of many windows must lie between the arithmetic and the arithmetic plus the noise, and AROUND.
"""

import re
from typing import NamedTuple

TURNS = 20000
LINES = 4096
PASSES = 4
PAGES = 128
COINS = 16384
LINES_IN_A_PAGE = 64

# What stands around the loops of a window's work: calls and the loop over passes. Sixteen instructions a pass
# are more than there are, and none makes more than one of any event.
AROUND = 16 * PASSES

# The work and the event, the least that can be right, and how much more can be before the noise.
# Four standard deviations of COINS tosses are 256. A branch that falls is predicted by one of 1024
# histories: each may have to learn it once.
ARITHMETIC = {
    ("loop", 0x08): (2 * TURNS, 0),
    ("loop", 0x0c): (TURNS - 1, 0),
    ("loop", 0x0d): (TURNS, 0),
    ("loop", 0x03): (0, 0),
    ("loop", 0x05): (0, 0),
    ("loop", 0x11): (TURNS, None),
    ("lines", 0x08): (4 * LINES * PASSES, 0),
    ("lines", 0x03): (LINES * PASSES, 0),
    ("lines", 0x04): (LINES * PASSES, 0),
    ("lines", 0x05): (LINES // LINES_IN_A_PAGE * PASSES, 0),
    ("lines", 0x0c): ((LINES - 1) * PASSES, 0),
    ("lines", 0x11): (2 * LINES * PASSES, None),
    ("pages", 0x08): (4 * PAGES * PASSES, 0),
    ("pages", 0x04): (PAGES * PASSES, 0),
    ("pages", 0x05): (PAGES * PASSES, 0),
    ("coins", 0x08): (7 * COINS + COINS // 2 - 256, 512),
    ("coins", 0x0d): (2 * COINS, 0),
    ("coins", 0x10): (COINS // 2 - 256, 512 + 1024),
}

# Of work_hot and work_cold in samples.c: 100 rounds of 20000 turns of two instructions, one of them a branch.
SAMPLED = {0x08: 4000000, 0x0c: 2000000}

# Events that may read zero although the guest did a bit of everything.
MAY_BE_ZERO = {
    0x00: "nothing writes SWINCR",
    0x0b: "the kernel writes CONTEXTIDR only when it changes the process",
    0x4b: "the data cache has 16 KiB",
}

# Events that a cold cache or TLB makes. The work leaves them cold for the kernel's part of the window behind
# it, which is not so in an empty one: there each of the kernel's accesses can be one.
COLD = {0x03, 0x05}
L1D_CACHE = 0x04

KERNEL_SAYS = re.compile(r"enabled with (\w+) PMU driver, (\d+) counters available")

NO_PLUGIN = ("the machine's monitor counts nothing but cycles: QEMU runs without the armpmu plugin; name it "
             "with --plugin")

USER_ACCESS = {"read-pmnc": "undefined", "read-ccnt": "undefined", "read-intens": "undefined",
               "read-useren": "data", "write-useren": "undefined"}


class Event(NamedTuple):
    """A row of the catalogue."""
    number: int
    name: str
    fidelity: str


def parse(lines):
    """Lines 'kind key=value ...' as (kind, {key: value}), numbers as such; other lines are left out."""
    records = []
    for line in lines:
        kind, *words = line.split() or [""]
        if words and all("=" in word for word in words):
            fields = {}
            for word in words:
                key, value = word.split("=", 1)
                fields[key] = int(value, 0) if re.fullmatch(r"0x[0-9a-f]+|\d+", value) else value
            records.append((kind, fields))
    return records


def failures(records):
    return [f"a program of the guest failed: {fields}" for kind, fields in records
            if kind == "failed"]


def kernel(lines):
    """The kernel's own line about its driver."""
    found = [match for match in map(KERNEL_SAYS.search, lines) if match]
    if not found:
        return ["the kernel does not say which PMU driver it uses"]
    said = (found[0][1], int(found[0][2]))
    if said != ("armv7_cortex_a8", 5):
        return [f"the kernel uses driver {said[0]} with {said[1]} counters; armv7_cortex_a8 with 5 "
                "is right"]
    return []


def counts(records):
    """counts.c: arithmetic <= the smallest count <= arithmetic + noise."""
    windows = {(fields["work"], fields["event"]): fields for kind, fields in records
               if kind == "count"}
    if not windows:
        return ["no counts were printed"]
    if all(fields["most"] == 0 for (_, event), fields in windows.items() if event != 0x11):
        return [NO_PLUGIN]
    wrong = []
    for (work, event), (low, more) in ARITHMETIC.items():
        window, empty = windows.get((work, event)), windows.get(("nothing", event))
        if window is None or empty is None:
            wrong.append(f"{work}: event 0x{event:02x} was not counted")
            continue
        noise = empty["most"]
        if event in COLD:
            noise = max(noise, windows["nothing", L1D_CACHE]["least"])
        high = None if more is None else low + more + AROUND + noise
        if window["least"] < low or (high is not None and window["least"] > high):
            wrong.append(f"{work}: event 0x{event:02x} is {window['least']}, by arithmetic "
                         f"{low} to {'any' if high is None else high} (noise {noise}, {AROUND} around the loops)")
    return wrong + cycles(records)


def cycles(records):
    """The cycle counter and event 0x11 count the same thing, switched by the same bit of PMNC."""
    return [f"{fields['work']}: the cycle counter is {fields['ccnt']}, event 0x11 beside it "
            f"{fields['event']}" for kind, fields in records
            if kind == "cycles" and fields["ccnt"] != fields["event"]]


def samples(records, times=1):
    """samples.c: as many samples as the count holds periods, nine of ten in work_hot.

    work_hot and work_cold must have nine tenths of the samples that their own events call for. Their share of all samples
    is not checked: on a busy host, more of the guest's timer ticks fall into the same work."""
    found = [fields for kind, fields in records if kind == "samples"]
    wrong = [] if len(found) == 2 else [f"{len(found)} events were sampled, 2 should be"]
    for fields in found:
        name = f"samples of event 0x{fields['event']:02x}"
        due, got = fields["count"] // fields["period"], fields["samples"] + fields["lost"]
        inside = fields["hot"] + fields["cold"]
        if fields["count"] == 0:
            wrong.append(f"{name}: {NO_PLUGIN}")
        elif abs(got - due) > 1 + due // 50:
            wrong.append(f"{name}: {got}, the count of {fields['count']} holds {due} periods of "
                         f"{fields['period']}")
        elif inside < 0.9 * times * SAMPLED[fields["event"]] / fields["period"]:
            wrong.append(f"{name}: {inside} of {got} in work_hot and work_cold, which make "
                         f"{times * SAMPLED[fields['event']]} events")
        elif not 0.85 <= fields["hot"] / inside <= 0.95:
            wrong.append(f"{name}: {fields['hot']} of {inside} in work_hot, which does nine tenths "
                         "of the work")
    return wrong


def multiplex(records):
    """multiplex.c: eight events on four counters run half of the time, and scale to the arithmetic."""
    turns = [fields["turns"] for kind, fields in records if kind == "multiplexed"]
    found = [fields for kind, fields in records if kind == "multiplex"]
    if len(turns) != 1 or len(found) != 8:
        return [f"{len(found)} events were multiplexed, 8 should be"]
    if all(fields["count"] == 0 for fields in found):
        return [NO_PLUGIN]
    wrong = []
    for fields in found:
        name = f"multiplexed event 0x{fields['event']:02x}"
        share = fields["running"] / fields["enabled"]
        due = turns[0] * (2 if fields["event"] == 0x08 else 1)
        if not 0.35 <= share <= 0.65:
            wrong.append(f"{name} ran {share:.0%} of the time; with 4 counters for 8 events half "
                         "is right")
            continue
        scaled = round(fields["count"] / share)
        if not 0.8 * due <= scaled <= 1.25 * due:
            wrong.append(f"{name} scales to {scaled}, by arithmetic about {due}")
    return wrong


def every_event(records, catalogue):
    """every_event.c: each event of the catalogue opens, and counts if something makes it."""
    opened = {fields["event"]: fields["count"] for kind, fields in records if kind == "opened"}
    wrong = []
    for event in catalogue:
        number, name = event.number, f"0x{event.number:02x} {event.name}"
        is_silent = number in MAY_BE_ZERO or event.fidelity not in ("exact", "modelled")
        if number not in opened:
            wrong.append(f"{name} cannot be opened")
        elif opened[number] == 0 and not is_silent:
            wrong.append(f"{name} counts nothing although the guest did a bit of everything")
    counting = [number for number, count in opened.items() if count and number != 0x11]
    return wrong if counting else [NO_PLUGIN]


def user_access(records):
    """user_access.c: USEREN is zero under Linux."""
    got = {fields["access"]: fields["result"] for kind, fields in records if kind == "user"}
    return [f"User mode, {access}: {got.get(access)}, right is {right}"
            for access, right in USER_ACCESS.items() if got.get(access) != right]
