"""What the directed programs of each core are built with, run on and must always fulfil."""

import dataclasses
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = ROOT / "src/catalog/cores.def"
MACHINES = ROOT / "machines"


def with_pmuv3():
    """The names of the cores with PMUv3."""
    return re.findall(r'^CORE\("([^"]+)",.*\bpmuv3\b', REGISTRY.read_text(encoding="utf-8"), re.MULTILINE)


def folder_of(core):
    """That of the programs of a core with PMUv3: its own, or that of the Neoverse cores, whose events the others have."""
    own = core.replace("-", "_")
    return own if own in CORES else "neoverse"


def of_machines(folder=MACHINES):
    """Machine -> its core, which its file names or that of its base."""
    bases = {}
    for path in sorted(Path(folder).glob("*.ini")):
        text = path.read_text(encoding="ascii")
        core, base = (re.search(rf"^{key} = (\S+)", text, re.MULTILINE) for key in ("core", "base"))
        bases[path.stem] = core or base

    def core_of(name):
        found = bases[name]
        return found[1] if found[0].startswith("core") else core_of(found[1])
    return {name: core_of(name) for name in bases}


@dataclasses.dataclass(frozen=True)
class Core:
    """The programs of a folder of this one."""

    machine: str      # what they run on unless they say otherwise
    compiler: str     # assembles and links them
    options: tuple    # of the compiler, besides what it says for each build
    builds: tuple     # instruction sets there are, the first is what a program has without a word
    relations: tuple  # hold for every program (reference sheet of the core)
    figures: tuple = ("INST_RETIRED", "CPU_CYCLES")  # events: a kernel's instructions and cycles
    also: tuple = ()  # machines of another core with the same events: armpmu check runs them there
    oldest: tuple = ()  # more of them, for programs that are not `later`
    scalable: tuple = ()  # in place of both, for programs that are `scalable`


ARM = "arm-linux-gnueabihf-gcc"

