"""Feeds the core models of libarmpmu-sim with a trace, by cffi (docs/library.md has the rules of a trace).

    from armpmu import sim
    core = sim.Core("cortex-a8", {1: sim.Block(0x8000, code, 3, sim.A32)})
    core.run([sim.block(1), sim.access(0, 0x20000)])
    core.finish()
    core.counts()["INST_RETIRED"]

The first use compiles a small module with the system's C compiler and the flags that pkg-config has of libarmpmu-sim.
"""

import hashlib
import importlib.util
import os
import shlex
import subprocess
import tempfile
import weakref
from collections import namedtuple
from pathlib import Path

A32, T32, A64 = range(3)
BLOCK, ACCESS = 1, 2  # kinds of records
EXIT, FAULT = range(2)

Block = namedtuple("Block", "address code instructions isa")

DECLARATIONS = """
struct armpmu_error { char message[512]; ...; };
struct armpmu_block_source { uint64_t address; const uint8_t *bytes; uint32_t n_bytes, n_insns; int isa; ...; };
struct armpmu_event { const char *name; uint8_t n_signals; ...; };
struct armpmu_core { const struct armpmu_event *events; size_t n_events; ...; };
struct armpmu_machine; struct armpmu_code; struct armpmu_sim;
extern const char *const armpmu_version;
#define ARMPMU_SIGNAL_COUNT ...
const struct armpmu_core *armpmu_machine_core(const struct armpmu_machine *);
int armpmu_machine_load_changed(const char *, const char *, const char *const *, size_t, struct armpmu_machine **,
                                struct armpmu_error *);
void armpmu_machine_free(struct armpmu_machine *);
typedef _Bool (*armpmu_block_lookup)(void *, uint32_t, struct armpmu_block_source *);
int armpmu_code_new(armpmu_block_lookup, void *, struct armpmu_code **, struct armpmu_error *);
void armpmu_code_free(struct armpmu_code *);
int armpmu_sim_new(const struct armpmu_machine *, struct armpmu_code *, struct armpmu_sim **, struct armpmu_error *);
void armpmu_sim_free(struct armpmu_sim *);
int armpmu_sim_run(struct armpmu_sim *, const uint64_t *, size_t, struct armpmu_error *);
void armpmu_sim_finish(struct armpmu_sim *, int);
void armpmu_sim_signals(const struct armpmu_sim *, uint64_t *);
const char *armpmu_signal_name(int);
uint64_t armpmu_event_count(const struct armpmu_event *, const uint64_t *);
extern "Python" _Bool armpmu_look_up(void *, uint32_t, struct armpmu_block_source *);
"""
SOURCE = '#include "armpmu/catalog.h"\n#include "armpmu/machine.h"\n#include "armpmu/sim.h"\n'


def flags(option):
    """What pkg-config has; raises OSError where it does not know the library."""
    words = ["pkg-config", "--static", option, "libarmpmu-sim"]
    done = subprocess.run(words, check=False, text=True, capture_output=True)
    if done.returncode != 0:
        raise OSError(f"{done.stderr.strip()}: install armpmu's libraries, or name their folder 'pkgconfig' in PKG_CONFIG_PATH")
    return shlex.split(done.stdout)


def cache_folder():
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "armpmu"


def build():
    """The compiled module, of the user's cache where it is there."""
    try:
        import cffi
    except ImportError as error:
        raise ImportError("the core models need cffi: install python3-cffi") from error
    compiling, linking = flags("--cflags"), flags("--libs")
    archives = [Path(word) if word.endswith(".a") else Path(word[2:]) / "libarmpmu-sim.a" for word in linking]
    linking += [f"-Wl,-rpath,{word[2:]}" for word in linking if word.startswith("-L")]
    stamps = [str(archive.stat().st_mtime_ns) for archive in archives if archive.exists()]
    text = "\0".join([DECLARATIONS, SOURCE, cffi.__version__, *compiling, *linking, *stamps])
    name = f"_armpmu_sim_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    for found in cache_folder().glob(f"{name}.*.so"):
        return name, found
    ffi = cffi.FFI()
    ffi.cdef(DECLARATIONS)
    ffi.set_source(name, SOURCE, extra_compile_args=compiling, extra_link_args=linking)
    cache_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        compiled = Path(ffi.compile(tmpdir=folder))
        return name, compiled.replace(cache_folder() / compiled.name)


