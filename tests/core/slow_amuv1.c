/* First all accesses in program order find what the caches, TLBs and the prefetcher have for them;
 * then the clock runs, and a time is known when everything it depends on is. */
#include "slow_amuv1.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT64_MAX
#define NONE  (-1)

/* ---- lists with the newest first ---- */

struct list {
    uint64_t *names;
    int *owners; /* what brought them */
    unsigned n, capacity;
};

struct lists {
    struct list *sets;
    unsigned n_sets;
};

static struct lists lists_new(unsigned entries, unsigned ways)
{
    struct lists lists = {calloc(entries / ways, sizeof *lists.sets), entries / ways};
    for (unsigned set = 0; set < lists.n_sets; set++)
        lists.sets[set] =
            (struct list){calloc(ways, sizeof(uint64_t)), calloc(ways, sizeof(int)), 0, ways};
    return lists;
}

static void lists_free(struct lists *lists)
{
    for (unsigned set = 0; set < lists->n_sets; set++) {
        free(lists->sets[set].names);
        free(lists->sets[set].owners);
    }
    free(lists->sets);
}

static struct list *list_of(struct lists *lists, uint64_t name)
{
    return &lists->sets[name % lists->n_sets];
}

static bool list_take(struct list *list, uint64_t name, int *owner)
{
    for (unsigned i = 0; i < list->n; i++) {
        if (list->names[i] != name)
            continue;
        *owner = list->owners[i];
        list->n--;
        memmove(&list->names[i], &list->names[i + 1], (list->n - i) * sizeof *list->names);
        memmove(&list->owners[i], &list->owners[i + 1], (list->n - i) * sizeof *list->owners);
        return true;
    }
    return false;
}

/* Returns whether one was lost, and which. */
static bool list_put(struct list *list, uint64_t name, int owner, uint64_t *lost, int *lost_owner)
{
    const bool full = list->n == list->capacity;
    if (full) {
        list->n--;
        *lost = list->names[list->n];
        *lost_owner = list->owners[list->n];
    }
    memmove(&list->names[1], &list->names[0], list->n * sizeof *list->names);
    memmove(&list->owners[1], &list->owners[0], list->n * sizeof *list->owners);
    list->names[0] = name;
    list->owners[0] = owner;
    list->n++;
    return full;
}

static bool list_has(const struct list *list, uint64_t name)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->names[i] == name)
            return true;
    return false;
}

/* Whether it is there; then it is the newest. */
static bool touch(struct lists *lists, uint64_t name, int *owner)
{
    struct list *list = list_of(lists, name);
    uint64_t lost;
    int lost_owner;
    if (!list_take(list, name, owner))
        return false;
    list_put(list, name, *owner, &lost, &lost_owner);
    return true;
}

/* ---- what the accesses find ---- */

enum asker { BY_FETCH, BY_LOAD, BY_STORE, BY_DEVICE_LOAD };

/* A line that level 2 asked for beyond: `after` cycles behind `by` was at it. */
struct fill {
    int line;        /* index of the line access that caused it */
    uint64_t after;  /* from its asked time (or from the start of its miss) to beyond */
    uint64_t cycles; /* from there to its arrival */
    bool from_miss;  /* of a data miss: counted from its start */
};

/* A line that an instruction touches. */
struct line {
    int insn;
    enum asker asker;
    bool first;     /* of its instruction: later ones know nothing new of `base` */
    uint64_t delay; /* translation */
    int miss;       /* of the data cache: which; NONE: */
    int hit_miss;   /* ...the miss that brought it */
    bool l1i_hit;
    int l2_fill;                           /* what brought it to level 2; NONE: long there */
    bool l2_missed;                        /* then l2_fill is its own */
    uint64_t base, asked, arrives, beyond; /* NEVER until known */
};

struct stride {
    uint64_t pc, line, stride;
    unsigned repeated;
};

struct slow {
    const struct armpmu_machine *machine;
    const struct slow_insn *insns;
    unsigned n_insns;
    struct slow_counts counts;
    struct lists l1i, l1d, l2, llc, l2tlb, itlb, dtlb;
    bool *dirty_l1d, *dirty_l2; /* by miss, by fill */
    struct stride strides[MEMORY_STRIDES];
    struct page_map pages;
    const struct slow_change **placed; /* pages, the latest last */
    unsigned n_placed;
    bool mmu_off;

