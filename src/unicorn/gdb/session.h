/* Requests of a client of gdb's remote serial protocol to a program that is stopped: registers,
 * memory, breakpoints, watchpoints, how to continue. It depends on no processor and no socket: the
 * target is a few functions.
 *
 * Source: "Debugging with GDB", appendix "GDB Remote Serial Protocol". Leaves out: threads,
 * files of the host, several programs, running backwards. */
#ifndef UNICORN_GDB_SESSION_H
#define UNICORN_GDB_SESSION_H

#include "unicorn/gdb/packet.h"

#define GDB_POINTS_MAX 64u

/* Registers by gdb's numbers, in the order of its packet g. */
struct gdb_target {
    void *user;
    const char *description; /* XML */
    const uint8_t *numbers;  /* of registers */
    unsigned n_registers;
    unsigned (*register_bytes)(unsigned number); /* 0: there is none */
    bool big_endian;
    uint64_t (*read_register)(void *user, unsigned number);
    bool (*write_register)(void *user, unsigned number, uint64_t value);
    bool (*read_memory)(void *user, uint64_t address, uint8_t *bytes, size_t n);
    bool (*write_memory)(void *user, uint64_t address, const uint8_t *bytes, size_t n);
    /* `monitor COMMAND`: text of lines. */
    void (*monitor)(void *user, const char *command, struct gdb_text *out);
};

enum gdb_point_kind { /* as in Z packets */
                      GDB_BREAK,
                      GDB_BREAK_HARDWARE,
                      GDB_WATCH_WRITE,
                      GDB_WATCH_READ,
                      GDB_WATCH_ACCESS,
                      GDB_POINT_KINDS,
};

struct gdb_point {
    enum gdb_point_kind kind;
    uint64_t address, n_bytes;
};

/* The program's next step after a packet. */
enum gdb_action { GDB_STAY, GDB_STEP, GDB_CONTINUE, GDB_DETACH, GDB_KILL };

struct gdb_session {
    struct gdb_target target;
    struct gdb_point points[GDB_POINTS_MAX];
    unsigned n_points;
    bool without_acks;
    char stop[64]; /* why it is stopped, in gdb's terms */
};

/* Takes a packet and writes the answer; if the program continues, the answer comes when it
 * stops. */
enum gdb_action gdb_session_take(struct gdb_session *session, const char *packet, size_t n,
                                 struct gdb_text *answer);

/* Returns whether a breakpoint is at an address. */
bool gdb_session_breaks(const struct gdb_session *session, uint64_t address);
/* The watchpoint that an access meets; NULL: none. */
const struct gdb_point *gdb_session_watches(const struct gdb_session *session, uint64_t address,
                                            uint64_t n_bytes, bool write);

#endif
