"""`armpmu guest` on QEMU's `virt` with bare-metal programs whose counts are known by arithmetic.

usage: command.py ARMPMU PLUGIN PROGRAMS

PROGRAMS: the folder of modes.elf, processors.elf, endless.elf, status.elf and events.elf, built from bare/.
BUILD is where scripts/with-qemu11 keeps the QEMU that it fetched. Skipped (77) without one.
"""

import csv
import io
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import qemu11

VIRT = ["-M", "virt,dtb-randomness=off", "-cpu", "cortex-a15", "-m", "64", "-nographic", "-monitor", "none",
        "-serial", "stdio", "-no-reboot"]
SECONDS = 600
ICOUNT = ("-icount", "shift=0", "-seed", "1")

# bare/modes.S, counted by hand: event, in User mode, privileged.
MODES = {
    "INST_RETIRED": (2003, 2017),
    "LD_RETIRED": (500, 2),
    "ST_RETIRED": (500, 3),
    "EXC_TAKEN": (1, 0),  # SVC; HVC switches the power off instead
}


def ignore_no_interrupt():
    """A shell starts what runs in the background with interrupts ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Command:
    """The command with a QEMU that is new enough in PATH."""

    def __init__(self, armpmu, plugin, programs, path):
        self.armpmu, self.plugin, self.programs = armpmu, Path(plugin), Path(programs)
        self.environment = {"PATH": path, "HOME": os.environ.get("HOME", "/")}

    def machine(self, program, *more):
        return ["qemu-system-arm", *VIRT, "-kernel", self.programs / f"{program}.elf", *more]

    def guest(self, words, **variables):
        return subprocess.run([self.armpmu, "guest", *words], stdin=subprocess.DEVNULL, text=True,
                              env=self.environment | variables, capture_output=True, check=False,
                              timeout=SECONDS)

    def start(self, words):
        return subprocess.Popen([self.armpmu, "guest", *words], stdin=subprocess.DEVNULL, text=True,
                                env=self.environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, preexec_fn=ignore_no_interrupt)


def events():
    return ",".join(MODES)


def objects(text):
    """One an event, or a cause of cycles: a further metric has neither."""
    return [row for row in map(json.loads, text.splitlines()) if "counter-value" in row]


def by_event(rows):
    """{(event, mode): count}, summed over intervals and processors."""
    counts = {}
    for row in rows:
        key = row["event"], row["mode"]
        counts[key] = counts.get(key, 0) + int(row["counter-value"])
    return counts


def arithmetic():
    return {(event, mode): count for event, (user, privileged) in MODES.items()
            for mode, count in (("all", user + privileged), ("user", user),
                                ("privileged", privileged))}


def counts_are_those_of_arithmetic_and_streams_are_qemus(command):
    run = command.guest(["-j", "-e", events(), "--", *command.machine("modes")])
    assert (run.returncode, run.stdout) == (0, "ok\n"), run
    rows = objects(run.stderr)
    assert by_event(rows) == arithmetic(), by_event(rows)
    assert len(rows) == 3 * len(MODES), rows
    assert {row["fidelity"] for row in rows} == {"exact"}, rows


def separated_values_and_text_say_the_same(command):
    run = command.guest(["-x;", "-e", events(), "--", *command.machine("modes")])
    assert run.returncode == 0, run
    rows = list(csv.reader(io.StringIO(run.stderr), delimiter=";"))
    assert {len(row) for row in rows} == {10}, rows
    assert {(row[3], row[0]): int(row[1]) for row in rows if row[3]} == arithmetic(), rows
    run = command.guest(["--no-big-num", "-e", events(), "--", *command.machine("modes")])
    assert run.returncode == 0, run
    for event, (user, privileged) in MODES.items():
        line = [line.split() for line in run.stderr.splitlines() if event in line.split()]
        assert len(line) == 1, run.stderr
        assert line[0][:4] == [str(user + privileged), str(user), str(privileged), event], line


def every_event_once_in_every_mode(command):
    run = command.guest(["-j", "--", *command.machine("modes")])
    rows = objects(run.stderr)
    keys = [(int(row["number"], 16), row["mode"]) for row in rows]
    numbers = [*range(0x00, 0x13), *range(0x40, 0x5B), *range(0x70, 0x73)]
    assert keys == [(n, mode) for n in numbers for mode in ("all", "user", "privileged")], keys
    counts = {(row["event"], row["mode"]): row["counter-value"] for row in rows}
    for event, mode in counts:
        if mode == "all" and counts[event, mode].isdigit():
            parts = int(counts[event, "user"]) + int(counts[event, "privileged"])
            assert int(counts[event, mode]) == parts, event


def intervals_add_up_to_the_whole(command):
    whole = command.guest(["-j", "-e", events(), "--", *command.machine("windows")])
    run = command.guest(["-j", "-I", "20000c", "-e", events(), "--", *command.machine("windows")])
    assert run.returncode == 0, run
    rows = objects(run.stderr)
    assert by_event(rows) == by_event(objects(whole.stderr)), by_event(rows)
    times = [row["interval"] for row in rows]
    assert times == sorted(times) and len(set(times)) >= 5, times


def processors_are_counted_apart(command):
    run = command.guest(["-j", "--per-cpu", "-e", "r08", "--",
                         *command.machine("processors", "-smp", "2")])
    assert run.returncode == 0, run
    counts = {(row["cpu"], row["mode"]): int(row["counter-value"]) for row in objects(run.stderr)}
    assert counts["1", "user"] == 1402 and counts["0", "user"] == 0, counts
    run = command.guest(["-e", "r08", "--", *command.machine("processors", "-smp", "2")])
    assert "(2 processors)" in run.stderr and " 1,402 " in run.stderr, run


def two_processors_hand_turns_to_each_other(command):
    for _ in range(5):
        run = command.guest(["-j", "--per-cpu", "-e", "r08", "--", *command.machine("events", "-smp", "2")])
        assert run.returncode == 0, run
        counts = [int(row["counter-value"]) for row in objects(run.stderr) if row["mode"] == "all"]
        assert len(counts) == 2 and min(counts) > 8 * 500, counts


def two_runs_with_icount_are_the_same_bytes(command):
    runs = [command.guest(["-j", "-I", "500c", "--", *command.machine("modes", *ICOUNT)])
            for _ in range(2)]
    assert runs[0].returncode == 0 and runs[0].stderr, runs[0]
    assert runs[0].stderr == runs[1].stderr, "two runs differ"


def icount_without_seeds_warns(command):
    for more, say in (("", "-M virt,dtb-randomness=off and -seed N"), ("-seed 1", "-M virt,dtb-randomness=off"),
                      ("-M virt,dtb-randomness=off", "-seed N"), ("-M virt,dtb-randomness=off -seed 1", None)):
        machine = ["qemu-system-arm", "-M", "virt", *VIRT[2:], "-kernel", command.programs / "modes.elf"]
        run = command.guest(["-e", "r08", "--", *machine, "-icount", "shift=0", *more.split()])
        assert run.returncode == 0, run
        warned = f"warning: -icount: two runs may differ, because QEMU gives the machine different random numbers each time; add {say}\n"
        assert (warned in run.stderr) if say else ("warning" not in run.stderr), run


def overflows_interrupt_at_their_place(command):
    """Also where QEMU's clock counts instructions: there two runs are the same."""
    counted = ICOUNT
    runs = [command.guest(["-x,", "-e", "r08", "--irq", "spi:100", "--",
                           *command.machine("interrupts", *more)])
            for more in ((), counted, counted)]
    for run in runs:
        check_interrupts(run)
    assert (runs[1].stdout, runs[1].stderr) == (runs[2].stdout, runs[2].stderr), runs[1:]


