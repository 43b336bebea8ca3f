/* Machines: a core with its geometry, latencies and clock, read from a text file.
 *
 * The format is INI: "[section]" and "key = value" lines that begin at their first character, and
 * comments after ';'. [machine] holds name, core and title; the other sections and keys are the
 * rows of src/machine/machine.def. Every key of the machine's core must be there exactly once,
 * unless the file names another with "base = NAME" in [machine]: then it needs a name and what
 * differs. A base is looked for beside the file, then among the machines; it may have a base
 * itself. */
#ifndef ARMPMU_MACHINE_H
#define ARMPMU_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "armpmu/catalog.h"
#include "armpmu/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct armpmu_machine;

/* Reads a machine. name_or_file: a file if it holds a '/' or ends in ".ini", else NAME.ini is
 * looked for in the folders of search, a ':'-separated list (NULL: none), then among those that are
 * compiled in. *out is owned by the caller, NULL on
 * failure. Messages name the file, the line and the key. Returns ARMPMU_OK, ARMPMU_NOT_FOUND,
 * ARMPMU_BAD_CONFIG, ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status armpmu_machine_load(const char *name_or_file,
                                                                  const char *search,
                                                                  struct armpmu_machine **out,
                                                                  struct armpmu_error *err);

/* The same with other values of some keys: n_settings of "SECTION.KEY=VALUE", a later one wins.
 * Messages call them --set. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status
armpmu_machine_load_changed(const char *name_or_file, const char *search,
                            const char *const *settings, size_t n_settings,
                            struct armpmu_machine **out, struct armpmu_error *err);

/* These settings, ' '-separated; "" for none. */
ARMPMU_API const char *armpmu_machine_settings(const struct armpmu_machine *machine);

/* Registers of the board that firmware finds: [stub] of the file. */
#define ARMPMU_MACHINE_STUBS_MAX 64u

struct armpmu_machine_stub {
    uint64_t address;
    uint32_t value;
    bool toggles; /* reads as 0, all ones, 0, ... in place of the value */
};

ARMPMU_API unsigned armpmu_machine_stubs(const struct armpmu_machine *machine);
/* index: below their number. */
ARMPMU_API void armpmu_machine_stub_at(const struct armpmu_machine *machine, unsigned index,
                                       struct armpmu_machine_stub *out);

/* NULL is fine. */
ARMPMU_API void armpmu_machine_free(struct armpmu_machine *machine);

ARMPMU_API const char *armpmu_machine_name(const struct armpmu_machine *machine);
ARMPMU_API const struct armpmu_core *armpmu_machine_core(const struct armpmu_machine *machine);
ARMPMU_API uint32_t armpmu_machine_clock_mhz(const struct armpmu_machine *machine);

/* The names of the machines that are compiled in, by index, from 0; NULL after the last. */
ARMPMU_API const char *armpmu_machine_built_in(size_t index);

/* A few words about the machine. */
ARMPMU_API const char *armpmu_machine_title(const struct armpmu_machine *machine);

/* Returns whether the machine has something that drives an input of its core: its bus unit does. A
 * count of zero is one then, else nothing that the core model knows raises the signal. */
ARMPMU_API bool armpmu_machine_drives(const struct armpmu_machine *machine,
                                      enum armpmu_signal signal);

/* One line of geometry: "720 MHz, L1I 16K/4/64 L1D 16K/4/64 L2 256K/8/64, TLB 32+32, seed 1".
 * Writes at most size bytes, terminated. */
ARMPMU_API void armpmu_machine_describe(const struct armpmu_machine *machine, char *text,
                                        size_t size);

/* The value of "section.key" as the file spells it, or NULL where the machine's core has no such
 * key; static for the machine's life. */
ARMPMU_API const char *armpmu_machine_value(const struct armpmu_machine *machine,
                                            const char *section_dot_key);

/* The keys of a machine by index, from 0: "clock.mhz"; NULL after the last. */
ARMPMU_API const char *armpmu_machine_key(size_t index);

/* The key of an index; NULL after the last. */
ARMPMU_API const char *armpmu_machine_key_meaning(size_t index);

#ifdef __cplusplus
}
#endif
#endif