def load():
    name, path = build()
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.ffi, module.lib


FFI, LIBRARY = load()


@FFI.def_extern(name="armpmu_look_up", error=False)
def look_up(user, number, out):
    """Called by the library for a block that it does not know."""
    blocks, kept_codes = FFI.from_handle(user)
    block_of = blocks.get(number)
    if block_of is None:
        return False
    kept = kept_codes.setdefault(number, FFI.from_buffer(block_of.code))
    out.address, out.bytes, out.n_bytes = block_of.address, FFI.cast("const uint8_t *", kept), len(block_of.code)
    out.n_insns, out.isa = block_of.instructions, block_of.isa
    return True


def block(number):
    """The record: this block starts."""
    return BLOCK << 60 | number


def access(index, address):
    """The record: instruction index of the block accesses this address."""
    return ACCESS << 60 | index << 48 | address


def free_all(made, _handle):
    while made:
        free, thing = made.pop()
        free(thing)


class Core:
    """One core, or one thread. blocks: a Block for each number. settings: keys of the machine. Raises ValueError."""

    def __init__(self, machine, blocks, settings=None, search=""):
        self.error = FFI.new("struct armpmu_error *")
        self.handle = FFI.new_handle((dict(blocks), {}))
        made = []  # each rests on those before it
        weakref.finalize(self, free_all, made, self.handle)
        words = [FFI.new("char[]", f"{key}={value}".encode()) for key, value in (settings or {}).items()]
        self.machine = self.make(made, "machine", LIBRARY.armpmu_machine_load_changed, machine.encode(), search.encode(),
                                 FFI.new("const char *[]", words), len(words))
        self.code = self.make(made, "code", LIBRARY.armpmu_code_new, LIBRARY.armpmu_look_up, self.handle)
        self.model = self.make(made, "sim", LIBRARY.armpmu_sim_new, self.machine, self.code)

    def check(self, status):
        if status != 0:
            raise ValueError(FFI.string(self.error.message).decode())

    def make(self, made, kind, function, *arguments):
        out = FFI.new(f"struct armpmu_{kind} **")
        self.check(function(*arguments, out, self.error))
        made.append((getattr(LIBRARY, f"armpmu_{kind}_free"), out[0]))
        return out[0]

    def run(self, records):
        """Runs records of a trace, up to where a block would start. Raises ValueError for what is no trace."""
        self.check(LIBRARY.armpmu_sim_run(self.model, FFI.new("uint64_t[]", records), len(records), self.error))

    def finish(self, end=EXIT):
        """Ends the trace: its last block counts."""
        LIBRARY.armpmu_sim_finish(self.model, end)

    def signals(self):
        """The count of each signal that is not zero, by name."""
        values = FFI.new("uint64_t[]", LIBRARY.ARMPMU_SIGNAL_COUNT)
        LIBRARY.armpmu_sim_signals(self.model, values)
        return {FFI.string(LIBRARY.armpmu_signal_name(i)).decode(): n for i, n in enumerate(values) if n != 0}

    def counts(self):
        """The count of each event that the core model counts, by name."""
        values = FFI.new("uint64_t[]", LIBRARY.ARMPMU_SIGNAL_COUNT)
        LIBRARY.armpmu_sim_signals(self.model, values)
        core = LIBRARY.armpmu_machine_core(self.machine)
        events = [FFI.addressof(core.events, i) for i in range(core.n_events)]
        return {FFI.string(event.name).decode(): LIBRARY.armpmu_event_count(event, values)
                for event in events if event.n_signals > 0}
