"""Runs the command on an engine of known counts and compares its reports byte for byte.

usage: reports.py ARMPMU MACHINES [--update]

ARMPMU: the command linked with known_engine.c. MACHINES: the shipped machine files, which the
golden machine is based on. With --update the golden files are written instead; read the difference
before you commit it.
"""

import csv
import fcntl
import io
import json
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "manual"))
import manual_events  # noqa: E402

HERE = Path(__file__).resolve().parent

# Golden file, and the words behind "armpmu stat". The program's name chooses the counts.
GOLDEN = [
    ("text", ["work", "-a", "file"]),
    ("text-detailed", ["-d", "./bin/work"]),
    ("text-no-big-num", ["--no-big-num", "-e", "cycles,instructions", "work"]),
    ("text-instructions", ["-e", "instructions", "work"]),
    ("text-states", ["-e", "cycles,NEON_MRC_STALL_CYCLES,PMUEXTIN0", "work"]),
    ("text-software", ["-e", "task-clock,cycles/name=x/,instructions:pp", "work"]),
    ("csv-software", ["-x,", "-e", "task-clock,cycles/name=x/,instructions:pp", "work"]),
    ("json-software", ["-j", "-e", "task-clock,cycles/name=x/,instructions:pp,armv7_cortex_a8/r03/", "work"]),
    ("text-software-hw", ["--mode", "hw", "-e", "task-clock,cycles,r03,r04,r08,r09", "work"]),
    ("text-verbose", ["-v", "-a", "-e", "task-clock,cycles", "work"]),
    ("text-label", ["-e", "a8/r08,name=a long name of one's own for it/,cycles", "work"]),
    ("text-null", ["-n", "work"]),
    ("text-repeat", ["-r", "3", "-e", "cycles,instructions", "work"]),
    ("text-repeat-noisy", ["-r", "3", "-e", "cycles,instructions,r58", "noisy"]),
    ("text-repeat-twice", ["-r", "2", "-e", "cycles", "noisy"]),
    ("text-repeat-interrupted", ["-r", "3", "-e", "cycles", "interrupted"]),
    ("csv-repeat-interrupted", ["-x,", "-r", "3", "-e", "cycles", "interrupted"]),
    ("text-interval", ["-I", "20", "-e", "cycles,instructions", "work"]),
    ("text-interval-cycles", ["-I", "30000000c", "-e", "cycles,r03", "work"]),
    ("text-interval-instructions", ["-I", "20000000i", "-e", "cycles,r08", "work"]),
    ("text-threads", ["-e", "cycles,instructions", "threads"]),
    ("text-interval-threads", ["-I", "50", "-e", "cycles", "threads"]),
    ("text-per-thread", ["--per-thread", "-e", "cycles,instructions", "threads"]),
    ("text-per-process", ["--per-process", "-e", "cycles,instructions", "shell"]),
    ("text-per-process-threads", ["--per-process", "-e", "cycles", "threads"]),
    ("text-hw", ["--mode", "hw", "long"]),
    ("text-hw-states", ["--mode", "hw", "-e", "r03,r58,cycles", "work"]),
    ("text-hw-threads", ["--mode", "hw", "--per-thread", "-e", "r03,cycles", "threads"]),
    ("text-color", ["--color", "always", "-e", "cycles,r58", "work"]),
    ("md", ["--format", "md", "-d", "work"]),
    ("md-topdown", ["--format", "md", "--topdown", "-e", "cycles,r58", "-r", "2", "work"]),
    ("md-hw-threads", ["--format", "md", "--mode", "hw", "--per-thread", "-e", "r03,cycles", "threads"]),
    ("md-interrupted", ["--format", "md", "-I", "50", "-e", "cycles", "interrupted"]),
    ("text-interrupted", ["-e", "cycles", "interrupted"]),
    ("text-interrupted-exact", ["-e", "cycles,instructions", "interrupted"]),
    ("text-killed", ["-e", "cycles,instructions", "killed"]),
    ("csv-killed", ["-x,", "-e", "instructions", "killed"]),
    ("json-killed", ["-j", "-e", "instructions", "killed"]),
    ("text-ended-by-signal", ["-e", "cycles,instructions", "kill", "11"]),
    ("text-exec", ["-e", "cycles", "exec"]),
    ("text-metrics", ["-M", "ipc,l1d_*", "work"]),
    ("json-metrics", ["-j", "-M", "branch_miss_rate", "-e", "r03", "work"]),
    ("text-topdown", ["--topdown", "work"]),
    ("text-topdown-per-thread", ["--topdown", "-e", "cycles", "--per-thread", "threads"]),
    ("csv-topdown", ["-x,", "--topdown", "-r", "2", "work"]),
    ("json-topdown", ["-j", "--topdown", "-e", "cycles", "work"]),
    ("text-methodology", ["--machine", "neoverse-v1", "--methodology", "work"]),
    ("text-methodology-n1", ["--machine", "neoverse-n1", "--methodology", "-e", "r08", "work"]),
    ("csv-methodology", ["-x,", "--machine", "neoverse-v1", "--methodology", "work"]),
    ("json-methodology", ["-j", "--machine", "neoverse-v1", "--methodology", "-e", "cycles", "work"]),
    ("csv", ["-x,", "work"]),
    ("csv-states", ["-x", ",", "-e", "cycles,NEON_MRC_STALL_CYCLES,PMUEXTIN0", "work"]),
    ("csv-quoted", ["-x", ";", "-e", 'a8/r08,name=a;"b"/', "work"]),
    ("csv-separator-in-count", ["-x", "0", "-e", "cycles", "work"]),
    ("csv-tab", ["-x", "\\t", "-e", "cycles", "work"]),
    ("csv-repeat", ["-x,", "-r", "3", "-e", "cycles,r03", "noisy"]),
    ("csv-interval", ["-x,", "-I", "50", "-e", "cycles,r03", "work"]),
    ("csv-per-thread", ["-x,", "--per-thread", "-e", "cycles,r03", "threads"]),
    ("csv-per-process", ["-x,", "--per-process", "-e", "cycles,r03", "shell"]),
    ("csv-hw", ["-x,", "--mode", "hw", "-e", "cycles,r03,r58", "long"]),
    ("json", ["-j", "work"]),
    ("json-states", ["-j", "-e", "cycles,NEON_MRC_STALL_CYCLES,PMUEXTIN0,PMUEXTIN1", "pins"]),
    ("json-repeat", ["-j", "-r", "3", "-e", "cycles,r03", "noisy"]),
    ("json-interval", ["-j", "-I", "50", "-e", "cycles,r03", "work"]),
    ("json-per-thread", ["-j", "--per-thread", "-e", "cycles,r03", "threads"]),
    ("json-per-process", ["-j", "--per-process", "-e", "cycles,r03", "shell"]),
    ("json-hw", ["-j", "--mode", "hw", "-e", "cycles,r03,r58", "long"]),
    ("json-interrupted", ["-j", "-e", "cycles", "interrupted"]),
    ("json-exec", ["-j", "-e", "cycles", "exec"]),
]

