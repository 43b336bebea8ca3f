/* The saved trace of one guest thread, with the code it ran: what bench-record writes and
 * bench-replay reads. Items in the order in which a core model asked for them, little endian, read
 * where they were written:
 *
 *   TRACE_RECORDS   n 64-bit records, one call of armpmu_sim_run
 *   TRACE_BLOCK     a struct trace_block and n bytes, padded to 8: what the last records named
 *   TRACE_RENAME    armpmu_sim_rename: ids name other blocks from here on
 *   TRACE_FINISH    n is the enum armpmu_end */
#ifndef BENCH_TRACE_FILE_H
#define BENCH_TRACE_FILE_H

#include <stdint.h>

#define TRACE_FILE_MAGIC UINT64_C(0x3165636172747561) /* "autrace1" */

enum trace_item_kind { TRACE_RECORDS = 1, TRACE_BLOCK, TRACE_RENAME, TRACE_FINISH };

struct trace_item {
    uint32_t kind, n;
};

struct trace_block {
    uint64_t address;
    uint32_t id, n_insns;
    uint8_t isa, it_known, it_before, has_bytes;
    uint32_t n_bytes;
};

#endif
