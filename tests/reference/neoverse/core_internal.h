/* Declarations that the files of the slow Neoverse model share. */
#ifndef TESTS_REFERENCE_NEOVERSE_CORE_INTERNAL_H
#define TESTS_REFERENCE_NEOVERSE_CORE_INTERNAL_H

#include "core.h"

#define NEVER UINT64_MAX
#define NONE  (-1)

/* Names, the newest first. */
struct list {
    uint64_t *names;
    int *owners; /* what brought them */
    unsigned n, capacity;
};

struct lists {
    struct list *sets;
    unsigned n_sets;
};

enum asker { BY_FETCH, BY_LOAD, BY_STORE, BY_DEVICE_LOAD, BY_PREFETCH };

/* Of counts by who asks. */
#define COLUMN(asker) ((asker) == BY_DEVICE_LOAD ? BY_LOAD : (asker))

/* A line that level 2 asked for beyond. */
struct fill {
    int line;        /* index of the line access that caused it */
    uint64_t cycles; /* it takes */
    bool from_miss;  /* the line itself is what was asked for; of a walk: what it translates */
    bool prefetched; /* and no demand access found it on its way */
    bool lost;       /* by the data cache, which had it for that line access */
};

/* What dispatch does in a cycle on a wrong path or after it. */
enum after_flush { GOES_ON, HAS_NO_ROOM, RECOVERS };

/* A line that an instruction touches. */
struct line {
    int insn;
    enum asker asker;
    bool first;            /* of its instruction: later ones know nothing new of `base` */
    uint64_t delay;        /* translation */
    int miss;              /* of the data cache: which; NONE: */
    int hit_miss;          /* ...the miss that brought it */
    int demand;            /* of a miss: which of those that are no prefetch */
    int trigger;           /* of a prefetch: the line that it goes ahead of... */
    bool on_arrival;       /* ...and for which it waits */
    bool taken;            /* of a prefetch: a demand access found it on its way */
    bool used;             /* ...a demand access found it in level 1 */
    uint64_t name, answer; /* when level 2 was to answer a miss... */
    bool waits;            /* ...and had the line later */
    bool l1i_hit;
    bool outer;         /* it came from outside the cluster */
    int stream;         /* of a store past level 1: the line of the first one
                         * to this line; NONE: it is no such store */
    int l2_fill;        /* what brought it to level 2; NONE: long there */
    bool l2_missed;     /* then l2_fill is its own */
    int read;           /* of a line that l2_missed: which of those */
    unsigned transfers; /* cycles that memory's bus had passed lines for by then */
    uint64_t base, asked, arrives, beyond; /* NEVER until known... */
    uint64_t passed;                       /* ...arrives without a wait for its set */
};

/* An entry of the store buffer. */
struct drain {
    uint64_t number, at;
    bool merges;
    unsigned filled; /* by one store, 2: which filled others, too */
};

struct stride {
    uint64_t pc, line, stride;
    unsigned repeated;
    unsigned far, near; /* how far ahead level 2 and level 1 have its lines */
};

/* The latest line that a store missed. */
struct store_stream {
    uint64_t line; /* virtual, + 1 */
    bool written[128];
    unsigned n; /* lines before it that are whole */
    int first;  /* the line of its first store if that goes past level 1, else NONE */
};

struct slow {
    const struct armpmu_machine *machine;
    const struct slow_insn *insns;
    unsigned n_insns;
    struct slow_counts counts;
    struct lists l1i, l1d, l2, llc, l2tlb, itlb, dtlb, tables;
    bool *dirty_l1d, *dirty_l2; /* by miss, by fill */
    struct stride load_strides[MEMORY_STRIDES], store_strides[MEMORY_STRIDES];
    struct store_stream stream;
    struct page_map pages;
    const struct slow_change **placed; /* pages, the latest last */
    unsigned n_placed;
    struct page_map huge_pages;
    const struct slow_change **mapped; /* blocks, the latest last */
    unsigned n_mapped;
    bool mmu_off;
    bool from_outside; /* what level 2 asked for last... */
    bool comes_dirty;  /* ...and gets written */
    bool passes_dirty; /* the data cache gets its latest line written */

    struct line *lines;
    int n_lines, max_lines;
    int *first_line, *n_lines_of; /* by instruction: of data */
    int *fetch_of;                /* by instruction: line of its fetch or NONE */
    int *misses;                  /* line, by miss, prefetches into level 1 among them */
    int n_misses;
    int *demands; /* line, by miss that is none */
    int n_demands;
    int *reads[2]; /* line, by miss of level 2 that is no walk's, and by line of a stream past it */
    int n_reads[2];
    unsigned transfers; /* cycles of memory's bus */
    bool latest_was_read;
    struct fill *fills;
    int n_fills, max_fills;

    struct {
        uint64_t predicted, delivered, dispatched, issued, read, again, at, base, complete, retired,
            written;
        bool forwarded;
        bool linked;      /* its accumulator came early within a pipe */
        unsigned taken;   /* times that it has had its units */
        unsigned n_quads; /* for which it has had them once more */
    } * fates;
    bool *crosses; /* by instruction: its access is in two pages */
    bool *lost, *intervals;
    bool *wrong;                /* only a wrong path is dispatched in a cycle */
    enum after_flush *recovers; /* what dispatch does then */
    unsigned *slots;            /* of dispatch, taken in a cycle */
    uint64_t max_cycles, now;
    uint64_t taken_until; /* of an in-order core: nothing else is issued */
    unsigned n_delivered, n_dispatched, n_retired;
    unsigned begun;     /* slots that the next instruction to dispatch has had in earlier cycles */
    unsigned n_settled; /* nothing about them is left to find out... */
    uint64_t written;   /* ...the latest store of which was written then */
    struct drain *drains;
    unsigned n_drains;
    uint64_t drained; /* when the latest of them is written */
};

/* Makes caches and TLBs of the machine, with nothing in them. */
void slow_caches_new(struct slow *slow);
void slow_caches_free(struct slow *slow);

/* All accesses, in program order: what they find, and which lines they wait for. */
void slow_find_all(struct slow *slow);

/* Whether access i touches two lines. */
bool slow_is_split(const struct slow *slow, unsigned i);

/* When the base that instruction i updates is there; NEVER: not known yet. */
uint64_t slow_base_there(struct slow *slow, unsigned i);

/* How many instructions are between dispatch and retirement at most. */
unsigned slow_entries(const struct slow *slow);

/* Of an in-order core: dispatches instruction i in this cycle, in which so many slots are taken, if
 * it can be issued in the next. */
bool slow_dispatch_in_order(struct slow *slow, unsigned i, unsigned slots);

/* Once all has run: adds up what instructions have waited for. ends: when each lets others go on.
 */
void slow_count_waits(struct slow *slow, const uint64_t *ends);

/* Once their times are known: counts as refills what was prefetched too late. */
void slow_find_late(struct slow *slow);

#endif
