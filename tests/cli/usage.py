"""Messages of armpmu for invalid arguments: exit status and the exact line.

usage: usage.py ARMPMU KNOWN MACHINES

ARMPMU: the command itself. KNOWN: the command linked with known_engine.c, for what happens after
the engine has run.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "manual"))
import manual_events  # noqa: E402

HERE = Path(__file__).resolve().parent
SEE = "'armpmu help stat' lists them"
SEE_GUEST = "'armpmu help guest' lists them"
IRQ = "write none, spi:N, ppi:N, gic:N, gic@ADDRESS:N, vic:N or vic@ADDRESS:N"
RANGES = manual_events.ranges()

# Words behind "armpmu", exit status, standard error. Nothing of it reaches an engine.
REFUSED = [
    (["hlp"], 125, "'hlp' is not a command; did you mean help?"),
    (["stats", "x"], 125, "'stats' is not a command; did you mean stat?"),
    (["xyzzy"], 125, "'xyzzy' is not a command; 'armpmu help' lists them"),
    (["help", "xyzzy"], 125, "'xyzzy' is not a command; 'armpmu help' lists them"),
    (["--colour", "stat"], 125, "unknown option --colour; did you mean --color? 'armpmu help' "
     "lists them"),
    (["--machine"], 125, "--machine needs a value; see 'armpmu help'"),
    (["--version=3"], 125, "--version takes no value; leave out '=3'"),
    (["stat", "--json=3", "x"], 125, "--json '3': the only version is 1; without a value, -j prints an object a line"),
    (["stat", "--p", "x"], 125,
     "stat: --p stands for 3 options, --pin is one of them; write it in full"),
    (["stat"], 125, "stat: no program to run; 'armpmu help stat' shows how to name one"),
    (["stat", "--"], 125, "stat: no program to run; 'armpmu help stat' shows how to name one"),
    (["stat", "-e"], 125, "stat: -e needs a value; see 'armpmu help stat'"),
    (["stat", "--repeat"], 125, "stat: --repeat needs a value; see 'armpmu help stat'"),
    (["stat", "--cpu", "cortex-a8", "x"], 125, f"stat: unknown option --cpu; did you mean --machine? {SEE}"),
    (["stat", "-Z", "x"], 125, f"stat: unknown option -Z; {SEE}"),
    (["stat", "-:j", "x"], 125, f"stat: unknown option -:; {SEE}"),
    (["stat", "--append", "-Zj", "x"], 125, f"stat: unknown option -Z; {SEE}"),
    (["stat", "--jsn", "x"], 125,
     f"stat: unknown option --jsn; did you mean --json or --pin? {SEE}"),
    (["stat", "-r", "0", "x"], 125, "-r '0': a number of runs from 1 to 1000000"),
    (["stat", "-r", "1000001", "x"], 125, "-r '1000001': a number of runs from 1 to 1000000"),
    (["stat", "-r", "many", "x"], 125, "-r 'many': a number of runs from 1 to 1000000"),
    (["stat", "-I", "0", "x"], 125,
     "-I '0': a length above 0 like 10 (simulated milliseconds), 100000c (cycles) or 50000i "
     "(instructions)"),
    (["stat", "-I", "10s", "x"], 125,
     "-I '10s': a length above 0 like 10 (simulated milliseconds), 100000c (cycles) or 50000i "
     "(instructions)"),
    (["stat", "-I", "0.5c", "x"], 125,
     "-I '0.5c': a length above 0 like 10 (simulated milliseconds), 100000c (cycles) or 50000i "
     "(instructions)"),
    (["stat", "-I", "1e9", "x"], 125,
     "-I '1e9': a length above 0 like 10 (simulated milliseconds), 100000c (cycles) or 50000i "
     "(instructions)"),
    (["stat", "--mode", "fast", "x"], 125, "--mode 'fast': there are all and hw"),
    (["stat", "--color", "red", "x"], 125, "--color 'red': there are auto, always and never"),
    (["--color", "red", "stat", "x"], 125, "--color 'red': there are auto, always and never"),
    (["stat", "-x", "", "x"], 125,
     "-x: the separator is empty or has a quote or a line end in it; use one like ','"),
    (["stat", "-x,", "-j", "x"], 125, "-x and -j are two formats; choose one"),
    (["replay", "--format", "md", "--format", "csv", "x"], 125, "--format md and --format csv are two formats; choose one"),
    (["list", "--format", "json", "--format", "csv"], 125, "--format json and --format csv are two formats; choose one"),
    (["stat", "-n", "-d", "x"], 125, "-n counts nothing, -e, -M and -d name events; choose one"),
    (["stat", "--append", "x"], 125, "--append adds to a file; name it with -o"),
    (["list", "--append"], 125, "--append adds to a file; name it with -o"),
    (["stat", "-I", "1", "-r", "2", "x"], 125,
     "-I and -r exclude each other: intervals are of one run; leave one out"),
    (["stat", "-I", "1", "--per-thread", "x"], 125,
     "-I and --per-thread exclude each other: intervals are sums over the threads; leave one out"),
    (["stat", "-I", "1", "--mode", "hw", "x"], 125,
     "-I and --mode hw exclude each other: counters are read once, at the end; leave one out"),
    (["stat", "--per-thread", "-r", "2", "x"], 125,
     "--per-thread and -r exclude each other: threads are of one run; leave one out"),
    (["stat", "-M", "ipc,branch_mis_rate", "x"], 125,
     "-M: Arm Cortex-A8 has no metric and no group 'branch_mis_rate'; did you mean branch_miss_rate?"),
    (["stat", "-M", "zzzzzzzz", "x"], 125, "-M: Arm Cortex-A8 has no metric and no group 'zzzzzzzz'; 'armpmu list metric' shows them"),
    (["stat", "--machine", "neoverse-v1", "-M", "TopdwnL1", "x"], 125,
     "-M: Arm Neoverse V1 has no metric and no group 'TopdwnL1'; did you mean Topdown_L1?"),
    (["stat", "--methodology", "x"], 125,
     "--methodology: Arm has none for Arm Cortex-A8; --topdown shows where the cycles went"),
    (["stat", "-M", "ipc", "--mode", "hw", "x"], 125,
     "-M and --mode hw exclude each other: a metric may need more events than there are counters; name them with -e"),
    (["stat", "-e", "L1D_CACHE_REFIL", "x"], 125,
     "'L1D_CACHE_REFIL' is not an event of cortex-a8; did you mean L1D_CACHE_REFILL, "
     f"L1I_CACHE_REFILL or L2_CACHE_REFILL? 'armpmu list' shows them all, numbers are {RANGES}"),
    (["stat", "-e", "r13", "x"], 125,
     f"'r13': event number 0x13 is reserved and never counts; cortex-a8 counts {RANGES}"),
    (["stat", "--machine", "amuv1", "--mode", "hw", "x"], 125,
     "--mode hw: the counters of Armv8 Activity Monitors have 64 bits and never overflow; leave it out"),
    (["stat", "--mode", "hw", "-e", "r01,r02,r03,r04,r05", "x"], 125,
     "5 events in --mode hw, the Arm Cortex-A8 has 4 counters and the cycle counter; list fewer or "
     "use --mode all"),
    (["stat", "-o", "/absent/report", "x"], 125,
     "cannot write /absent/report: No such file or directory; choose another file with -o"),
    (["stat", "-o", "", "x"], 125, "cannot write a file without a name; choose another file with -o"),
    (["stat", "-o", "/", "x"], 125, "cannot write /: Is a directory; choose another file with -o"),
    (["guest"], 125, "guest: no QEMU to run; name qemu-system-arm and its arguments, as 'armpmu "
     "help guest' shows"),
    (["guest", "--"], 125, "guest: no QEMU to run; name qemu-system-arm and its arguments, as "
     "'armpmu help guest' shows"),
    (["guest", "--irq"], 125, "guest: --irq needs a value; see 'armpmu help guest'"),
    (["guest", "-r", "2", "x"], 125, f"guest: unknown option -r; {SEE_GUEST}"),
    (["guest", "--per-cpus", "x"], 125,
     f"guest: unknown option --per-cpus; did you mean --per-cpu? {SEE_GUEST}"),
    (["guest", "-I", "1000i", "x"], 125, "-I '1000i': intervals of a machine are in time: "
     "milliseconds like 10, or cycles like 100000c"),
    (["guest", "-x,", "-j", "x"], 125, "-x and -j are two formats; choose one"),
    (["guest", "--append", "x"], 125, "--append adds to a file; name it with -o"),
    (["guest", "--machine", "pxa275", "x"], 125,
     "no machine is called 'pxa275'; 'armpmu list machine' lists them, and a file is "
     "given as ./NAME.ini; did you mean pxa255 or pxa270?"),
    (["guest", "-e", "SAMPLE_POP", "--machine", "neoverse-v1", "x"], 125, "'SAMPLE_POP' is SAMPLE_POP (0x4000) of "
     "neoverse-v1, an event of the Statistical Profiling Extension, which is not modelled; leave it out"),
    (["guest", "-e", "r4000", "--machine", "neoverse-v1", "x"], 125, "'r4000' is SAMPLE_POP (0x4000) of "
     "neoverse-v1, an event of the Statistical Profiling Extension, which is not modelled; leave it out"),
    (["guest", "-e", "xyzzy", "x"], 125, f"'xyzzy' is not an event of cortex-a8; 'armpmu list' "
     f"shows them all, numbers are {RANGES}"),
    (["guest", "-o", "/absent/report", "x"], 125,
     "cannot write /absent/report: No such file or directory; choose another file with -o"),
    (["guest", "--irq", "", "x"], 125, f"--irq '': {IRQ}"),
    (["guest", "--irq", "100", "x"], 125, f"--irq '100': {IRQ}"),
    (["guest", "--irq", "spi", "x"], 125, f"--irq 'spi': {IRQ}"),
    (["guest", "--irq", "spi:", "x"], 125, f"--irq 'spi:': {IRQ}"),
    (["guest", "--irq", "spi:0x10", "x"], 125, f"--irq 'spi:0x10': {IRQ}"),
    (["guest", "--irq", "spi:-1", "x"], 125, f"--irq 'spi:-1': {IRQ}"),
    (["guest", "--irq", "spi@0:1", "x"], 125, f"--irq 'spi@0:1': {IRQ}"),
    (["guest", "--irq", "gic@:1", "x"], 125, f"--irq 'gic@:1': {IRQ}"),
    (["guest", "--irq", "gic@0x:1", "x"], 125, f"--irq 'gic@0x:1': {IRQ}"),
    (["guest", "--irq", "gic@0x10g:1", "x"], 125, f"--irq 'gic@0x10g:1': {IRQ}"),
    (["guest", "--irq", "gic@0x10", "x"], 125, f"--irq 'gic@0x10': {IRQ}"),
    (["guest", "--irq", "spi:988", "x"], 125, "--irq 'spi:988': numbers of spi go from 0 to 987"),
    (["guest", "--irq", "ppi:16", "x"], 125, "--irq 'ppi:16': numbers of ppi go from 0 to 15"),
    (["guest", "--irq", "vic:32", "x"], 125, "--irq 'vic:32': numbers of vic go from 0 to 31"),
    (["guest", "--irq", "spi:1,", "x"], 125, f"--irq 'spi:1,': {IRQ}"),
    (["guest", "--irq", "spi@1:1", "x"], 125, f"--irq 'spi@1:1': {IRQ}"),
    (["guest", "--irq", "ppi:7,ppi:8", "x"], 125,
     "--irq 'ppi:7,ppi:8': each processor has its own ppi:N; give it once"),
    (["guest", "--irq", "spi:1,vic:2", "x"], 125,
     "--irq 'spi:1,vic:2': interrupts of two controllers; name those of one"),
    (["guest", "--irq", "gic@1:40,gic@2:41", "x"], 125,
     "--irq 'gic@1:40,gic@2:41': interrupts of two controllers; name those of one"),
    (["guest", "--irq", ",".join(f"spi:{n}" for n in range(9)), "x"], 125,
     "--irq 'spi:0,spi:1,spi:2,spi:3,spi:4,spi:5,spi:6,spi:7,spi:8': more than 8 interrupts"),
    (["guest", "--irq", "gic:15", "x"], 125, "--irq 'gic:15': numbers of gic go from 16 to 1019"),
    (["guest", "--irq", "gic:99999999999999999999", "x"], 125,
     "--irq 'gic:99999999999999999999': numbers of gic go from 16 to 1019"),
] + [
    (["guest", "--amu", words, "x"], 125, f"--amu '{words}': write enabled, v1p1 or group1:N with N "
     "from 0 to 16, separated by ','")
    for words in ("", "on", "enabled,", ",v1p1", "enabledv1p1", "group1", "group1:", "group1:17",
                  "group1:-1", "group1:0x1", "group1:016", "enabled v1p1")
] + [
    (["guest", "--frame", spec, "x"], 125, f"--frame '{spec}': write ADDRESS, or ADDRESS:DISTANCE where "
     "each processor has its own, both multiples of 4096")
    for spec in ("", "0x", "page", "-4096", "0x1001", "4095", "0x1000:", "0x1000:1", "0x1000:4096:4096",
                 "0x10000000000000000", "4096 ")
]

REFUSED += [
    ([command, "--set", "l2.sise_kb=1", "x"], 125, "--set l2.sise_kb=1: [l2] has no key 'sise_kb'; it has size_kb, ways, "
     "line_bytes, replacement, shared, holds, write_allocate, hit_cycles, fetch_hit_cycles, line_cycles, fill_buffers")
    for command in ("stat", "record", "run", "guest", "explain", "sweep")
] + [
    (["stat", *words, "x"], 125, f"{option}: random.seed must be a number from 0 to 4294967295")
    for words, option in ((["--seed", "one"], "--seed one"), (["--seed="], "--seed "), (["--seed=4294967296"], "--seed 4294967296"),
                          (["--set", "random.seed=-1", "--seed=1"], "--set random.seed=-1"))
]

# Words behind "guest --print-args", and the arguments of the plugin.
PLUGIN = [
    ([], "machine=golden,irq=none"),
    (["--set", "l2.size_kb=128", "--seed", "7", "--set", "memory.latency_cycles=90"],
     "machine=golden,set=l2.size_kb=128 memory.latency_cycles=90 random.seed=7,irq=none"),
    (["--irq", "none"], "machine=golden,irq=none"),
    (["--irq", "spi:0"], "machine=golden,irq=gic:32"),
    (["--irq", "spi:100"], "machine=golden,irq=gic:132"),
    (["--irq", "spi:987"], "machine=golden,irq=gic:1019"),
    (["--irq", "ppi:15"], "machine=golden,irq=gic:31"),
    (["--irq", "gic:16"], "machine=golden,irq=gic:16"),
    (["--irq", "gic@0x1E001000:40"], "machine=golden,irq=gic@0x1e001000:40"),
    (["--irq", "gic@503320576:40"], "machine=golden,irq=gic@0x1e001000:40"),
    (["--irq", "vic:20"], "machine=golden,irq=vic:20"),
    (["--irq", "vic@0x10140000:31"], "machine=golden,irq=vic@0x10140000:31"),
    (["--irq", "spi:100,gic:133"], "machine=golden,irq=gic:132+133"),
    (["--irq", "gic@0xffffffffffffffff:1012," + ",".join(f"gic@0xffffffffffffffff:{n}"
                                                       for n in range(1013, 1020))],
     "machine=golden,irq=gic@0xffffffffffffffff:1012+1013+1014+1015+1016+1017+1018+1019"),
    (["--irq", "gic:40", "--irq", "none"], "machine=golden,irq=none"),
    (["--machine", "cortex-a8-am335x"], "machine=cortex-a8-am335x,irq=none"),
    (["--amu", "enabled"], "machine=golden,irq=none,amu=enabled"),
    (["--amu", "group1:16,v1p1"], "machine=golden,irq=none,amu=v1p1+group1:16"),
    (["--amu", "group1:0,enabled,v1p1,group1:07"], "machine=golden,irq=none,amu=enabled+v1p1+group1:7"),
    (["--frame", "0x43FF0000"], "machine=golden,irq=none,frame=0x43FF0000"),
    (["--frame", "4096:0x1000"], "machine=golden,irq=none,frame=4096:0x1000"),
    (["--accesses", "to.txt"], "machine=golden,irq=none,accesses=to.txt"),
]

TAKEN = "".join(f"{mode},{count},occurrences,r09,{runtime},100.00,,,0x09,exact\n"
                for mode, count, runtime in (("all", 36, 12000000), ("user", 12, 4000000),
                                             ("privileged", 24, 8000000)))
PARTIAL = TAKEN.replace("exact", "partial")

# Words behind "guest", exit status, standard error; with the known machines.
MACHINES = [
    (["absent"], 127, "armpmu: absent: no such program\n"),
    (["broken"], 125, "armpmu: QEMU is broken\n"),
    (["-o", "/dev/full", "work"], 125,
     "armpmu: cannot write /dev/full: No space left on device; make room or choose another file "
     "with -o\n"),
    (["silent"], 137, "armpmu: guest: QEMU ended before its first report: nothing is known of "
     "the machine\n"),
    (["-x,", "-e", "r09", "exit", "3"], 3, TAKEN),
    (["-x,", "-e", "r09", "--", "exit", "4"], 4, TAKEN),
    (["-x,", "-e", "r09", "exit", "5", "-x", "--machine"], 5, TAKEN),  # behind QEMU: QEMU's
    (["-x,", "-e", "r09", "kill", "11"], 139, PARTIAL + "# truncated: counts up to the last report\n"),
    (["-x,", "-e", "r09", "interrupted"], 130, PARTIAL + "# interrupted: counts up to then\n"),
]

# Words behind "stat", exit status, standard error; with the known engine.
ENGINE = [
    (["absent"], 127, "armpmu: absent: no such program\n"),
    (["forbidden"], 126, "armpmu: forbidden: not executable\n"),
    (["alien"], 126, "armpmu: alien: not an Arm program\n"),
    (["broken"], 125, "armpmu: QEMU is broken\n"),
    (["-o", "/dev/full", "work"], 125,
     "armpmu: cannot write /dev/full: No space left on device; make room or choose another file "
     "with -o\n"),
    (["-n", "-x,", "exit", "0"], 0, ""),
    (["-n", "-x,", "exit", "3"], 3, ""),
    (["-n", "-x,", "exit", "255"], 255, ""),
    (["-n", "-x,", "--", "exit", "4"], 4, ""),
    (["-n", "-x,", "exit", "5", "-x", "--machine"], 5, ""),  # behind the program: the program's
    (["-n", "-x,", "kill", "11"], 139, ""),
    (["-n", "-x,", "kill", "9"], 137, ""),
    (["-n", "-x,", "interrupted"], 130, "# interrupted: counts up to then\n"),
    (["-n", "-x,", "exec"], 0, "# programs executed by the program and not counted: 2\n"),
]


def run(words, **options):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, **options)


def check(name, got, want):
    if got == want:
        return 0
    print(f"FAILED {name}\n  got  {got}\n  want {want}")
    return 1


def machine_choice(known, machines, environment):
    """The option beats the variable, the variable the default; the folders of the variable come
    before the others."""
    failed = 0
    csv = ["-x,", "-e", "cycles"]
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "own.ini"
        golden = (HERE / "machines" / "golden.ini").read_text()
        own.write_text(golden.replace("golden", "own").replace("720", "360"))
        cases = [
            ([], {}, "golden", "85.116831"),
            ([], {"ARMPMU_MACHINE": "own"}, "own", "170.233661"),
            (["--machine", "golden"], {"ARMPMU_MACHINE": "own"}, "golden", "85.116831"),
            (["--machine", str(own)], {}, "own", "170.233661"),
        ]
        for options, variables, machine, milliseconds in cases:
            variables = environment | {
                "ARMPMU_MACHINE": "golden",
                "ARMPMU_MACHINE_PATH": f"{folder}:{HERE / 'machines'}:{machines}",
            } | variables
            result = run([known, "stat", *csv, *options, "work"], env=variables)
            figure = result.stderr.split(",")[5:6]
            failed += check(f"machine {machine} {options}", figure, [milliseconds])
        result = run([known, "--machine", str(own), "stat", *csv, "work"],
                     env=environment | {"ARMPMU_MACHINE_PATH": str(machines)})
        failed += check("--machine in front", result.stderr.split(",")[5:6], ["170.233661"])
    return failed


def helps(armpmu, environment):
    failed = 0
    for words in (["--help"], ["-h"], ["help"], ["help", "help"]):
        result = run([armpmu, *words], env=environment)
        failed += check(words, (result.returncode, result.stderr), (0, ""))
        failed += check(words, result.stdout.startswith("usage: armpmu "), True)
    for command in ("stat", "guest"):
        for words in (["help", command], [command, "--help"], [command, "-h"]):
            result = run([armpmu, *words], env=environment)
            failed += check(words, (result.returncode, result.stderr), (0, ""))
            failed += check(words, result.stdout.startswith(f"usage: armpmu {command} "), True)
    result = run([armpmu], env=environment)
    failed += check("no words", (result.returncode, result.stdout), (125, ""))
    result = run([armpmu, "--version"], env=environment)
    failed += check("--version", result.stdout.split()[0], "armpmu")
    with open("/dev/full", "w") as full:
        result = subprocess.run([armpmu, "--help"], stdout=full, stderr=subprocess.PIPE, text=True,
                                env=environment, check=False)
    failed += check("full output", (result.returncode, result.stderr),
                    (125, "armpmu: standard output: No space left on device; the text is not "
                          "complete\n"))
    return failed


def main():
    armpmu, known, machines = sys.argv[1:4]
    environment = {"PATH": os.environ.get("PATH", ""),
                   "ARMPMU_MACHINE_PATH": f"{HERE / 'machines'}:{machines}"}
    failed = 0
    for words, status, sentence in REFUSED:
        result = run([armpmu, *words], env=environment)
        failed += check(words, (result.returncode, result.stdout, result.stderr),
                        (status, "", f"armpmu: {sentence}\n"))
    for words, status, text in ENGINE:
        result = run([known, "stat", *words], env=environment)
        failed += check(words, (result.returncode, result.stdout, result.stderr), (status, "", text))
    for words, arguments in PLUGIN:
        result = run([known, "guest", *words, "--print-args"],
                     env=environment | {"ARMPMU_MACHINE": "golden"})
        failed += check(words, (result.returncode, result.stdout, result.stderr),
                        (0, f"-plugin known,{arguments}\n", ""))
    for words, status, text in MACHINES:
        result = run([known, "guest", *words], env=environment)
        failed += check(words, (result.returncode, result.stdout, result.stderr), (status, "", text))
    failed += machine_choice(known, machines, environment)
    failed += helps(armpmu, environment)
    print(f"{len(REFUSED) + len(ENGINE) + len(PLUGIN) + len(MACHINES)} command lines, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