    struct line *lines;
    int n_lines, max_lines;
    int *first_line, *n_lines_of; /* by instruction: of data */
    int *fetch_of;                /* by instruction: line of its fetch or NONE */
    int *misses;                  /* line, by miss */
    int n_misses;
    struct fill *fills;
    int n_fills, max_fills;

    struct {
        uint64_t delivered, dispatched, issued, at, complete, retired, written;
        bool forwarded, spans_told;
    } * fates;
    bool *lost, *outstanding;
    uint64_t max_cycles, now;
    unsigned n_delivered, n_dispatched, n_retired;
    unsigned n_settled; /* nothing about them is left to find out... */
    uint64_t written;   /* ...the latest store of which was written then */
};

static int line_shift(const struct slow *slow)
{
    return __builtin_ctz(slow->machine->l1d_line_bytes);
}

/* ---- pages ---- */

/* Of an address, or of a change's page: addresses have 48 bits. */
#define PAGE_OF(address)  NUMBER_OF((address) >> 12)
#define NUMBER_OF(number) ((number) & ((UINT64_C(1) << 36) - 1))

static uint64_t frame_of(struct slow *slow, uint64_t page)
{
    if (slow->mmu_off)
        return page;
    if (slow->n_placed == 0)
        return page_map_physical(&slow->pages, page);
    for (unsigned i = slow->n_placed; i-- > 0;)
        if (NUMBER_OF(slow->placed[i]->page) == page)
            return slow->placed[i]->frame;
    return page;
}

/* The name of the physical line at a virtual address. */
static uint64_t name_at(struct slow *slow, uint64_t address)
{
    const uint64_t frame = frame_of(slow, PAGE_OF(address));
    return (frame * 4096 + address % 4096) / slow->machine->l1d_line_bytes;
}

/* What TLBs know a page by: once pages are placed, with its frame. */
static uint64_t tlb_name(struct slow *slow, uint64_t page)
{
    return slow->n_placed == 0 ? page : page | frame_of(slow, page) << 36;
}

/* Entries of a page, or all. */
static void flush_tlb(struct lists *tlb, const uint64_t *page)
{
    for (unsigned set = 0; set < tlb->n_sets; set++) {
        struct list *list = &tlb->sets[set];
        unsigned left = 0;
        for (unsigned i = 0; i < list->n; i++)
            if (page != NULL && NUMBER_OF(list->names[i]) != NUMBER_OF(*page))
                list->names[left++] = list->names[i];
        list->n = left;
    }
}

static void flush_tlbs(struct slow *slow, const uint64_t *page)
{
    flush_tlb(&slow->itlb, page);
    flush_tlb(&slow->dtlb, page);
    flush_tlb(&slow->l2tlb, page);
}

static void change_pages(struct slow *slow, const struct slow_change *change)
{
    switch (change->kind) {
    case SLOW_NOTHING:
        break;
    case SLOW_PLACE:
        if (slow->n_placed == 0)
            flush_tlbs(slow, NULL);
        slow->placed[slow->n_placed++] = change;
        break;
    case SLOW_FLUSH_ALL:
        flush_tlbs(slow, NULL);
        break;
    case SLOW_FLUSH_PAGE:
        flush_tlbs(slow, &change->page);
        break;
    case SLOW_TRANSLATE:
        slow->mmu_off = !change->on;
        break;
    }
}

/* ---- caches ---- */

static uint64_t beyond_cycles(struct slow *slow, uint64_t name)
{
    int owner, lost_owner;
    uint64_t lost;
    if (slow->machine->llc_size_kb != 0) {
        if (touch(&slow->llc, name, &owner))
            return slow->machine->llc_hit_cycles;
        list_put(list_of(&slow->llc, name), name, NONE, &lost, &lost_owner);
    }
    return slow->machine->memory_latency_cycles;
}

static void lose_l2_line(struct slow *slow, uint64_t name, bool dirty)
{
    int owner, lost_owner;
    uint64_t lost;
    if (list_take(list_of(&slow->l1d, name), name, &owner))
        dirty |= slow->dirty_l1d[owner];
    if (dirty && slow->machine->llc_size_kb != 0 && !touch(&slow->llc, name, &owner))
        list_put(list_of(&slow->llc, name), name, NONE, &lost, &lost_owner);
}

static int fill_l2(struct slow *slow, uint64_t name, struct fill fill)
{
    uint64_t lost;
    int lost_owner;
    const int number = slow->n_fills++;
    if (number >= slow->max_fills)
        abort();
    slow->fills[number] = fill;
    slow->dirty_l2[number] = false;
    if (list_put(list_of(&slow->l2, name), name, number, &lost, &lost_owner))
        lose_l2_line(slow, lost, slow->dirty_l2[lost_owner]);
    return number;
}