# The same behind "armpmu guest"; QEMU's name chooses the counts.
GOLDEN_GUEST = [
    ("guest-text", ["-e", "cycles,instructions,L1D_CACHE_*,PMUEXTIN0,r58", "work", "-M", "virt"]),
    ("guest-text-topdown", ["--topdown", "work"]),
    ("guest-md-two", ["--format", "md", "--per-cpu", "-e", "cycles,instructions", "two"]),
    ("guest-text-two", ["-e", "cycles,instructions", "two"]),
    ("guest-text-per-cpu", ["--per-cpu", "-e", "cycles,instructions", "two"]),
    ("guest-text-interval", ["-I", "5", "-e", "cycles,instructions", "work"]),
    ("guest-text-interval-per-cpu", ["-I", "8000000c", "--per-cpu", "-e", "cycles", "two"]),
    ("guest-text-interrupted", ["-e", "cycles", "interrupted"]),
    ("guest-text-cut-short", ["--no-big-num", "-e", "cycles", "kill", "9"]),
    ("guest-text-idle", ["-e", "cycles", "idle"]),
    ("guest-csv", ["-x,", "-e", "cycles,instructions,L1D_CACHE_REFILL,r58", "work"]),
    ("guest-csv-interval", ["-x,", "-I", "10", "--per-cpu", "-e", "cycles,r08", "two"]),
    ("guest-json", ["-j", "-e", "cycles,instructions,L1D_CACHE_REFILL,r58", "work"]),
    ("guest-json-interval", ["-j", "-I", "10", "--per-cpu", "-e", "cycles,r08", "two"]),
    ("guest-json-cut-short", ["-j", "-e", "cycles", "kill", "9"]),
]

HW_MODE = ["--mode", "hw", "-e", "cycles,{r03,r44}"]


class Command:
    def __init__(self, armpmu, machines):
        self.armpmu = armpmu
        self.environment = {
            "PATH": os.environ.get("PATH", ""),
            "ARMPMU_MACHINE": "golden",
            "ARMPMU_MACHINE_PATH": f"{HERE.parent / 'machines'}:{machines}",
        }

    def run(self, command, words, **variables):
        return subprocess.run([self.armpmu, command, *words], env=self.environment | variables,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)

    def stat(self, words, **variables):
        return self.run("stat", words, **variables)