def check_interrupts(run):
    assert run.returncode == 0, run
    said = {name: int(count, 16) for name, count in map(str.split, run.stdout.splitlines())}
    assert list(said) == ["entries", "skid", "again", "quiet"], said
    # 20000 instructions and an overflow behind every 1000; the handler's own are some of them.
    assert 15 <= said["entries"] <= 20 and said["skid"] < 10, said
    assert (said["again"], said["quiet"]) == (4, 0), said


def overflows_interrupt_on_other_boards_and_cores(command):
    for machine, cpu in (("cortex-a8", "cortex-a8"), ("cortex-r4f", "cortex-r5f")):
        check_interrupts(command.guest(
            ["-x,", "-e", "r08", "--machine", machine, "--irq", "spi:60", "--", "qemu-system-arm", "-M",
             "realview-pb-a8", "-cpu", cpu, "-nographic", "-monitor", "none", "-serial", "stdio",
             "-semihosting", "-kernel", command.programs / "interrupts-realview.elf"]))


def a_processor_that_sleeps_has_no_cycles(command):
    """10 ms of it: 10 million cycles at the machine's clock."""
    for more in ((), ICOUNT):
        run = command.guest(["-x,", "-e", "r08", "--", *command.machine("sleep", *more)])
        said = [(name, int(count, 16)) for name, count in map(str.split, run.stdout.splitlines())]
        assert [name for name, _ in said] == ["instructions", "timer", "cycles", "timer"], run
        assert said[0][1] == 2 and said[2][1] < 1000, said  # WFI and a MOV
        assert said[1][1] & said[3][1] & 4, said