/* The translation's delay of a line access. */
static uint64_t look_up_page(struct slow *slow, struct lists *tlb, uint64_t address, int line,
                             uint64_t *walks)
{
    const struct armpmu_machine *m = slow->machine;
    const uint64_t page = PAGE_OF(address), entry = tlb_name(slow, page);
    int owner, lost_owner;
    uint64_t lost, cycles = m->l2tlb_cycles;
    if (slow->mmu_off || touch(tlb, entry, &owner))
        return 0;
    list_put(list_of(tlb, entry), entry, NONE, &lost, &lost_owner);
    if (touch(&slow->l2tlb, entry, &owner))
        return cycles;
    list_put(list_of(&slow->l2tlb, entry), entry, NONE, &lost, &lost_owner);
    ++*walks;
    cycles += m->walk_cycles;
    for (int level = (int)m->walk_levels - 1; level >= 0; level--) {
        const uint64_t name = UINT64_C(1) << 56 | (uint64_t)level << 48 | page >> (9 * level + 3);
        if (touch(&slow->l2, name, &owner))
            continue;
        cycles += beyond_cycles(slow, name);
        fill_l2(slow, name, (struct fill){.line = line});
    }
    return cycles;
}

static struct line *new_line(struct slow *slow, unsigned insn, enum asker asker)
{
    if (slow->n_lines == slow->max_lines)
        abort();
    struct line *line = &slow->lines[slow->n_lines++];
    *line = (struct line){.insn = (int)insn,
                          .asker = asker,
                          .miss = NONE,
                          .hit_miss = NONE,
                          .l2_fill = NONE,
                          .base = NEVER,
                          .asked = NEVER,
                          .arrives = NEVER};
    return line;
}

static void ask_l2(struct slow *slow, struct line *line, uint64_t name)
{
    slow->counts.l2_accesses++;
    if (touch(&slow->l2, name, &line->l2_fill))
        return;
    slow->counts.l2_misses++;
    line->l2_missed = true;
    const struct fill fill = {(int)(line - slow->lines), slow->machine->l2_hit_cycles,
                              beyond_cycles(slow, name), line->asker != BY_FETCH};
    line->l2_fill = fill_l2(slow, name, fill);
}

static void find_fetch(struct slow *slow, unsigned i)
{
    struct line *line = new_line(slow, i, BY_FETCH);
    const uint64_t pc = slow->insns[i].pc, name = name_at(slow, pc);
    uint64_t lost;
    int owner, lost_owner;
    slow->fetch_of[i] = slow->n_lines - 1;
    line->delay = look_up_page(slow, &slow->itlb, pc, slow->n_lines - 1, &slow->counts.itlb_walks);
    slow->counts.l1i_accesses++;
    line->l1i_hit = touch(&slow->l1i, name, &owner);
    if (line->l1i_hit)
        return;
    slow->counts.l1i_refills++;
    list_put(list_of(&slow->l1i, name), name, NONE, &lost, &lost_owner);
    ask_l2(slow, line, name);
}

static void find_prefetches(struct slow *slow, unsigned i, int line, uint64_t name)
{
    const struct armpmu_machine *m = slow->machine;
    const uint64_t pc = slow->insns[i].pc;
    const int page_lines = 12 - line_shift(slow);
    struct stride *stride = &slow->strides[pc / 4 % MEMORY_STRIDES];
    if (m->prefetch_lines == 0)
        return;
    if (stride->pc != pc) {
        *stride = (struct stride){pc, name, 0, 0};
        return;
    }
    if (name == stride->line)
        return;
    stride->repeated = name - stride->line == stride->stride ? stride->repeated + 1 : 0;
    stride->stride = name - stride->line;
    stride->line = name;
    for (unsigned ahead = 1; stride->repeated >= 2 && ahead <= m->prefetch_lines; ahead++) {
        const uint64_t next = name + ahead * stride->stride;
        if (next >> page_lines != name >> page_lines)
            return;
        if (!list_has(list_of(&slow->l2, next), next))
            fill_l2(slow, next,
                    (struct fill){line, m->l2_hit_cycles, beyond_cycles(slow, next), false});
    }
}

