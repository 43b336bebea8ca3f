"""Figures of sweeps and profiles with matplotlib."""

MARKERS, LINES = "osD^vP*X", ("-", "--", ":")  # curves that coincide are all seen


def pyplot():
    try:
        import matplotlib.pyplot as module
    except ImportError as error:
        raise ImportError("figures need matplotlib: install python3-matplotlib") from error
    return module


def check(frame, *columns):
    for column in columns:
        if column not in frame:
            raise ValueError(f"there is no column '{column}'; there are {', '.join(map(str, frame.columns))}")


def sweep(frame, x, y, by="machine", per=None, axes=None):
    """Draws column y over column x, a curve for each value of column by: a frame of Sweep.frame().

    per: a column that y is divided by, such as INST_RETIRED; then the axis is per 1000 of it. x is drawn on a scale of powers
    of two where each of its values is one. Returns the axes.
    """
    check(frame, x, y, by, *([per] if per else []))
    axes = axes or pyplot().subplots(figsize=(5, 3.2), layout="constrained")[1]
    for i, (name, rows) in enumerate(frame.sort_values(x).groupby(by, sort=False)):
        values = rows[y] if per is None else 1000 * rows[y] / rows[per]
        axes.plot(rows[x], values, marker=MARKERS[i % len(MARKERS)], linestyle=LINES[i % len(LINES)], fillstyle="none",
                  label=str(name))
    if all(isinstance(value, int) and value > 0 and value & (value - 1) == 0 for value in frame[x].tolist()):
        axes.set_xscale("log", base=2)
        axes.set_xticks(sorted(set(frame[x])), [str(value) for value in sorted(set(frame[x]))])
        axes.minorticks_off()
    axes.set_xlabel(x)
    axes.set_ylabel(y if per is None else f"{y} per 1000 {per}")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(title=by, fontsize="small")
    return axes


def bars(frame, label, n=10, axes=None):
    """Draws the largest n rows of a view of a profile with its percentages: a frame of Profile.frame(VIEW, EVENT)."""
    check(frame, label, "percent", "event")
    axes = axes or pyplot().subplots(figsize=(5, 3.2), layout="constrained")[1]
    rows = frame.sort_values("percent", ascending=False).head(n).iloc[::-1]
    axes.barh([str(name) for name in rows[label]], rows["percent"])
    axes.set_xlabel(f"% of {', '.join(sorted(set(rows['event'])))}")
    return axes
