"""The command with its real engine: what a program and its user see of being counted.

usage: guest.py ARMPMU GUEST MACHINES

GUEST: guest.c, built for Arm Linux.
"""

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "manual"))
import manual_events  # noqa: E402

EVERY_BYTE = bytes(range(256)) * 3


class Guest:
    def __init__(self, armpmu, guest, machines):
        self.words = [armpmu, "stat"]
        self.guest = guest
        self.environment = os.environ | {"ARMPMU_MACHINE_PATH": machines, "ARMPMU_MACHINE": ""}

    def stat(self, options, *arguments, **how):
        return subprocess.run([*self.words, *options, "--", self.guest, *arguments],
                              env=self.environment, capture_output=True, check=False,
                              **({"input": EVERY_BYTE} | how))


def streams_and_status_are_the_programs(guest):
    for status in (0, 3, 125, 255):
        run = guest.stat(["-e", "cycles"], str(status))
        assert run.returncode == status, run
        assert run.stdout == EVERY_BYTE, run.stdout
        assert run.stderr.startswith(b"complaint\n"), run.stderr
        assert b"CPU_CYCLES" in run.stderr, run.stderr


def closed_streams_stay_closed(guest):
    """Also for the command itself: no file of its own takes their numbers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report"
        for closing, status in (("", 0), ("<&-", 1), (">&-", 2), ("2>&-", 4), ("<&- >&- 2>&-", 7)):
            script = f'exec "$@" {closing}'
            words = [*guest.words, "-o", str(path), "-e", "cycles", guest.guest, "streams"]
            run = subprocess.run(["sh", "-c", script, "sh", *words], env=guest.environment,
                                 capture_output=True, check=False)
            assert (run.returncode, run.stdout, run.stderr) == (status, b"", b""), (closing, run)
            assert "CPU_CYCLES" in path.read_text()
        words = [*guest.words, "-e", "cycles", guest.guest, "streams"]
        run = subprocess.run(["sh", "-c", 'exec "$@" 2>&-', "sh", *words], env=guest.environment,
                             capture_output=True, check=False)
        assert (run.returncode, run.stdout) == (125, b""), run  # the report has nowhere to go


def a_killed_program_has_its_counts_and_128_plus_its_signal(guest):
    for number in (signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM, signal.SIGABRT):
        run = guest.stat(["-j", "-e", "INST_RETIRED"], "signal", str(int(number)))
        assert run.returncode == 128 + number, run
        row = json.loads(run.stderr.splitlines()[-1])
        assert int(row["counter-value"]) > 1000, row


def a_qemu_for_other_programs_is_refused(guest):
    """The plugin refuses it when it is loaded, so no report may say that the program ran."""
    other = shutil.which("qemu-aarch64")
    if other is None:
        return
    run = guest.stat(["-e", "cycles", "--qemu", other], "0")
    assert (run.returncode, run.stdout) == (125, b""), run
    assert b"armpmu: the program was not started: " in run.stderr, run.stderr
    assert b"CPU_CYCLES" not in run.stderr, run.stderr


def two_runs_are_the_same_bytes(guest):
    for options in (["-d", "-d"], ["-j", "-e", "all"], ["-x,", "-I", "1000i"], ["--mode", "hw"]):
        first, second = guest.stat(options, "0"), guest.stat(options, "0")
        assert (first.returncode, first.stdout) == (0, EVERY_BYTE), (options, first)
        assert b"CPU_CYCLES" in first.stderr, (options, first)
        assert first.stderr == second.stderr, (options, first.stderr, second.stderr)


def every_event_once_and_relations_hold(guest):
    lines = [line for line in guest.stat(["-j", "-e", "all"], "0").stderr.splitlines()[1:] if b'"event"' in line]
    rows = {row["event"]: row for row in map(json.loads, lines)}
    assert len(rows) == len(lines) == len(manual_events.numbers()), len(rows)
    count = {name: int(row["counter-value"]) for name, row in rows.items()
             if row["counter-value"].isdigit()}
    assert count["INST_RETIRED"] > 1000 and count["CPU_CYCLES"] > 1000
    assert count["L1D_CACHE_REFILL"] <= count["L1D_CACHE"]
    assert count["ISSUED_INSNS"] <= 2 * count["CPU_CYCLES"]


def intervals_and_repeats_count_the_same(guest):
    whole = guest.stat(["-j", "-e", "INST_RETIRED"], "0").stderr.splitlines()[1:]
    total = int(json.loads(whole[0])["counter-value"])
    parts = guest.stat(["-j", "-e", "INST_RETIRED", "-I", "1000i"], "0").stderr.splitlines()
    rows = [json.loads(line) for line in parts if b'"event"' in line]
    assert sum(int(row["counter-value"]) for row in rows) == total
    assert len(rows) >= total // 1000
    run = guest.stat(["-j", "-e", "INST_RETIRED", "-r", "3"], "0")
    assert run.stdout.count(EVERY_BYTE) >= 1  # the first run reads it all, the others find the end
    assert run.stderr.count(b"complaint\n") == 3


def a_report_in_a_file_leaves_the_streams_alone(guest):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report"
        run = guest.stat(["-o", str(path), "-e", "cycles"], "0")
        assert (run.stdout, run.stderr) == (EVERY_BYTE, b"complaint\n"), run
        assert "CPU_CYCLES" in path.read_text()
        run = guest.stat(["-o", "/dev/full", "-e", "cycles"], "0")
        assert (run.returncode, run.stdout) == (125, EVERY_BYTE), run
        assert run.stderr.endswith(b"armpmu: cannot write /dev/full: No space left on device; make "
                                   b"room or choose another file with -o\n"), run.stderr


def an_interrupt_prints_the_counts_so_far(guest):
    """Control-C on the terminal of both, as soon as the program has said something."""
    child, terminal = pty.fork()
    if child == 0:
        with open(os.devnull) as nothing:
            os.dup2(nothing.fileno(), 0)
        os.execve(guest.words[0], [*guest.words, "-e", "INST_RETIRED", guest.guest, "wait"],
                  guest.environment)
    text = b""
    interrupted = False
    while True:
        ready, _, _ = select.select([terminal], [], [], 60)
        assert ready, f"nothing more after {text}"
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # Linux's way to say that the other side is closed
            break
        if not chunk:
            break
        text += chunk
        if b"complaint" in text and not interrupted:
            os.write(terminal, b"\x03")
            interrupted = True
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 130, (status, text)
    assert b"INST_RETIRED" in text and b"The program was interrupted" in text, text


def bad_programs_are_told_apart(guest):
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain"
        plain.write_text("no program")
        cases = [(str(plain), 126), (folder, 126), (folder + "/absent", 127), ("absent-xyzzy", 127),
                 (sys.executable, 126)]
        for program, status in cases:
            run = subprocess.run([*guest.words, program], env=guest.environment,
                                 capture_output=True, check=False)
            assert run.returncode == status, (program, run)
            assert run.stderr.startswith(b"armpmu: ") and run.stderr.count(b"\n") == 1, run
        plain.chmod(0o755)
        run = subprocess.run([*guest.words, str(plain)], env=guest.environment, capture_output=True,
                             check=False)
        assert run.returncode == 126 and b"not an ELF" in run.stderr, run
        run = guest.stat(["--qemu", folder + "/absent"], "0")
        assert run.returncode == 125 and run.stdout == b"", run


def a_machine_with_keys_of_another_core_is_refused(guest):
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder, "own.ini")
        own.write_text("[machine]\nname = own\nbase = cortex-r4f\ncore = cortex-a8\n")
        run = guest.stat(["--machine", str(own)], "0")
    assert (run.returncode, run.stdout) == (125, b""), run
    assert b"l1i.protection is not a key of a machine with the core cortex-a8; remove it" in run.stderr, run


def main():
    guest = Guest(*sys.argv[1:4])
    failed = 0
    for test in (streams_and_status_are_the_programs, closed_streams_stay_closed,
                 a_killed_program_has_its_counts_and_128_plus_its_signal,
                 a_qemu_for_other_programs_is_refused, two_runs_are_the_same_bytes,
                 every_event_once_and_relations_hold, intervals_and_repeats_count_the_same,
                 a_report_in_a_file_leaves_the_streams_alone, an_interrupt_prints_the_counts_so_far,
                 bad_programs_are_told_apart, a_machine_with_keys_of_another_core_is_refused):
        try:
            test(guest)
            print(f"ok {test.__name__}")
        except AssertionError as error:
            failed += 1
            print(f"FAILED {test.__name__}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    sys.exit(main())
