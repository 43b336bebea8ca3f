"""`armpmu record --guest --mem` of Debian's AArch64 kernel: accesses add up to their events, and a program's variable has its name.

usage: profile_linux64.py ARMPMU TABLE

TABLE: programs/table.c, built. The guest's clock counts its instructions: on a busy host it would otherwise spend its time in timer interrupts.
The environment as for boot.py.
"""

import sys
from pathlib import Path

import boot
import initramfs
from profile_linux import status_of

CORE = "cortex-a53"
LINES = 8192
SUMS = {"L1D_CACHE": "lookups", "L1D_CACHE_REFILL": "refills", "L1D_TLB_REFILL": "tlb_refills"}


def record(armpmu, table, folder):
    guest = boot.fetched("fetch-guest", "--arm64")
    image, data = folder / "initramfs.cpio", folder / "armpmu.data"
    image.write_bytes(initramfs.build(["table"], {"table": table}, guest / "busybox"))
    words = boot.with_qemu(
        armpmu, "record", "--guest", "-q", "--mem", "-e", ",".join(SUMS), "--machine", CORE, "-o", data, "--symbols", f"table={table}", "--",
        "qemu-system-aarch64", "-M", "virt,gic-version=3,dtb-randomness=off", "-cpu", CORE, "-m", "256", "-nographic", "-no-reboot",
        "-monitor", "none", "-serial", "stdio", "-kernel", guest / "vmlinuz", "-initrd", image, "-append",
        "console=ttyAMA0 quiet panic=-1 cryptomgr.notests", *boot.icount_options(0))
    return data, boot.watch(words, ["table"], boot.BOARDS["virt"], boot.SECONDS, None)


def judge(database):
    """Complaints about what was recorded."""
    def ask(sql):
        return database.execute(sql).fetchall()

    complaints = []
    totals = dict(ask("SELECT name, n FROM total JOIN event ON event = id"))
    for event, column in SUMS.items():
        [(n,)] = ask(f"SELECT sum({column}) FROM access")
        # Walks, preloads and cache maintenance are no loads and stores; only they are without a line of their own.
        if not (n == totals[event] if column == "refills" else 0.9 * totals[event] < n <= totals[event]):
            complaints.append(f"{event}: {n} by accesses, {totals[event]} in all")
    rows = ask("SELECT thread.name, sum(access.n), sum(refills) FROM access JOIN datum ON datum.id = access.datum JOIN thread "
               "ON thread.id = access.thread WHERE datum.name = 'table' AND kind & 3 = 1 GROUP BY 1")
    if [row[:2] for row in rows] != [("table", 2 * LINES)] or not 1.5 * LINES < rows[0][2] <= 2 * LINES:
        complaints.append(f"table: {rows}, not {2 * LINES} loads of the program of which most miss")
    return complaints


def main():
    armpmu, table = (str(Path(word).resolve()) for word in sys.argv[1:3])
    return status_of(lambda folder: record(armpmu, table, folder), judge)


if __name__ == "__main__":
    sys.exit(main())