static void find_data_line(struct slow *slow, unsigned i, enum asker asker, uint64_t address,
                           bool first)
{
    struct line *line = new_line(slow, i, asker);
    const int number = slow->n_lines - 1;
    const uint64_t name = name_at(slow, address);
    uint64_t lost;
    int lost_owner, owner;
    line->first = first;
    line->delay = look_up_page(slow, &slow->dtlb, address, number, &slow->counts.dtlb_walks);
    slow->counts.l1d_accesses++;
    if (!touch(&slow->l1d, name, &line->hit_miss)) {
        slow->counts.l1d_refills++;
        line->miss = slow->n_misses++;
        line->hit_miss = line->miss;
        slow->misses[line->miss] = number;
        slow->dirty_l1d[line->miss] = false;
        ask_l2(slow, line, name);
        if (list_put(list_of(&slow->l1d, name), name, line->miss, &lost, &lost_owner) &&
            slow->dirty_l1d[lost_owner]) {
            struct list *l2 = list_of(&slow->l2, lost);
            for (unsigned at = 0; at < l2->n; at++)
                if (l2->names[at] == lost)
                    slow->dirty_l2[l2->owners[at]] = true;
        }
    }
    if (asker == BY_STORE)
        slow->dirty_l1d[line->hit_miss] = true;
    else if (first)
        find_prefetches(slow, i, number, name);
    (void)owner;
}

static void find_data(struct slow *slow, unsigned i, enum asker asker)
{
    const struct slow_insn *insn = &slow->insns[i];
    const uint64_t bytes = slow->machine->l1d_line_bytes, end = insn->address + insn->op.bytes;
    for (uint64_t line = insn->address / bytes; line * bytes < end; line++)
        find_data_line(slow, i, asker, line * bytes > insn->address ? line * bytes : insn->address,
                       line * bytes <= insn->address);
}

/* Device memory: nothing but the page of the first byte, and that for loads alone. */
static void find_device(struct slow *slow, unsigned i)
{
    if (!slow->insns[i].op.window.load)
        return;
    struct line *line = new_line(slow, i, BY_DEVICE_LOAD);
    line->delay = look_up_page(slow, &slow->dtlb, slow->insns[i].address, slow->n_lines - 1,
                               &slow->counts.dtlb_walks);
}

/* An instruction that loads and stores asks twice; its lines stand in this order. */
static void find_all(struct slow *slow)
{
    uint64_t latest = NEVER;
    for (unsigned i = 0; i < slow->n_insns; i++) {
        const struct slow_insn *insn = &slow->insns[i];
        const uint64_t name = insn->pc >> line_shift(slow);
        slow->fetch_of[i] = NONE;
        change_pages(slow, &insn->before);
        if (name != latest || insn->before.kind != SLOW_NOTHING)
            find_fetch(slow, i);
        latest = name;
        slow->first_line[i] = slow->n_lines;
        if (insn->accesses && insn->device)
            find_device(slow, i);
        if (insn->accesses && !insn->device && insn->op.window.load)
            find_data(slow, i, BY_LOAD);
        if (insn->accesses && !insn->device && insn->op.window.store)
            find_data(slow, i, BY_STORE);
        slow->n_lines_of[i] = slow->n_lines - slow->first_line[i];
    }
}

/* ---- times ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b; /* NEVER is the latest */
}

/* When a line is there that a fill brought; *beyond: since when it was waited for. */
static uint64_t fill_arrives(struct slow *slow, int number, uint64_t *beyond)
{
    const struct fill *fill = &slow->fills[number];
    const struct line *line = &slow->lines[fill->line];
    uint64_t from;
    if (line->asked == NEVER)
        return NEVER;
    if (fill->from_miss) {
        if (line->arrives == NEVER)
            return NEVER;
        *beyond = line->beyond;
        return line->arrives;
    }
    from = line->asked;
    *beyond = from + fill->after;
    return from + fill->after + fill->cycles;
}

/* Of a line access whose answer from level 2 is due at `answer`. */
static void answer_line(struct slow *slow, struct line *line, uint64_t answer)
{
    uint64_t beyond = 0;
    if (line->l2_missed) {
        line->beyond = answer;
        line->arrives = answer + slow->fills[line->l2_fill].cycles;
        return;
    }
    const uint64_t arrives = fill_arrives(slow, line->l2_fill, &beyond);
    if (arrives == NEVER)
        return;
    line->arrives = later(arrives, answer);
    line->beyond = arrives > answer ? later(beyond, answer) : 0;
}