def golden_reports(command, update):
    """Every golden report: standard error byte for byte, nothing on standard output."""
    cases = [("stat", *case) for case in GOLDEN] + [("guest", *case) for case in GOLDEN_GUEST]
    for subcommand, name, words in cases:
        path = HERE / "golden" / (name + ".txt")
        run = command.run(subcommand, words)
        status = (130 if "interrupted" in words else 137 if "killed" in words else
                  128 + int(words[-1]) if "kill" in words else 0)
        assert run.stdout == b"", f"{name}: standard output is the program's: {run.stdout}"
        assert run.returncode == status, (name, run)
        if update:
            path.write_bytes(run.stderr)
        want = path.read_bytes()
        assert run.stderr == want, f"{name}:\n--- want\n{want.decode()}--- got\n{run.stderr.decode()}"
    stale = {p.stem for p in (HERE / "golden").glob("*.txt")} - {case[1] for case in cases}
    assert not stale, f"golden files without a case: {stale}"


def objects(text):
    """Of -j, one an event: a further metric, as in perf's output, has no name."""
    rows = [json.loads(line) for line in text.splitlines()]
    for row in rows:
        assert "event" in row or list(row)[-2:] == ["metric-value", "metric-unit"], row
    return [row for row in rows if "event" in row]


def every_event_is_one_json_object(command, _):
    """-j -e all: one object a line, perf's keys, every event once, no count where there is none."""
    rows = objects(command.stat(["-j", "-e", "all", "work"]).stderr.decode("ascii"))
    numbers = [int(row["number"], 16) for row in rows]
    assert numbers == manual_events.numbers(), numbers
    for row in rows:
        keys = list(row)
        assert keys[:5] == ["counter-value", "unit", "event", "event-runtime", "pcnt-running"], keys
        assert keys[5:7] == ["metric-value", "metric-unit"], keys
        assert isinstance(row["counter-value"], str)
        counted = row["counter-value"].isdigit()
        expected = "<no input>" if row["fidelity"] == "input" else None
        assert counted if expected is None else row["counter-value"] == expected, row
        assert (row["event-runtime"] > 0) == counted, row


def csv_lines_have_the_same_number_of_columns(command, _):
    """Whatever the options and whatever the separator, also where it occurs in a field."""
    options = [[], ["-r", "2"], ["--per-thread"], ["-I", "20"], HW_MODE, ["-d", "-d"]]
    for separator in [",", ";", ".", "0", "|"]:
        for more in options:
            words = ["-x", separator, *more, "-e", "all"] if more != HW_MODE else ["-x", separator, *more]
            text = command.stat([*words, "threads"]).stderr.decode()
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
            widths = {len(row) for row in rows}
            assert len(rows) > 2 and len(widths) == 1, (words, widths)


def format_names_the_formats(command, _):
    """--format is the same as the option of a format, and does not go with another's."""
    words = ["-e", "cycles,r03,r58", "work"]
    for name, option in ("text", []), ("csv", ["-x,"]), ("json", ["-j"]):
        assert command.stat(["--format", name, *words]).stderr == command.stat([*option, *words]).stderr, name
    for own in ["-x;"], ["-j=1"]:
        name = "csv" if own == ["-x;"] else "json"
        want = command.stat([*own, *words]).stderr
        for both in [*own, "--format", name], ["--format", name, *own]:
            assert command.stat([*both, *words]).stderr == want, both
    for wrong, part in (["--format", "md", "-j"], b"two formats"), (["--format", "xml"], b"there are text, csv, json and md"):
        run = command.stat([*wrong, *words])
        assert run.returncode == 125 and part in run.stderr, run


def formats_agree(command, _):
    """Text, CSV and JSON are the same counts."""
    words = ["-d", "-d"]
    rows = objects(command.stat(["-j", *words, "work"]).stderr)
    from_json = [(row["event"], row["counter-value"]) for row in rows]
    text = command.stat(["-x,", *words, "work"]).stderr.decode()
    from_csv = [(row[2], row[0]) for row in csv.reader(text.splitlines()) if row[2]]
    assert from_csv == from_json
    text = command.stat(["--no-big-num", *words, "work"]).stderr.decode()
    for event, count in from_json:
        assert any(line.split()[:2] == [count, event] or line.strip().startswith(count + " ") and
                   event in line.split() for line in text.splitlines()), (event, count)


def a_locale_with_a_decimal_comma_changes_nothing(command, _):
    """In a locale that writes 0,63 the outputs are the same bytes."""
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run(["localedef", "-i", "fr_FR", "-f", "UTF-8", f"{folder}/fr_FR.UTF-8"],
                              capture_output=True, check=False)
        if made.returncode != 0:
            print("  no locale sources (package locales): only the variables are set")
        for words in (["work"], ["-x,", "work"], ["-j", "work"]):
            french = command.stat(words, LC_ALL="fr_FR.UTF-8", LOCPATH=folder)
            assert french.stderr == command.stat(words).stderr, words