def said_by(command, program, *more):
    """What a program prints: a name and a number in each line."""
    run = command.guest(["-x,", "-e", "r08", "--", *command.machine(program, *more)])
    assert run.returncode == 0, run
    return {name: int(count, 16) for name, count in map(str.split, run.stdout.splitlines())}


def maintenance_reaches_the_model(command):
    said = said_by(command, "maintenance")
    # 100 loads, of which the first hits; 50 times the loop's one line of code; 100 branches, the last not taken.
    assert said.pop("predicted") < 20, said
    assert said == {"invalidated": 99, "cleaned": 0, "sets": 4, "code": 50, "forgotten": 99}, said


def a_reset_from_inside_resets_the_monitor(command):
    # 100 NOPs and the MOV behind them.
    right = {"overflowed": 4, "pmnc": 0x41002000, "cntens": 0, "flag": 0, "pmnxsel": 0, "ccnt": 0,
             "useren": 0, "intens": 0, "evtsel": 0, "pmcnt": 0, "counts": 101}
    for more in ((), ICOUNT):
        words = [word for word in command.machine("reset", *more) if word != "-no-reboot"]
        run = command.guest(["-x,", "-e", "r08", "--irq", "spi:100", "--", *words])
        said = {name: int(count, 16) for name, count in map(str.split, run.stdout.splitlines())}
        assert said == right, (more, run)


def an_access_in_rom_is_refused_too(command):
    assert said_by(command, "rom") == {"refused": 4, "pmnc": 0x41002000}


def attributes_of_page_tables_say_what_is_cached(command):
    """Bit masks of which attributes are; the numbers' meaning stands in bare/memory.S."""
    normal = 1 << 2 | 1 << 3 | 1 << 6 | 1 << 7 | sum(0b1110 << 4 * tex for tex in range(4, 8))
    assert said_by(command, "memory") == {
        "sections": normal, "pages": normal, "large": normal,
        "remapped": 1 << 3 | 1 << 4 | 1 << 5 | 1 << 7,
        "long": 1 << 3 | 1 << 4 | 1 << 5, "longer": 1 << 3 | 1 << 4 | 1 << 5}


def settings_reach_the_model(command):
    """--set and --seed go to the plugin; where the cycles went adds up to all of them."""
    cycles, machine = [], [*command.machine("memory"), "-semihosting"]
    for latency in (10, 200):
        run = command.guest(["-j", "--topdown", "-e", "CPU_CYCLES", "--set", f"memory.latency_cycles={latency}",
                             "--seed", "3", "--", *machine])
        assert run.returncode == 0, run
        rows = [row for row in objects(run.stderr) if row["mode"] == "all"]
        assert {row["settings"] for row in rows} == {f"memory.latency_cycles={latency} random.seed=3"}, rows
        cycles.append(sum(int(row["counter-value"]) for row in rows if "topdown" not in row))
        assert cycles[-1] == sum(int(row["counter-value"]) for row in rows if "topdown" in row and "cause" not in row)
    assert cycles[1] > cycles[0] * 1.2, cycles
    run = command.guest(["--set", "memory.latency_cycle=10", "--", *machine])
    assert run.returncode == 125 and "memory.latency_cycle" in run.stderr, run


def accesses_in_it_blocks_are_answered(command):
    said = said_by(command, "itblock")
    assert said == {"read": 0x41002000, "others": 1, "write": 0x14, "spsr": 0x04, "after": 7,
                    "counted": 10}, said


def the_exit_status_is_qemus(command):
    run = command.guest(["-x,", "-e", "r08", "--", *command.machine("status", "-semihosting")])
    assert run.returncode == 7, run


def a_report_in_a_file_leaves_the_streams_alone(command):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report")
        run = command.guest(["-o", report, "-e", "r08", "--", *command.machine("modes")])
        assert (run.returncode, run.stdout, run.stderr) == (0, "ok\n", ""), run
        assert " 4,020 " in report.read_text(), report.read_text()