static void time_line(struct slow *slow, struct line *line, uint64_t base)
{
    const struct armpmu_machine *m = slow->machine;
    if (line->arrives != NEVER)
        return;
    line->base = base;
    line->asked = base + line->delay;
    if (line->asker == BY_FETCH) {
        if (line->l1i_hit)
            line->arrives = line->asked;
        else
            answer_line(slow, line, line->asked + m->l2_hit_cycles);
    } else if (line->asker == BY_DEVICE_LOAD) {
        line->beyond = line->asked + slow->insns[line->insn].op.window.latency;
        line->arrives = line->beyond + m->memory_latency_cycles;
    } else if (line->miss == NONE) {
        const struct line *bringer = &slow->lines[slow->misses[line->hit_miss]];
        line->arrives = bringer->arrives;
        line->beyond = bringer->beyond;
    } else {
        const int before = line->miss - (int)m->window_misses;
        const uint64_t free_at = before < 0 ? 0 : slow->lines[slow->misses[before]].arrives;
        if (free_at != NEVER)
            answer_line(slow, line, later(line->asked, free_at) + m->l2_hit_cycles);
    }
}

/* A demand access waits: misses are outstanding. */
static void tell_spans(struct slow *slow, unsigned i, enum asker asker)
{
    for (int n = 0; n < slow->n_lines_of[i]; n++) {
        const struct line *line = &slow->lines[slow->first_line[i] + n];
        if (line->asker != asker || line->beyond == 0)
            continue;
        for (uint64_t t = later(line->asked, line->beyond); t < line->arrives; t++)
            if (t < slow->max_cycles)
                slow->outstanding[t] = true;
    }
}

/* The latest store before instruction i that stands in the place of an 8-byte granule; NONE if it
 * is to another granule. */
static int writer_of(const struct slow *slow, unsigned i, uint64_t granule)
{
    for (int at = (int)i - 1; at >= 0; at--) {
        const struct slow_insn *insn = &slow->insns[at];
        if (!insn->accesses || !insn->op.window.store)
            continue;
        const uint64_t first = insn->address / 8, last = (insn->address + insn->op.bytes - 1) / 8;
        for (uint64_t wrote = last + 1; wrote-- > first;)
            if (wrote % MEMORY_GRANULES == granule % MEMORY_GRANULES)
                return wrote == granule ? at : NONE;
    }
    return NONE;
}

/* When a load can look into the cache, and whether the store queue has all it wants. Returns false
 * while that is not known. */
static bool wait_for_stores(struct slow *slow, unsigned i)
{
    const struct slow_insn *insn = &slow->insns[i];
    const uint64_t first = insn->address / 8, last = (insn->address + insn->op.bytes - 1) / 8;
    uint64_t at = slow->fates[i].issued;
    bool all = true;
    for (uint64_t granule = first; granule <= last; granule++) {
        const int writer = writer_of(slow, i, granule);
        if (writer == NONE)
            continue;
        if (slow->fates[writer].issued == NEVER)
            return false;
        at = later(at, slow->fates[writer].issued + 1);
    }
    for (uint64_t granule = first; granule <= last && all; granule++) {
        const int writer = writer_of(slow, i, granule);
        if (writer == NONE) {
            all = false;
        } else if (slow->fates[writer].written == NEVER) {
            if (slow->now < at) /* it is written later than now */
                return false;
        } else {
            all = slow->fates[writer].written > at;
        }
    }
    slow->fates[i].at = at;
    slow->fates[i].forwarded = all;
    return true;
}

/* It waits for no store. */
static void time_device_load(struct slow *slow, unsigned i)
{
    struct line *line = &slow->lines[slow->first_line[i]];
    time_line(slow, line, slow->fates[i].issued);
    slow->fates[i].complete = line->arrives;
    tell_spans(slow, i, BY_DEVICE_LOAD);
}

static void time_load(struct slow *slow, unsigned i)
{
    const struct slow_insn *insn = &slow->insns[i];
    const uint64_t extra = insn->op.window.latency - slow->machine->latency_load;
    uint64_t done;
    if (slow->fates[i].at == NEVER && !wait_for_stores(slow, i))
        return;
    done = slow->fates[i].at + insn->op.window.latency;
    for (int n = 0; n < slow->n_lines_of[i]; n++) {
        struct line *line = &slow->lines[slow->first_line[i] + n];
        if (line->asker != BY_LOAD)
            continue;
        time_line(slow, line, slow->fates[i].at);
        done = later(done, line->asked + insn->op.window.latency);
        if (slow->fates[i].forwarded)
            continue;
        if (line->arrives == NEVER)
            return;
        done = later(done, line->arrives + extra);
    }
    slow->fates[i].complete = done;
    if (!slow->fates[i].forwarded)
        tell_spans(slow, i, BY_LOAD);
}

