/* `armpmu run --gdb`: gdb, as a client over TCP, stops the program, looks at it and changes it.
 *
 *   packet.c       packets of the protocol
 *   session.c      what they ask for
 *   processor.c    registers and memory of the library's processor
 *   monitor.c      the counters, for `monitor pmu`
 *   gdb.c          the connection, and where the program stops
 *
 * The program stops inside a hook that the library calls before each instruction: it neither ends
 * a block there nor is it started again, so counts are the same with and without gdb, as long as
 * gdb changes nothing of the program. Each access is looked at when it happens
 * (setup->watch_accesses), for registers may be written meanwhile.
 *
 * Assumes: one client, one time; when it goes the program runs on without. */
#ifndef UNICORN_GDB_GDB_H
#define UNICORN_GDB_GDB_H

#include <stdbool.h>
#include <stdint.h>

#include "unicorn/gdb/session.h"
#include "armpmu/status.h"

struct firmware;

struct gdb {
    struct firmware *fw;
    struct gdb_session session;
    struct gdb_reader reader;
    int fd; /* -1: no client */
    enum gdb_action mode;
    uint32_t since_poll;
    uint64_t at;     /* the instruction before which it was last looked at */
    uint32_t starts; /* of the library, then */
    bool looked;
    bool waits;       /* the client is to be told where the program stops */
    bool over;        /* the program has ended, and all is counted */
    char watched[40]; /* the watchpoint that was met; "": none */
    bool jumps;       /* gdb has changed where, or in which state, it continues */
    uint64_t jump_to;
    char frame[GDB_FRAME_BYTES]; /* the last packet, for who asks for it again */
    size_t frame_bytes;
    struct gdb_text answer;
};

/* Waits for a client at setup->gdb, before the first instruction, and sets hooks. Returns ARMPMU_OK
 * (also when the time was over, or a signal came), ARMPMU_BAD_CONFIG (no such address, or it is in
 * use) or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status gdb_begin(struct firmware *fw, struct armpmu_error *err);
/* The program has ended: the client learns how, and may look at one that cannot continue. NULL
 * in fw->gdb is fine. */
void gdb_end(struct firmware *fw);

/* ---- processor.c ---- */

void gdb_processor_target(struct gdb *gdb, struct gdb_target *target);

/* ---- monitor.c ---- */

/* `monitor COMMAND`; user: struct gdb. */
void gdb_monitor(void *user, const char *command, struct gdb_text *out);

#endif