def printed_arguments_serve_without_the_command(command):
    words = command.guest(["--print-args"]).stdout.split()
    assert words[0] == "-plugin" and "machine=cortex-a8" in words[1], words
    qemu, *rest = command.machine("modes")
    run = subprocess.run([qemu, *words, *rest], env=command.environment, text=True, check=False,
                         stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
    line = [line.split() for line in run.stderr.splitlines() if line.endswith(" INST_RETIRED")]
    assert run.returncode == 0 and run.stdout == "ok\n", run
    assert line[0][:3] == ["4020", "2003", "2017"], run.stderr


def a_plugin_with_a_comma_in_its_path_is_loaded(command):
    with tempfile.TemporaryDirectory() as folder:
        plugin = Path(folder, "a,b", "armpmu-qemu.so")
        plugin.parent.mkdir()
        shutil.copy(command.plugin, plugin)
        machines = Path(__file__).resolve().parents[2] / "machines"
        run = command.guest(["-x,", "-e", "r08", "--", *command.machine("modes")],
                            ARMPMU_PLUGIN=str(plugin), ARMPMU_MACHINE_PATH=str(machines))
    assert run.returncode == 0 and run.stderr.startswith("all,4020,"), run


def qemu_of(process):
    """The process id of a command's QEMU, once its machine is counted."""
    for line in process.stderr:
        if line.startswith("#"):
            break
    process.stderr.readline()
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) == 1, children
    return int(children[0])


def finish(process):
    rest = process.communicate(timeout=SECONDS)[1]
    return process.returncode, rest


def an_interrupt_prints_the_counts_so_far(command):
    with command.start(["-I", "10", "-e", "r08", "--", *command.machine("endless")]) as process:
        qemu_of(process)
        process.send_signal(signal.SIGINT)
        status, rest = finish(process)
    assert status == 130, (status, rest)
    assert "The machine was interrupted: these are the counts up to then." in rest, rest


def the_terminal_is_qemus(command):
    """Control-C on the terminal of both; what QEMU's monitor is told before reaches it."""
    child, terminal = pty.fork()
    if child == 0:
        words = ["guest", "--no-big-num", "-e", "r08", "--", "qemu-system-arm", "-M", "virt", "-cpu",
                 "cortex-a15", "-m", "64", "-display", "none", "-monitor", "stdio", "-kernel",
                 str(command.programs / "endless.elf")]
        os.execve(command.armpmu, [command.armpmu, *words], command.environment)
    text, step = b"", 0
    while select.select([terminal], [], [], SECONDS)[0]:
        try:
            text += os.read(terminal, 4096)
        except OSError:  # Linux's way to say that the other side is closed
            break
        if step == 0 and b"(qemu) " in text:
            os.write(terminal, b"info status\n")
            step = 1
        if step == 1 and b"VM status: running" in text:
            os.write(terminal, b"\x03")
            step = 2
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert step == 2 and status == 130, (step, status, text)
    assert b"INST_RETIRED" in text and b"The machine was interrupted" in text, text


def a_killed_qemu_leaves_what_it_had_reported(command):
    with command.start(["-I", "10", "-e", "r08", "--", *command.machine("endless")]) as process:
        os.kill(qemu_of(process), signal.SIGKILL)
        status, rest = finish(process)
    assert status == 137, (status, rest)
    assert "The machine ended without a last report: these are the counts up to" in rest, rest


def a_full_disk_ends_an_endless_machine(command):
    run = command.guest(["-I", "10", "-e", "r08", "-o", "/dev/full", "--", *command.machine("endless")])
    assert run.returncode == 125, run
    assert "armpmu: cannot write /dev/full: No space left on device" in run.stderr, run


def write_program(folder, name, lines):
    path = Path(folder, name)
    path.write_text("#!/bin/sh\n" + lines + "\n")
    path.chmod(0o755)
    return path