static void time_store(struct slow *slow, unsigned i, uint64_t before)
{
    uint64_t written = later(slow->fates[i].retired + 1, before);
    for (int n = 0; n < slow->n_lines_of[i]; n++) {
        struct line *line = &slow->lines[slow->first_line[i] + n];
        if (line->asker != BY_STORE)
            continue;
        time_line(slow, line, slow->fates[i].retired + 1);
        if (line->arrives == NEVER)
            return;
        written = later(written, later(line->asked, line->arrives));
    }
    slow->fates[i].written = slow->insns[i].accesses ? written : slow->fates[i].retired;
    tell_spans(slow, i, BY_STORE);
}

/* ---- the clock ---- */

/* Whether all times of an instruction are known. */
static bool is_settled(const struct slow *slow, unsigned i)
{
    for (int n = 0; n < slow->n_lines_of[i]; n++)
        if (slow->lines[slow->first_line[i] + n].arrives == NEVER)
            return false;
    return slow->fates[i].retired != NEVER &&
           (!slow->insns[i].op.window.store || slow->fates[i].written != NEVER);
}

static void settle(struct slow *slow)
{
    for (; slow->n_settled < slow->n_retired && is_settled(slow, slow->n_settled);
         slow->n_settled++)
        if (slow->insns[slow->n_settled].op.window.store && slow->insns[slow->n_settled].accesses)
            slow->written = slow->fates[slow->n_settled].written;
}

static void time_accesses(struct slow *slow)
{
    settle(slow);
    uint64_t before = slow->written;
    for (unsigned i = slow->n_settled; i < slow->n_dispatched; i++) {
        const struct slow_insn *insn = &slow->insns[i];
        if (insn->accesses && insn->op.window.load && slow->fates[i].issued != NEVER &&
            slow->fates[i].complete == NEVER) {
            if (insn->device)
                time_device_load(slow, i);
            else
                time_load(slow, i);
        }
        /* Forwarded loads are done before their lines are there. */
        for (int n = 0; n < slow->n_lines_of[i] && slow->fates[i].forwarded; n++)
            if (slow->lines[slow->first_line[i] + n].asker == BY_LOAD)
                time_line(slow, &slow->lines[slow->first_line[i] + n], slow->fates[i].at);
        if (!insn->op.window.store)
            continue;
        if (slow->fates[i].written == NEVER && slow->fates[i].retired != NEVER && before != NEVER)
            time_store(slow, i, before);
        if (insn->accesses)
            before = slow->fates[i].written;
    }
}

static void retire(struct slow *slow)
{
    for (unsigned n = 0; n < slow->machine->dispatch_width; n++) {
        if (slow->n_retired == slow->n_dispatched ||
            slow->fates[slow->n_retired].complete > slow->now)
            return;
        slow->fates[slow->n_retired++].retired = slow->now;
    }
}

/* When the front end may go on behind instruction i; NEVER: not known yet. */
static uint64_t go_on_behind(const struct slow *slow, unsigned i)
{
    const struct armpmu_machine *m = slow->machine;
    const uint64_t from = slow->fates[i].delivered, complete = slow->fates[i].complete,
                   retired = slow->fates[i].retired;
    switch (slow->insns[i].flow) {
    case SLOW_ON:
        break;
    case SLOW_TAKEN:
        return from + 1;
    case SLOW_LATE:
        return from + 1 + m->branch_late_cycles;
    case SLOW_FLUSH:
        return complete == NEVER ? NEVER : later(from, complete + m->branch_mispredict_cycles);
    case SLOW_EXCEPTION:
        return retired == NEVER ? NEVER
                                : later(from, retired + later(m->exception_entry_cycles,
                                                              m->exception_return_cycles));
    case SLOW_EXCEPTION_RETURN:
        return retired == NEVER ? NEVER : later(from, retired + m->exception_return_cycles);
    }
    return from;
}

static void deliver(struct slow *slow)
{
    for (unsigned n = 0; n < slow->machine->dispatch_width; n++) {
        const unsigned i = slow->n_delivered, queue = slow->machine->dispatch_queue;
        if (i == slow->n_insns)
            return;
        uint64_t from = i > 0 ? go_on_behind(slow, i - 1) : 0;
        if (from == NEVER)
            return;
        if (slow->fetch_of[i] != NONE) {
            struct line *line = &slow->lines[slow->fetch_of[i]];
            time_line(slow, line, from);
            from = line->arrives;
        }
        if (slow->now < from || (i >= queue && slow->fates[i - queue].dispatched >= slow->now))
            return;
        slow->fates[i].delivered = slow->now;
        slow->n_delivered++;
    }
}