CORES = {
    "cortex_a8": Core(
        machine="cortex-a8-plain", compiler=ARM, options=("-Wa,-mno-warn-deprecated",),
        builds=("a32", "t32"),
        relations=(
            "L1D_CACHE_REFILL <= L1D_CACHE",
            "L1I_CACHE_REFILL <= L1I_CACHE",
            "L2_CACHE_MISS <= L2_ACCESS",
            "NEON_L2_HIT <= NEON_L2_ACCESS",
            "NEON_L2_ACCESS <= L2_ACCESS",
            "NEON_L1D_HIT <= NEON_L1D_ACCESS",
            "NEON_L1D_ACCESS <= L1D_CACHE",
            "BR_RETURN_MIS_PRED + BR_DIRECTION_MIS_PRED <= BR_MIS_PRED",
            "UNALIGNED_ACCESS_REPLAY <= MEMORY_REPLAY",
            "UNALIGNED_ACCESS_REPLAY <= UNALIGNED_LDST_RETIRED",
            "ISSUED_INSNS <= ISSUED_OPS",
            "ISSUED_INSNS <= 2 * CPU_CYCLES",
            "ISSUE_EMPTY_CYCLES <= CPU_CYCLES",
            "BR_RETURN_RETIRED <= PC_WRITE_RETIRED",
            "INST_RETIRED <= ISSUED_INSNS",
            "L2_STORE_MERGED <= L2_STORE_BUFFERABLE",
            "BR_PREDICTABLE_TAKEN <= BR_PRED",
            "BR_PREDICTED_TAKEN <= BR_PRED",
            "NEON_MRC_STALL_CYCLES + NEON_QUEUE_FULL_CYCLES + NEON_INTEGER_BUSY_CYCLES"
            " <= CPU_CYCLES",
        )),
    "cortex_r4f": Core(
        machine="cortex-r4f", compiler=ARM, options=("-Wa,-mno-warn-deprecated",),
        builds=("a32", "t32"),
        relations=(
            "L1D_CACHE_REFILL <= L1D_CACHE",
            "L1I_CACHE_REFILL <= L1I_CACHE",
            "DUAL_ISSUE_PAIR <= DUAL_ISSUE_A + DUAL_ISSUE_B + DUAL_ISSUE_OTHER",
            "2 * DUAL_ISSUE_PAIR <= INST_RETIRED",
            "INST_RETIRED <= 2 * CPU_CYCLES",
            "L1D_CACHE_WB <= EXT_MEMORY_REQUEST",
            "L1D_CACHE_REFILL + L1I_CACHE_REFILL + PLD_INST_LINE_FILL <= EXT_MEMORY_REQUEST",
            "NON_CACHEABLE_ACCESS_AXI_MASTER <= EXT_MEMORY_REQUEST",
            "STALL_INTEGER_DIV_CYCLES >= INTEGER_DIV_EXECUTED",
            "STALL_STORE_QUEUE_FULL_CYCLES <= STALL_LSU_BUSY_CYCLES",
            "BR_RETURN_RETIRED <= PC_WRITE_RETIRED",
            "UNALIGNED_LDST_RETIRED <= LD_RETIRED + ST_RETIRED",
            "STALL_IFETCH_CYCLES + STALL_DATA_DEPENDENCY_CYCLES + STALL_LSU_BUSY_CYCLES"
            " <= CPU_CYCLES",
        )),
    "xscale": Core(
        machine="pxa270", compiler=ARM, options=("-Wa,-mno-warn-deprecated",),
        builds=("a32", "t32"),
        relations=(
            "DCACHE_BUFFER_STALL <= DCACHE_BUFFER_STALL_CYCLES",
            "DCACHE_MISS <= DCACHE_ACCESS",
            "BRANCH_MISS <= BRANCH",
            "BRANCH <= INSTRUCTION",
            "PC_CHANGED <= INSTRUCTION",
            "DTLB_MISS <= DCACHE_ACCESS",
            "DCACHE_HALF_LINE_WRITE_BACK <= 2 * DCACHE_MISS",
            "L1I_CACHE_MISS <= ICACHE_NO_DELIVER_CYCLES",
            "INSTRUCTION <= CPU_CYCLES",
            "INSTRUCTION + ICACHE_NO_DELIVER_CYCLES + DATA_STALL_CYCLES"
            " + DCACHE_BUFFER_STALL_CYCLES <= CPU_CYCLES",
            "COUNTER_OFF = 0",
        ), figures=("INSTRUCTION", "CPU_CYCLES"), also=("pxa255",)),
    "amuv1": Core(
        machine="amuv1-plain", compiler="aarch64-linux-gnu-gcc", options=(), builds=("a64",),
        relations=(
            "STALL_BACKEND_MEM <= CPU_CYCLES",
            "INST_RETIRED <= 8 * CPU_CYCLES",
            "MPMM_GEAR0 <= CPU_CYCLES",
            "MPMM_GEAR1 <= CPU_CYCLES",
            "MPMM_GEAR2 <= CPU_CYCLES",
        )),
    "cortex_a53": Core(
        machine="cortex-a53-plain", compiler="aarch64-linux-gnu-gcc", options=(), builds=("a64",),
        relations=(
            "INST_RETIRED <= 2 * CPU_CYCLES",
            "BUS_CYCLES = CPU_CYCLES",
            "OTHER_IQ_DEP_STALL + IC_DEP_STALL + IUTLB_DEP_STALL + OTHER_INTERLOCK_STALL + AGU_DEP_STALL"
            " + SIMD_DEP_STALL + LD_DEP_STALL + ST_DEP_STALL <= CPU_CYCLES",
            "L1I_CACHE_REFILL <= L1I_CACHE",
            "L1D_CACHE_REFILL <= L1D_CACHE",
            "L2D_CACHE_REFILL <= L2D_CACHE",
            "BUS_ACCESS = BUS_ACCESS_RD + BUS_ACCESS_WR",
            "EXT_MEM_REQ_NC <= EXT_MEM_REQ",
            "BR_COND_MISPRED <= BR_MIS_PRED",
            "BR_INDIRECT_MISPRED <= BR_MIS_PRED",
            "BR_MIS_PRED <= BR_COND_MISPRED + BR_INDIRECT_MISPRED",
            "BR_COND_MISPRED <= BR_COND",
            "BR_MIS_PRED <= BR_PRED",
            "BR_PRED <= BR_IMMED_RETIRED + BR_INDIRECT_SPEC",
            "UNALIGNED_LDST_RETIRED <= LD_RETIRED + ST_RETIRED",
        )),
    "cortex_a55": Core(
        machine="cortex-a55-plain", compiler="aarch64-linux-gnu-gcc", options=(), builds=("a64",),
        relations=(
            "INST_RETIRED <= 2 * CPU_CYCLES",
            "STALL_FRONTEND + STALL_BACKEND <= CPU_CYCLES",
            "STALL_FRONTEND_CACHE + STALL_FRONTEND_TLB <= STALL_FRONTEND",
            "STALL_BACKEND_ILOCK + STALL_BACKEND_LD + STALL_BACKEND_ST <= STALL_BACKEND",
            "STALL_BACKEND_ILOCK_AGU + STALL_BACKEND_ILOCK_FPU <= STALL_BACKEND_ILOCK",
            "L1D_CACHE = L1D_CACHE_RD + L1D_CACHE_WR",
            "L1D_CACHE_REFILL = L1D_CACHE_REFILL_INNER + L1D_CACHE_REFILL_OUTER",
            "L2D_CACHE = L2D_CACHE_RD + L2D_CACHE_WR",
            "L2D_CACHE_REFILL = L2D_CACHE_REFILL_RD + L2D_CACHE_REFILL_WR",
            "L3D_CACHE_REFILL = L3D_CACHE_REFILL_RD",
            "LL_CACHE_MISS_RD <= LL_CACHE_RD",
            "INST_SPEC = INST_RETIRED",
            "LD_SPEC = LD_RETIRED",
            "ST_SPEC = ST_RETIRED",
            "LDST_SPEC = LD_SPEC + ST_SPEC",
            "BR_IMMED_SPEC = BR_IMMED_RETIRED",
            "BR_RETURN_SPEC = BR_RETURN_RETIRED",
            "BR_RETIRED = BR_IMMED_RETIRED + BR_INDIRECT_SPEC",
            "BR_MIS_PRED_RETIRED = BR_MIS_PRED",
            "BR_COND_MIS_PRED <= BR_COND_PRED",
            "UNALIGNED_LDST_RETIRED <= LD_RETIRED + ST_RETIRED",
        )),
    "neoverse": Core(
        machine="neoverse-n2-plain", compiler="aarch64-linux-gnu-gcc", options=(), builds=("a64",),
        relations=(
            "INST_RETIRED <= 8 * CPU_CYCLES",
            "STALL_FRONTEND + STALL_BACKEND <= CPU_CYCLES",
            "L1I_CACHE_REFILL <= L1I_CACHE",
            "L1D_CACHE = L1D_CACHE_RD + L1D_CACHE_WR",
            "L1D_CACHE_REFILL = L1D_CACHE_REFILL_INNER + L1D_CACHE_REFILL_OUTER",
            "L1D_CACHE_REFILL_RD <= L1D_CACHE_RD",
            "L1D_CACHE_REFILL_WR <= L1D_CACHE_WR",
            # Not L1D_CACHE_REFILL: lines that prefetches and preloads bring are none, and are written, too.
            "L1D_CACHE_WB_VICTIM <= L1D_CACHE_WR",
            "L2D_CACHE_REFILL_RD <= L2D_CACHE_RD",
            "L2D_CACHE_REFILL_WR <= L2D_CACHE_WR",
            "L2D_CACHE = L2D_CACHE_RD + L2D_CACHE_WR",
            "L2D_CACHE_REFILL = L2D_CACHE_REFILL_RD + L2D_CACHE_REFILL_WR",
            "LL_CACHE_MISS_RD <= LL_CACHE_RD",
            "L1D_TLB_REFILL <= L1D_TLB",
            "L1I_TLB_REFILL <= L1I_TLB",
            "DTLB_WALK <= L1D_TLB_REFILL",
            "ITLB_WALK <= L1I_TLB_REFILL",
            "BR_RETIRED <= BR_IMMED_SPEC + BR_INDIRECT_SPEC",
            "BR_RETURN_SPEC <= BR_INDIRECT_SPEC",
            "BR_MIS_PRED <= BR_PRED",
            "UNALIGNED_LD_SPEC <= LD_SPEC",
            "UNALIGNED_ST_SPEC <= ST_SPEC",
            "STREX_SPEC <= ST_SPEC",
            "LDREX_SPEC <= LD_SPEC",
        ), also=("neoverse-n1-plain", "neoverse-v1-plain", "cortex-a76-plain", "neoverse-v2-plain",
                 "cortex-a77-plain", "cortex-a78-plain", "cortex-x1-plain"),
        oldest=("cortex-a57-plain", "cortex-a72-plain"),
        scalable=("neoverse-v1-plain", "neoverse-v2-plain")),
}