def what_cannot_work_is_said_in_a_line(command):
    modes = command.machine("modes")
    with tempfile.TemporaryDirectory() as folder:
        old = write_program(folder, "qemu-old", "echo 'QEMU emulator version 7.2.22 (Debian)'")
        user = write_program(folder, "emulator", "echo 'qemu-arm version 11.1.3'")
        other = write_program(folder, "other", "echo 'other 1.0'")
        mute = write_program(folder, "mute", "exit 0")
        riscv = write_program(folder, "qemu-system-riscv64", "exit 0")
        plain = Path(folder, "plain")
        plain.write_text("no program")
        cases = [
            ([old], 125, f"QEMU '{old}' is version 7.2.22 (Debian); a guest's performance monitor "
             "needs 11 or newer: run armpmu by scripts/with-qemu11 of its sources, which fetches one ('armpmu stat' works with this version)"),
            ([user], 125, f"'{user}' runs single programs, for which there is 'armpmu stat': name "
             "qemu-system-arm to run a machine"),
            ([riscv], 125, "'qemu-system-riscv64' has no machine whose monitor is modelled: use "
             "qemu-system-arm, or qemu-system-aarch64 for an AArch64 core"),
            ([other], 126, f"'{other}' is not QEMU (--version prints 'other 1.0'): name "
             "qemu-system-arm and its arguments"),
            ([mute], 126, f"'{mute}' is not QEMU (--version prints ''): name "
             "qemu-system-arm and its arguments"),
            ([plain], 126, f"'{plain}' is not an executable file: chmod +x it"),
            ([folder], 126, f"'{folder}' is not an executable file: chmod +x it"),
            ([f"{folder}/absent"], 127, f"'{folder}/absent': No such file or directory; correct "
             "its path"),
            (["absent-xyzzy"], 127, "'absent-xyzzy' is not in PATH, and a guest needs version 11 or newer: run armpmu by scripts/with-qemu11 of its sources, which fetches one"),
            ([*modes, "-incoming", "defer"], 125, "'-incoming' takes over a machine whose monitor's counts are not in what "
             "QEMU sends: they would begin at 0; start the machine anew"),
            ([*modes, "--loadvm", "one"], 125, "'--loadvm' goes on from a snapshot, which has no counts of the "
             "monitor: they would begin at 0; start the machine anew"),
            ([*modes, "-daemonize"], 125, "'-daemonize' puts QEMU into the background, armpmu waits "
             "for its end: leave it out"),
        ]
        for words, status, sentence in cases:
            run = command.guest(words)
            assert (run.returncode, run.stdout) == (status, ""), (words, run)
            assert run.stderr == f"armpmu: {sentence}\n", (words, run.stderr)
        run = command.guest(modes, ARMPMU_PLUGIN=f"{folder}/absent.so")
        assert run.returncode == 125 and run.stderr.startswith("armpmu: ARMPMU_PLUGIN names"), run


def what_qemu_says_stands_above(command):
    """Its own message first, then ours, one line each."""
    cases = [
        (["--", *command.machine("absent")], 126, "could not load kernel",
         "ended with status 1 before its machine had run and been counted"),
        (["--irq", "vic:20", "--", *command.machine("modes")], 125,
         "armpmu-qemu.so: irq: where a machine 'virt' has a vic is not known",
         "ended with status 1 and had not loaded the plugin"),
        (["--irq", "spi:100,spi:101", "--", *command.machine("modes", "-smp", "3")], 126,
         "armpmu-qemu.so: irq: 2 interrupts are named, the machine has more processors",
         "armpmu: QEMU '"),
        (["--", "qemu-system-arm", "-M", "nonesuch"], 125, "unsupported machine type",
         "ended with status 1 and had not loaded the plugin"),
    ]
    for words, status, theirs, ours in cases:
        run = command.guest(words)
        first, last = run.stderr.find(theirs), run.stderr.find(ours)
        assert run.returncode == status and -1 < first < last, run


TESTS = (
    counts_are_those_of_arithmetic_and_streams_are_qemus, separated_values_and_text_say_the_same,
    every_event_once_in_every_mode, intervals_add_up_to_the_whole, processors_are_counted_apart,
    two_processors_hand_turns_to_each_other,
    two_runs_with_icount_are_the_same_bytes, icount_without_seeds_warns, overflows_interrupt_at_their_place,
    overflows_interrupt_on_other_boards_and_cores, a_processor_that_sleeps_has_no_cycles,
    a_reset_from_inside_resets_the_monitor, accesses_in_it_blocks_are_answered, settings_reach_the_model,
    an_access_in_rom_is_refused_too, attributes_of_page_tables_say_what_is_cached,
    maintenance_reaches_the_model, the_exit_status_is_qemus,
    a_report_in_a_file_leaves_the_streams_alone, printed_arguments_serve_without_the_command,
    a_plugin_with_a_comma_in_its_path_is_loaded, an_interrupt_prints_the_counts_so_far,
    the_terminal_is_qemus, a_killed_qemu_leaves_what_it_had_reported,
    a_full_disk_ends_an_endless_machine, what_cannot_work_is_said_in_a_line, what_qemu_says_stands_above,
)


def main():
    command = Command(*sys.argv[1:4], qemu11.path())
    failed = 0
    for test in TESTS:
        began = time.monotonic()
        try:
            test(command)
            print(f"ok {test.__name__} ({time.monotonic() - began:.1f} s)")
        except (AssertionError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"FAILED {test.__name__}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    sys.exit(main())