static int nth_before(const struct slow *slow, unsigned i, unsigned n, bool stores)
{
    for (int at = (int)i - 1; at >= 0; at--)
        if ((stores ? slow->insns[at].op.window.store : slow->insns[at].op.window.load) && --n == 0)
            return at;
    return NONE;
}

static bool has_room(const struct slow *slow, unsigned i)
{
    const struct armpmu_machine *m = slow->machine;
    const struct window_op *op = &slow->insns[i].op.window;
    const int load = op->load ? nth_before(slow, i, m->window_loads, false) : NONE;
    const int store = op->store ? nth_before(slow, i, m->window_stores, true) : NONE;
    return (i < m->window_entries || slow->fates[i - m->window_entries].retired < slow->now) &&
           (load == NONE || slow->fates[load].retired < slow->now) &&
           (store == NONE || slow->fates[store].written < slow->now);
}

static void dispatch(struct slow *slow)
{
    unsigned slots = 0;
    while (slow->n_dispatched < slow->n_delivered) {
        const unsigned i = slow->n_dispatched;
        if (slots + slow->insns[i].op.window.slots > slow->machine->dispatch_width ||
            !has_room(slow, i))
            break;
        slots += slow->insns[i].op.window.slots;
        slow->fates[i].dispatched = slow->now;
        slow->n_dispatched++;
    }
    slow->lost[slow->now] = slots == 0 && slow->n_dispatched < slow->n_delivered;
}

static bool operands_are_there(const struct slow *slow, unsigned i)
{
    uint64_t left = slow->insns[i].op.window.reads;
    bool flags = slow->insns[i].op.window.reads_flags;
    for (int at = (int)i - 1; at >= (int)slow->n_retired && (left != 0 || flags); at--) {
        const struct window_op *op = &slow->insns[at].op.window;
        const uint64_t issued = slow->fates[at].issued, complete = slow->fates[at].complete;
        if ((left & op->writes_back) != 0 &&
            (issued == NEVER || issued + slow->machine->latency_alu > slow->now))
            return false;
        left &= ~op->writes_back;
        if (((left & op->writes) != 0 || (flags && op->writes_flags)) &&
            (complete == NEVER || complete > slow->now))
            return false;
        left &= ~op->writes;
        flags &= !op->writes_flags;
    }
    return true;
}

static bool divider_is_free(const struct slow *slow, unsigned i)
{
    const struct window_op *op = &slow->insns[i].op.window;
    for (unsigned at = 0; at < i && op->divides; at++) {
        const struct window_op *older = &slow->insns[at].op.window;
        if (older->divides && older->divider == op->divider &&
            (slow->fates[at].issued == NEVER ||
             slow->fates[at].issued + older->divide_cycles > slow->now))
            return false;
    }
    return true;
}

static void issue(struct slow *slow)
{
    const struct armpmu_machine *m = slow->machine;
    unsigned left[WINDOW_UNITS] = {
        [UNIT_INTEGER] = m->units_integer, [UNIT_MULTICYCLE] = m->units_multicycle,
        [UNIT_BRANCH] = m->units_branch,   [UNIT_LOAD] = m->units_load,
        [UNIT_STORE] = m->units_store,     [UNIT_VECTOR] = m->units_vector};
    for (unsigned i = slow->n_retired; i < slow->n_dispatched; i++) {
        const struct slow_insn *insn = &slow->insns[i];
        const struct window_op *op = &insn->op.window;
        const bool integer = op->unit == UNIT_MULTICYCLE;
        if (slow->fates[i].issued != NEVER || slow->fates[i].dispatched >= slow->now ||
            left[op->unit] == 0 || (integer && left[UNIT_INTEGER] == 0) ||
            !operands_are_there(slow, i) || !divider_is_free(slow, i))
            continue;
        left[op->unit]--;
        if (integer)
            left[UNIT_INTEGER]--;
        slow->fates[i].issued = slow->now;
        if (!insn->accesses || !op->load)
            slow->fates[i].complete = slow->now + op->latency;
    }
}

