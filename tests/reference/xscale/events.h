/* A slow reference for the counts of an XScale's caches, TLBs and branch target buffer, with plain
 * lists; it shares no code with the model. It knows no time: buffers and stalls are none of its
 * business, and a line is there as soon as it is asked for. */
#ifndef TESTS_REFERENCE_XSCALE_EVENTS_H
#define TESTS_REFERENCE_XSCALE_EVENTS_H

#include "../../cores/random_trace.h"

struct slow_geometry {
    unsigned l1i_kb, l1i_ways, l1d_kb, l1d_ways, itlb, dtlb;
    bool write_allocate, write_back;
};

struct slow_counts {
    uint64_t insns, l1i_misses, itlb_misses, dtlb_misses, branches, mispredicts, accesses, misses;
    uint64_t half_lines;
    uint64_t requests; /* to the bus, where stores do not coalesce and a walk reads two records */
};

/* Of a user program's stream, told one instruction a block. */
struct slow_counts slow_xscale(const struct random_stream *stream,
                               const struct slow_geometry *geometry);

#endif
