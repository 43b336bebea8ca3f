/* Workarounds for what the Unicorn library does wrong, does not offer, or does at a needless cost.
 * For each: the versions that need it, where it is, and the test that fails without it. A version
 * with which the test passes without the workaround does not need it.
 *
 * - 2.0, 2.1: stops nowhere inside an IT block. workarounds_it_run, 'inside IT blocks'.
 * - 2.0, 2.1: translates A32 code as in an IT block that has ended. workarounds_mend, 'inside IT
 *   blocks'.
 * - 2.0: crashes when its memory for translations is full. workarounds_make_room, 'more code than
 * the library has room for'.
 * - 2.0: locks pages at each store. workarounds_take_locks, 'locks of the library'.
 * - 2.0: translates code of AArch64 for the level of the last return. el_switch.c, 'Exception
 *   levels of firmware'.
 * - 2.1: tells hooks of accesses where memory is, not the program's address. virtual_address.h,
 *   moved_aliases.s and 'a frame at many addresses of AArch64'.
 * - 2.1: refuses exclusive loads from unaligned addresses before any hook. unaligned_by_library,
 *   'accesses from unaligned addresses'.
 * - 2.1.4: restores the state of IT blocks at hooks of accesses and leaves it there: T32 code after
 *   such a block goes wrong. What is later than the last tested version is refused therefore:
 *   library_version.c, 'versions of the library'. */
#ifndef UNICORN_WORKAROUNDS_H
#define UNICORN_WORKAROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "unicorn/library.h"

struct firmware;

/* ---- IT blocks ----
 *
 * Inside an IT block the library neither stops nor lets a hook go elsewhere, and the CPSR that it
 * shows is the one before the block. Where that matters, because an instruction of the block is
 * intercepted or because a counter may wrap in it, each instruction is a run of the library of its
 * own: between two runs ITSTATE is in the CPSR, as the architecture has it. */

/* Bytes of the instructions that are in an IT block from an address on, by ITSTATE there. */
uint32_t workarounds_it_bytes(const struct firmware *fw, uint64_t address, uint8_t it);

/* From an IT instruction, or from where its block continues, to the end of the block or to what
 * takes execution elsewhere. Outside of a run of the library. */
void workarounds_it_run(struct firmware *fw);

/* ---- translations that cannot be stopped ----
 *
 * Inside an IT block the library translates no places where it stops. It notes whether it is in one
 * at each T32 instruction, and nowhere else: after a T32 block that ends with a branch inside an IT
 * block it translates A32 code so, too. Hooks would be called there, and what they ask for not be
 * done. Each such block is noticed when it has been translated. Before it runs it is thrown away,
 * and the library is put right by having it translate T32 code outside of any IT block.
 *
 * Assumes: the library calls UC_HOOK_EDGE_GENERATED for each block it translates but the first. */

struct it_translation {
    bool inside_it; /* the library believes so */
    uint32_t t32;   /* code where it began to */
    bool stuck;     /* a block was translated that cannot be stopped: */
    uint64_t first, end;
};

/* UC_HOOK_EDGE_GENERATED. */
void workarounds_translated(uc_engine *uc, uc_tb *made, uc_tb *before, void *user);

/* Puts right what workarounds_translated has noticed. Outside of a run of the library. */
void workarounds_mend(struct firmware *fw);

/* ---- memory for translations ----
 *
 * The library has 1 GiB for what it translates, frees none of it when code is translated again, and
 * does not survive when all is used. What is translated is counted, and all of it is thrown away in
 * time. */

/* Before a run of the library. */
void workarounds_make_room(struct firmware *fw);

/* ---- locks of pages ----
 *
 * The library asks of each store whether there are translations of what it writes, and takes locks
 * of the page for that: a tree, made and freed again, half of its time. One thread uses the
 * library, so nothing needs a lock. The functions that take and give back the locks are exported
 * here, and the library finds these before its own.
 *
 * Assumes: nothing looks into what they return. That is so in Unicorn 2.0.x; others get their own,
 * which do nothing in 2.1.x. */

/* Before the library is used. */
void workarounds_take_locks(const struct library *lib);

#endif