/* The periods in which more than a gear's threshold of active instructions were dispatched. */
static void count_gears(struct slow *slow)
{
    const struct armpmu_machine *m = slow->machine;
    const uint32_t thresholds[AMUV1_GEARS] = {m->mpmm_gear0_threshold, m->mpmm_gear1_threshold,
                                              m->mpmm_gear2_threshold};
    const uint64_t n_periods = slow->max_cycles / m->mpmm_period_cycles + 1;
    uint32_t *active = calloc(n_periods, sizeof *active);
    for (unsigned i = 0; i < slow->n_insns; i++)
        active[slow->fates[i].dispatched / m->mpmm_period_cycles] += slow->insns[i].op.active;
    for (uint64_t period = 0; period < n_periods; period++)
        for (unsigned gear = 0; gear < AMUV1_GEARS; gear++)
            slow->counts.gears[gear] += active[period] > thresholds[gear];
    free(active);
}

static void run_clock(struct slow *slow)
{
    for (slow->now = 1; slow->n_retired < slow->n_insns; slow->now++) {
        if (slow->now == slow->max_cycles)
            abort();
        retire(slow);
        time_accesses(slow);
        deliver(slow);
        dispatch(slow);
        issue(slow);
        time_accesses(slow);
    }
    slow->counts.cycles = slow->now - 1;
    for (uint64_t t = 0; t < slow->max_cycles; t++)
        slow->counts.memory_stall += slow->lost[t] && slow->outstanding[t];
    count_gears(slow);
}

/* ---- all ---- */

static void make_caches(struct slow *slow)
{
    const struct armpmu_machine *m = slow->machine;
    const unsigned line = m->l1d_line_bytes;
    slow->l1i = lists_new(m->l1i_size_kb * 1024 / line, m->l1i_ways);
    slow->l1d = lists_new(m->l1d_size_kb * 1024 / line, m->l1d_ways);
    slow->l2 = lists_new(m->l2_size_kb * 1024 / line, m->l2_ways);
    slow->llc = m->llc_size_kb != 0 ? lists_new(m->llc_size_kb * 1024 / line, m->llc_ways)
                                    : lists_new(1, 1);
    slow->l2tlb = lists_new(m->l2tlb_entries, m->l2tlb_ways);
    slow->itlb = lists_new(m->itlb_entries, m->itlb_entries);
    slow->dtlb = lists_new(m->dtlb_entries, m->dtlb_entries);
}

struct slow_counts slow_run(const struct armpmu_machine *machine, const struct slow_insn *insns,
                            unsigned n_insns)
{
    struct slow slow = {.machine = machine,
                        .insns = insns,
                        .n_insns = n_insns,
                        .max_lines = (int)n_insns * 16,
                        .max_fills = (int)n_insns * 64,
                        .max_cycles = (uint64_t)n_insns * 2000 + 10000};
    make_caches(&slow);
    page_map_init(&slow.pages, machine->memory_page_map, machine->random_seed);
    slow.lines = calloc((size_t)slow.max_lines, sizeof *slow.lines);
    slow.misses = calloc((size_t)slow.max_lines, sizeof *slow.misses);
    slow.dirty_l1d = calloc((size_t)slow.max_lines, sizeof *slow.dirty_l1d);
    slow.fills = calloc((size_t)slow.max_fills, sizeof *slow.fills);
    slow.dirty_l2 = calloc((size_t)slow.max_fills, sizeof *slow.dirty_l2);
    slow.first_line = calloc(n_insns, sizeof *slow.first_line);
    slow.n_lines_of = calloc(n_insns, sizeof *slow.n_lines_of);
    slow.fetch_of = calloc(n_insns, sizeof *slow.fetch_of);
    slow.fates = malloc(n_insns * sizeof *slow.fates);
    slow.placed = calloc(n_insns, sizeof *slow.placed);
    slow.lost = calloc(slow.max_cycles, sizeof *slow.lost);
    slow.outstanding = calloc(slow.max_cycles, sizeof *slow.outstanding);
    for (unsigned i = 0; i < n_insns; i++) {
        memset(&slow.fates[i], 0xff, sizeof slow.fates[i]);
        slow.fates[i].forwarded = false;
    }
    find_all(&slow);
    run_clock(&slow);
    struct lists *all[] = {&slow.l1i,   &slow.l1d,  &slow.l2,  &slow.llc,
                           &slow.l2tlb, &slow.itlb, &slow.dtlb};
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        lists_free(all[i]);
    free(slow.lines);
    free(slow.misses);
    free(slow.dirty_l1d);
    free(slow.fills);
    free(slow.dirty_l2);
    free(slow.first_line);
    free(slow.n_lines_of);
    free(slow.fetch_of);
    free(slow.fates);
    free(slow.placed);
    free(slow.lost);
    free(slow.outstanding);
    return slow.counts;
}
