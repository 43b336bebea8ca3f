"""A row of a profile ends at the last signal that its core counts (core_ops.n_signals): a model that counted one behind
it would write past the row.

usage: row_length.py SOURCE_ROOT
"""

import re
import sys
from pathlib import Path


def check(root):
    signals = re.findall(r"^SIGNAL\((\w+)", Path(root, "include/armpmu/signal.def").read_text(encoding="utf-8"),
                         re.MULTILINE)
    complaints = []
    for folder in sorted(path for path in Path(root, "src/cores").iterdir() if path.is_dir()):
        sources = {path: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.[ch]"))}
        ends = re.findall(r"\.n_signals = ARMPMU_SIGNAL_(\w+)( \+ 1)?,", "".join(sources.values()))
        if len(ends) != 1:
            complaints.append(f"{folder}: says {len(ends)} times where its rows end, in place of once")
            continue
        (last, beyond), = ends
        end = len(signals) if last == "COUNT" else signals.index(last) + bool(beyond)
        for path, text in sources.items():
            complaints += [f"{path}: {name} is not in a row, which ends after {signals[end - 1]}"
                           for name in sorted(set(re.findall(r"ARMPMU_SIGNAL_(\w+)", text)))
                           if name in signals[end:]]
    return complaints


if __name__ == "__main__":
    found = check(sys.argv[1])
    sys.exit("\n".join(found) if found else None)