def two_runs_are_the_same_bytes(command, _):
    for words in (["-d", "-d", "work"], ["-j", "-e", "all", "work"], ["-I", "7", "work"]):
        first, second = command.stat(words), command.stat(words)
        assert first.returncode == 0 and b"INST_RETIRED" in first.stderr, first
        assert first.stderr == second.stderr, words


def a_report_in_a_file_names_its_setup(command, _):
    """-o: standard error stays empty, the first line is a comment, --append adds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report"
        for words in (["-e", "cycles"], ["-x,", "-e", "cycles"]):
            run = command.stat([*words, "-o", str(path), "work"])
            assert (run.returncode, run.stdout, run.stderr) == (0, b"", b""), run
            first = path.read_text().splitlines()[0]
            assert first.startswith("# armpmu stat: cortex-a8 @ 720 MHz"), first
            assert "mode=all" in first and "seed 1" in first and "[machine golden]" in first, first
        once = path.read_bytes()
        command.stat(["-x,", "-e", "cycles", "-o", str(path), "--append", "work"])
        assert path.read_bytes() == once + once
        command.stat(["-j", "-e", "cycles", "-o", str(path), "work"])
        assert json.loads(path.read_text())["event"] == "cycles"
        assert [p.name for p in Path(folder).iterdir()] == ["report"]


def a_failing_program_leaves_no_report(command, _):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report"
        assert command.stat(["-o", str(path), "absent"]).returncode == 127
        assert not path.exists()


def intervals_add_up_to_the_whole(command, _):
    whole = objects(command.stat(["-j", "-e", "all", "work"]).stderr)
    parts = objects(command.stat(["-j", "-e", "all", "-I", "3", "work"]).stderr)
    sums = {}
    for row in parts:
        if row["counter-value"].isdigit():
            sums[row["event"]] = sums.get(row["event"], 0) + int(row["counter-value"])
    for row in whole:
        if row["counter-value"].isdigit():
            assert sums[row["event"]] == int(row["counter-value"]), row
    times = [row["interval"] for row in parts]
    assert times == sorted(times) and len(set(times)) == 29, times  # 85.1 ms in steps of 3


def colour_is_for_terminals(command, _):
    """Escapes on a terminal, unless NO_COLOR is set, --color never is given or a file is written."""
    cases = [
        ([], {}, True),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"TERM": "dumb"}, False),
        (["--color", "always"], {"TERM": "dumb"}, True),
        ([], {"NO_COLOR": ""}, True),  # empty means unset
        (["--color", "never"], {}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
    ]
    for options, variables, coloured in cases:
        terminal, inside = pty.openpty()
        words = [command.armpmu, "stat", *options, "-e", "cycles", "work"]
        subprocess.run(words, env=command.environment | variables, stdin=subprocess.DEVNULL,
                       stderr=inside, check=True)
        os.close(inside)
        text = b""
        while chunk := read_terminal(terminal):
            text += chunk
        os.close(terminal)
        assert b"CPU_CYCLES" in text, text
        assert (b"\x1b[" in text) == coloured, (options, variables, text)


def lines_fit_the_terminal(command, _):
    """The list of figures is broken where two do not fit, paragraphs between words; a pipe has no width."""
    for columns in (72, 100, 200):
        terminal, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
        words = [command.armpmu, "stat", "--color", "never", "--topdown", "-d", "work"]
        subprocess.run(words, env=command.environment, stdin=subprocess.DEVNULL, stderr=inside, check=True)
        os.close(inside)
        text = b""
        while chunk := read_terminal(terminal):
            text += chunk
        os.close(terminal)
        lines = text.decode().replace("\r", "").splitlines()
        assert max(len(line) for line in lines) <= columns, (columns, max(lines, key=len))
        assert (b"MPKI" in text) and any("% of L1D accesses, " in line for line in lines) == (columns > 72), text


def read_terminal(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux's way to say that the other side is closed
        return b""


def main():
    armpmu, machines = sys.argv[1:3]
    update = "--update" in sys.argv[3:]
    command = Command(armpmu, machines)
    failed = 0
    for test in (golden_reports, every_event_is_one_json_object,
                 csv_lines_have_the_same_number_of_columns, format_names_the_formats, formats_agree,
                 a_locale_with_a_decimal_comma_changes_nothing, two_runs_are_the_same_bytes,
                 a_report_in_a_file_names_its_setup, a_failing_program_leaves_no_report,
                 intervals_add_up_to_the_whole, colour_is_for_terminals, lines_fit_the_terminal):
        try:
            test(command, update)
            print(f"ok {test.__name__}")
        except AssertionError as error:
            failed += 1
            print(f"FAILED {test.__name__}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
