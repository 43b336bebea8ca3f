#include "timing.h"

#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"

enum { LINE = 32, HALF = 16, PAGE = 4096, ON_THE_WAY = 64, ITEMS = 1024, BRANCHES = 128 };

/* A cache or a TLB: sets of items. */
struct table {
    unsigned sets, ways, next[ITEMS];
    bool lru;
    uint64_t clock;
    struct item {
        bool valid, dirty[2];
        uint32_t name;
        uint64_t used;
    } items[ITEMS];
};

/* A line, or 16 bytes, from when it is asked for to when it is all there. */
struct transfer {
    uint32_t name, first_word;
    uint64_t asked, first, end;
    unsigned lanes;
    bool takes_more, counted;
};

struct slow {
    const struct armpmu_machine *machine;
    const struct way *way;
    uint64_t *signals;
    uint64_t now;
    struct table l1i, l1d, mini, itlb, dtlb;
    struct transfer fetches[2], fills[ON_THE_WAY], writes[ON_THE_WAY], reads[ON_THE_WAY];
    uint64_t pends[ON_THE_WAY];
    unsigned n_fills, n_writes, n_pends, n_reads;
    uint64_t bus, last_stall, full_counted;
    uint64_t ready[17], ready_to_shift[17], multiplier, memory;
    struct {
        uint32_t branch, target;
        int taken; /* -2 and -1 for not taken, 1 and 2 for taken */
    } buffer[BRANCHES];
    bool translates;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- tables ---- */

static void table_init(struct table *table, unsigned sets, unsigned ways, bool lru)
{
    table->sets = sets;
    table->ways = ways;
    table->lru = lru;
}

static struct item *table_find(struct table *table, uint32_t name)
{
    for (unsigned way = 0; way < table->ways; way++) {
        struct item *item = &table->items[name % table->sets * table->ways + way];
        if (item->valid && item->name == name)
            return item;
    }
    return NULL;
}

static struct item *table_look_up(struct table *table, uint32_t name)
{
    struct item *item = table_find(table, name);
    if (item != NULL)
        item->used = ++table->clock;
    return item;
}

/* Returns what had to go. */
static struct item table_put(struct table *table, uint32_t name, struct item **in)
{
    const unsigned set = name % table->sets;
    struct item *items = &table->items[set * table->ways];
    unsigned way = 0;
    while (way < table->ways && items[way].valid)
        way++;
    if (way == table->ways && table->lru) {
        way = 0;
        for (unsigned i = 1; i < table->ways; i++)
            way = items[i].used < items[way].used ? i : way;
    } else if (way == table->ways) {
        way = table->next[set];
        table->next[set] = (way + 1) % table->ways;
    }
    const struct item out = items[way];
    items[way] = (struct item){.valid = true, .name = name, .used = ++table->clock};
    *in = &items[way];
    return out;
}

/* ---- the bus ---- */

static unsigned room(const struct slow *slow)
{
    return slow->machine->product_bus_unit == YESNO_YES ? slow->machine->product_requests : 0;
}

/* Requests on their way or waiting at a time. */
static unsigned requests(const struct slow *slow, uint64_t now)
{
    unsigned n = 0;
    bool writes = false;
    for (unsigned i = 0; i < slow->n_reads; i++)
        n += slow->reads[i].end > now;
    for (unsigned i = 0; i < slow->n_writes; i++)
        writes |= slow->writes[i].end > now;
    return n + writes;
}

/* Clock by clock. */
static void count_full(struct slow *slow, uint64_t now)
{
    for (; slow->full_counted < now; slow->full_counted++) {
        if (room(slow) == 0 || requests(slow, slow->full_counted) == 0) {
            slow->full_counted = now;
            return;
        }
        slow->signals[ARMPMU_SIGNAL_PRODUCT_INPUT1] +=
            requests(slow, slow->full_counted) >= room(slow);
    }
}

static void forget_ended(struct transfer *transfers, unsigned *n, uint64_t now)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < *n; i++)
        if (transfers[i].end > now)
            transfers[kept++] = transfers[i];
    *n = kept;
}

static struct transfer read_words(struct slow *slow, uint64_t now, uint32_t address,
                                  unsigned records)
{
    const uint64_t beat = slow->machine->bus_beat_cycles;
    uint64_t asked = now;
    count_full(slow, now);
    forget_ended(slow->reads, &slow->n_reads, now);
    while (room(slow) != 0 && requests(slow, asked) >= room(slow))
        asked++;
    uint64_t first = asked + slow->machine->memory_latency_cycles;
    if (slow->bus > asked)
        first = later(first, slow->bus + beat);
    const unsigned each = slow->machine->bus_width_bits / 32, beats = (records + each - 1) / each;
    const struct transfer read = {
        .name = address / LINE,
        .first_word = address / 4 % 8 / each * each,
        .asked = asked,
        .first = first,
        .end = first + (beats - 1) * beat,
    };
    slow->bus = read.end;
    slow->signals[ARMPMU_SIGNAL_PRODUCT_INPUT0] += room(slow) != 0;
    slow->reads[slow->n_reads++] = read;
    return read;
}

static uint64_t arrival(const struct slow *slow, const struct transfer *line, uint32_t address)
{
    const unsigned each = slow->machine->bus_width_bits / 32;
    const unsigned word = (address / 4 % 8 + 8 - line->first_word) % 8;
    return line->first + word / each * slow->machine->bus_beat_cycles;
}

/* ---- translation ---- */

static bool translate(struct slow *slow, struct table *tlb, uint32_t address, uint64_t *now)
{
    struct item *in;
    if (!slow->translates || table_look_up(tlb, address / PAGE) != NULL)
        return false;
    table_put(tlb, address / PAGE, &in);
    *now += slow->machine->walk_cycles;
    for (unsigned level = 0; level < slow->machine->walk_levels; level++)
        *now = read_words(slow, *now, 0, 1).first;
    return true;
}

/* ---- fetch ---- */

static void wait_for_fetch(struct slow *slow, uint64_t until)
{
    for (; slow->now < until; slow->now++)
        slow->signals[ARMPMU_SIGNAL_FETCH_STALL]++;
}

static void fetch(struct slow *slow, uint32_t address)
{
    uint64_t walked = slow->now;
    for (int i = 0; i < 2; i++)
        if (slow->fetches[i].end > slow->now && slow->fetches[i].name == address / LINE) {
            wait_for_fetch(slow, arrival(slow, &slow->fetches[i], address));
            return;
        }
    slow->signals[ARMPMU_SIGNAL_ITLB_WALK] += translate(slow, &slow->itlb, address, &walked);
    wait_for_fetch(slow, walked);
    if (table_look_up(&slow->l1i, address / LINE) != NULL)
        return;
    struct item *in;
    struct transfer *buffer = &slow->fetches[slow->fetches[1].end < slow->fetches[0].end];
    slow->signals[ARMPMU_SIGNAL_L1I_REFILL]++;
    wait_for_fetch(slow, buffer->end);
    *buffer = read_words(slow, slow->now, address, 8);
    table_put(&slow->l1i, address / LINE, &in);
    wait_for_fetch(slow, buffer->first);
}

/* ---- buffers ---- */

static void wait_for_buffer(struct slow *slow, uint64_t *now, uint64_t until)
{
    if (until <= *now)
        return;
    slow->signals[ARMPMU_SIGNAL_DATA_BUFFER_STALL] += until - *now;
    slow->signals[ARMPMU_SIGNAL_DATA_BUFFER_STALL_RUN] += slow->last_stall != *now;
    *now = slow->last_stall = until;
}

/* When one of them is free. */
static uint64_t free_at(const struct transfer *transfers, unsigned n, unsigned most, uint64_t now)
{
    for (;; now++) {
        unsigned taken = 0;
        for (unsigned i = 0; i < n; i++)
            taken += transfers[i].end > now;
        if (taken < most)
            return now;
    }
}

static uint64_t pend_free_at(const struct slow *slow, uint64_t now)
{
    for (;; now++) {
        unsigned taken = 0;
        for (unsigned i = 0; i < slow->n_pends; i++)
            taken += slow->pends[i] > now;
        if (taken < slow->machine->pend_buffer_entries)
            return now;
    }
}

static void pend(struct slow *slow, uint64_t now, uint64_t served)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < slow->n_pends; i++) {
        served = later(served, slow->pends[i]); /* in program order */
        if (slow->pends[i] > now)
            slow->pends[kept++] = slow->pends[i];
    }
    slow->pends[kept++] = served;
    slow->n_pends = kept;
}

static unsigned narrow(unsigned lanes)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned bytes = lanes >> 8 * i & 0xff;
        n += bytes != 0 && bytes != 0xff;
    }
    return n;
}

/* What has gone out by a time. */
static void count_narrow(struct slow *slow, uint64_t now)
{
    for (unsigned i = 0; i < slow->n_writes; i++) {
        struct transfer *write = &slow->writes[i];
        if (write->end > now || write->counted)
            continue;
        write->counted = true;
        if (room(slow) != 0 && slow->machine->product_ecc == YESNO_YES)
            slow->signals[ARMPMU_SIGNAL_PRODUCT_INPUT6] += narrow(write->lanes);
    }
}

static uint64_t all_written(const struct slow *slow)
{
    uint64_t end = 0;
    for (unsigned i = 0; i < slow->n_writes; i++)
        end = later(end, slow->writes[i].end);
    return end;
}

static void write_out(struct slow *slow, uint64_t *now, uint32_t address, unsigned lanes,
                      bool takes_more)
{
    wait_for_buffer(
        slow, now,
        free_at(slow->writes, slow->n_writes, slow->machine->write_buffer_entries, *now));
    count_full(slow, *now);
    count_narrow(slow, *now);
    const uint64_t begins = later(*now, all_written(slow));
    forget_ended(slow->writes, &slow->n_writes, *now);
    slow->signals[ARMPMU_SIGNAL_PRODUCT_INPUT0] += room(slow) != 0;
    slow->writes[slow->n_writes++] = (struct transfer){
        .name = address / HALF,
        .asked = begins,
        .end = begins + slow->machine->write_buffer_drain_cycles,
        .lanes = lanes,
        .takes_more = takes_more,
    };
}

static unsigned lanes_of(uint32_t address, unsigned bytes)
{
    unsigned lanes = 0;
    for (unsigned i = 0; i < bytes; i++)
        lanes |= 1u << (address + i) % HALF;
    return lanes;
}

static void write_bytes(struct slow *slow, uint64_t *now, uint32_t address, unsigned bytes)
{
    const bool coalesces = slow->machine->write_buffer_coalesce == YESNO_YES;
    for (unsigned i = slow->n_writes; i-- > 0;) {
        struct transfer *write = &slow->writes[i];
        if (write->takes_more && write->asked > *now && write->name == address / HALF) {
            write->lanes |= lanes_of(address, bytes);
            return;
        }
    }
    write_out(slow, now, address, lanes_of(address, bytes), coalesces);
}

/* ---- data ---- */

static struct table *cache_of(struct slow *slow, uint32_t address)
{
    const uint32_t first = slow->machine->mini_data_first_mb, n = slow->machine->mini_data_size_mb;
    return address >> 20 >= first && address >> 20 < first + n ? &slow->mini : &slow->l1d;
}

static const struct transfer *fill_of(const struct slow *slow, uint32_t address, uint64_t now)
{
    for (unsigned i = 0; i < slow->n_fills; i++)
        if (slow->fills[i].name == address / LINE && slow->fills[i].end > now)
            return &slow->fills[i];
    return NULL;
}

static uint64_t fill(struct slow *slow, uint64_t *now, uint32_t address, bool dirty, bool pends)
{
    struct item *in;
    uint64_t free = free_at(slow->fills, slow->n_fills, slow->machine->fill_buffer_entries, *now);
    if (pends)
        free = later(free, pend_free_at(slow, *now));
    wait_for_buffer(slow, now, free);
    const struct item out = table_put(cache_of(slow, address), address / LINE, &in);
    in->dirty[address / HALF % 2] = dirty;
    for (unsigned half = 0; half < 2; half++)
        if (out.valid && out.dirty[half]) {
            slow->signals[ARMPMU_SIGNAL_L1D_HALF_LINE_WRITE_BACK]++;
            write_out(slow, now, out.name * LINE + half * HALF, 0xffff, false);
        }
    forget_ended(slow->fills, &slow->n_fills, *now);
    const struct transfer line = read_words(slow, *now, address, 8);
    slow->fills[slow->n_fills++] = line;
    if (pends)
        pend(slow, *now, line.first);
    return line.first;
}

/* Returns when a word read is there. stored: bytes, 0 of a read. */
static uint64_t access_word(struct slow *slow, uint64_t *now, uint32_t address, unsigned stored)
{
    const bool write_back = slow->machine->l1d_write_back == YESNO_YES;
    slow->signals[ARMPMU_SIGNAL_L1D_WORD_ACCESS]++;
    slow->signals[ARMPMU_SIGNAL_DTLB_WALK] += translate(slow, &slow->dtlb, address, now);
    struct item *line = table_look_up(cache_of(slow, address), address / LINE);
    if (line == NULL) {
        slow->signals[ARMPMU_SIGNAL_L1D_WORD_MISS]++;
        uint64_t there = 0;
        const bool fills = stored == 0 || slow->machine->l1d_write_allocate == YESNO_YES;
        if (fills)
            there = fill(slow, now, address, stored != 0 && write_back, true);
        if (stored != 0 && (!fills || !write_back))
            write_bytes(slow, now, address, stored);
        return there;
    }
    if (stored != 0 && write_back)
        line->dirty[address / HALF % 2] = true;
    else if (stored != 0)
        write_bytes(slow, now, address, stored);
    if (fill_of(slow, address, *now) == NULL)
        return 0;
    slow->signals[ARMPMU_SIGNAL_L1D_WORD_MISS]++;
    wait_for_buffer(slow, now, pend_free_at(slow, *now));
    const struct transfer *coming = fill_of(slow, address, *now);
    if (coming == NULL)
        return 0;
    pend(slow, *now, arrival(slow, coming, address));
    return arrival(slow, coming, address);
}

static void preload(struct slow *slow, uint64_t *now, uint32_t address)
{
    if (!slow->translates)
        return;
    slow->signals[ARMPMU_SIGNAL_DTLB_WALK] += translate(slow, &slow->dtlb, address, now);
    if (table_look_up(cache_of(slow, address), address / LINE) == NULL)
        fill(slow, now, address, false, false);
}

static uint64_t all_there(struct slow *slow, uint64_t now)
{
    now = later(now, all_written(slow));
    for (unsigned i = 0; i < slow->n_fills; i++)
        now = later(now, slow->fills[i].end);
    slow->signals[ARMPMU_SIGNAL_PRODUCT_INPUT2] += room(slow) != 0;
    return now;
}

static void access_memory(struct slow *slow, uint64_t *now, uint32_t address, unsigned stored)
{
    slow->signals[ARMPMU_SIGNAL_L1D_WORD_ACCESS]++;
    slow->signals[ARMPMU_SIGNAL_DTLB_WALK] += translate(slow, &slow->dtlb, address, now);
    *now = all_there(slow, *now);
    if (stored == 0) {
        *now = read_words(slow, *now, address, 1).first;
        return;
    }
    write_out(slow, now, address, lanes_of(address, stored), false);
    *now = all_written(slow);
}

/* ---- instructions ---- */

static unsigned cycles_of(const struct slow *slow, const struct way_insn *insn, unsigned *latency,
                          unsigned *multiplier)
{
    const unsigned steps = slow->machine->issue_multiply_class;
    const unsigned issue = insn->issue == 0 ? 1 : insn->issue;
    *latency = insn->latency == 0 ? 1 : insn->latency;
    *multiplier = insn->multiplier;
    switch (insn->timing) {
    case WAY_FIXED:
        return issue;
    case WAY_BY_STEPS:
        *latency = 1 + steps;
        *multiplier = steps;
        return issue;
    case WAY_LONG_BY_STEPS:
        *latency = *multiplier = 1 + steps;
        return issue;
    case WAY_FLAGS_BY_STEPS:
        return *multiplier = *latency += steps;
    case WAY_SWAP_CYCLES:
        return *latency = slow->machine->issue_swap_cycles;
    case WAY_SYSTEM_READ:
        *latency = slow->machine->issue_system_read_latency;
        return issue;
    case WAY_SYSTEM_WRITE:
        return slow->machine->issue_system_write_cycles;
    }
    return 0;
}

static void result(struct slow *slow, uint32_t registers, uint64_t ready, uint64_t to_shift)
{
    for (unsigned r = 0; r < 17; r++)
        if (registers >> r & 1) {
            slow->ready[r] = ready;
            slow->ready_to_shift[r] = to_shift;
        }
}

/* A word is touched at a clock that is the later the longer those before it were held up. */
static uint64_t touch(struct slow *slow, const struct way_step *step, unsigned word, bool store,
                      uint64_t *delay)
{
    const struct way_insn *insn = slow->way->insns[step->insn];
    const uint64_t planned = slow->now + word + *delay;
    uint64_t now = planned, there = 0;
    const unsigned stored = store ? insn->bytes : 0;
    if (step->device || !slow->translates)
        access_memory(slow, &now, step->address + 4 * word, stored);
    else
        there = access_word(slow, &now, step->address + 4 * word, stored);
    *delay += now - planned;
    return there;
}

/* Returns the cycles by which it held up the pipeline. */
static uint64_t make_access(struct slow *slow, const struct way_step *step, unsigned issue,
                            unsigned latency)
{
    const struct way_insn *insn = slow->way->insns[step->insn];
    uint64_t delay = 0;
    if (insn->unit == WAY_SWAP) {
        const uint64_t there = touch(slow, step, 0, false, &delay);
        delay += there > slow->now ? there - slow->now : 0;
        touch(slow, step, 0, true, &delay);
        result(slow, insn->out, slow->now + latency + delay, slow->now + latency + delay);
        return delay;
    }
    unsigned r = 0;
    for (unsigned word = 0; word < insn->records; word++) {
        const uint64_t there = touch(slow, step, word, insn->unit == WAY_STORE, &delay);
        const uint64_t ready = later(there, slow->now + latency + word + delay);
        if (insn->unit == WAY_STORE)
            continue;
        while ((insn->out >> r & 1) == 0)
            r++;
        result(slow, 1u << r++, ready, ready);
    }
    const uint64_t base = slow->now + insn->base_latency + delay;
    result(slow, insn->base, base, base);
    if (insn->holds)
        slow->memory = slow->now + issue + 1 + delay;
    return delay;
}

static void execute(struct slow *slow, const struct way_step *step)
{
    const struct way_insn *insn = slow->way->insns[step->insn];
    unsigned latency, multiplier;
    const unsigned issue = cycles_of(slow, insn, &latency, &multiplier);
    uint64_t start = slow->now;
    for (unsigned r = 0; r < 17; r++) {
        if (insn->uses >> r & 1)
            start = later(start, slow->ready[r]);
        if (insn->shifted >> r & 1)
            start = later(start, slow->ready_to_shift[r]);
    }
    slow->signals[ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL] += start - slow->now;
    if (insn->unit == WAY_MULTIPLY)
        start = later(start, slow->multiplier);
    else if (insn->unit != WAY_ALU)
        start = later(start, slow->memory);
    slow->now = start;
    uint64_t delay = 0;
    if (step->accesses) {
        delay = make_access(slow, step, issue, latency);
    } else if (insn->drains) {
        const uint64_t there = all_there(slow, start);
        delay = there > start + issue ? there - start - issue : 0;
    } else if (insn->records == 0) {
        const unsigned shift = insn->unit == WAY_ALU;
        result(slow, insn->out, start + latency, start + latency + shift);
        result(slow, insn->later, start + latency + 1, start + latency + 1);
        if (insn->unit == WAY_MULTIPLY)
            slow->multiplier = start + multiplier;
    }
    slow->now = start + issue + delay;
}

/* ---- branches ---- */

static bool predicted_right(struct slow *slow, uint32_t address, uint32_t target, bool taken)
{
    if (slow->machine->branch_prediction == YESNO_NO)
        return !taken;
    uint32_t *known = &slow->buffer[address / 4 % BRANCHES].branch;
    uint32_t *to = &slow->buffer[address / 4 % BRANCHES].target;
    int *history = &slow->buffer[address / 4 % BRANCHES].taken;
    if (*known != address) {
        if (!taken)
            return true;
        *known = address;
        *to = target;
        *history = 1;
        return false;
    }
    const bool right = *history > 0 ? taken && *to == target : !taken;
    const int next = *history + (taken ? 1 : -1);
    *history = next == 0 ? (taken ? 1 : -1) : next > 2 ? 2 : next < -2 ? -2 : next;
    return right;
}

static void leave(struct slow *slow, const struct way_step *step)
{
    const struct way_insn *insn = slow->way->insns[step->insn];
    const uint64_t penalty = slow->machine->branch_mispredict_cycles;
    slow->signals[ARMPMU_SIGNAL_PC_WRITE] += step->taken;
    switch (slow->way->ends[step->insn]) {
    case WAY_GOES_ON:
        break;
    case WAY_PREDICTED:
        if (!predicted_right(slow, way_address(step->insn), step->next, step->taken)) {
            slow->signals[ARMPMU_SIGNAL_DIRECT_BRANCH_MISPREDICT]++;
            slow->now += penalty;
        }
        break;
    case WAY_INDIRECT:
        slow->now += step->taken ? penalty : 0;
        break;
    case WAY_LOADED:
        if (!step->taken)
            break;
        const unsigned all = !insn->list ? 8 : 10 + (insn->records > 3 ? insn->records - 3 : 0);
        const uint64_t least = slow->now + all - insn->issue;
        slow->now = slow->ready[15] > slow->now ? later(least, slow->ready[15] + 5) : least;
        break;
    }
}

/* ---- the system ---- */

static void clean(struct slow *slow, struct item *line)
{
    for (unsigned half = 0; half < 2; half++)
        if (line->dirty[half]) {
            slow->signals[ARMPMU_SIGNAL_L1D_HALF_LINE_WRITE_BACK]++;
            write_out(slow, &slow->now, line->name * LINE + half * HALF, 0xffff, false);
            line->dirty[half] = false;
        }
}

static void maintain(struct slow *slow, struct table *cache, unsigned bits, uint32_t address)
{
    for (unsigned i = 0; i < cache->sets * cache->ways; i++) {
        struct item *line = &cache->items[i];
        if (!line->valid || ((bits & ARMPMU_CACHE_ADDRESS) && line->name != address / LINE))
            continue;
        if (bits & ARMPMU_CACHE_CLEAN)
            clean(slow, line);
        if (bits & ARMPMU_CACHE_INVALIDATE)
            line->valid = false;
    }
}

static void forget_page(struct table *tlb, uint64_t word)
{
    for (unsigned i = 0; i < tlb->ways; i++)
        if (!(word & ARMPMU_RECORD_ONE_PAGE) || tlb->items[i].name == (word >> 20 & 0xfffff))
            tlb->items[i].valid = false;
}

static void act(struct slow *slow, uint64_t word)
{
    const unsigned bits = (unsigned)(word >> 48 & 0xff);
    const bool cache = (word >> 56 & 15) == ARMPMU_SYSTEM_CACHE;
    if (armpmu_record_kind(word) == ARMPMU_RECORD_MMU) {
        slow->translates = word & 1;
    } else if (armpmu_record_kind(word) == ARMPMU_RECORD_TLB_FLUSH) {
        forget_page(&slow->itlb, word);
        forget_page(&slow->dtlb, word);
    } else if ((word >> 56 & 15) == ARMPMU_SYSTEM_PRELOAD) {
        const uint64_t back = slow->now > 0; /* to the cycle of its instruction */
        slow->now -= back;
        preload(slow, &slow->now, (uint32_t)word);
        slow->now += back;
        return;
    } else if (cache) {
        if (bits & ARMPMU_CACHE_DATA) {
            maintain(slow, &slow->l1d, bits, (uint32_t)word);
            maintain(slow, &slow->mini, bits, (uint32_t)word);
        }
        if (bits & ARMPMU_CACHE_INSTRUCTION)
            maintain(slow, &slow->l1i, bits, (uint32_t)word);
    }
    if (!cache ||
        (bits & (ARMPMU_CACHE_INSTRUCTION | ARMPMU_CACHE_ADDRESS)) == ARMPMU_CACHE_INSTRUCTION)
        if (armpmu_record_kind(word) == ARMPMU_RECORD_SYSTEM)
            memset(slow->buffer, 0, sizeof slow->buffer);
}

static void set_up(struct slow *slow)
{
    const unsigned l1i = slow->machine->l1i_size_kb * 1024 / LINE, i_ways = slow->machine->l1i_ways;
    const unsigned l1d = slow->machine->l1d_size_kb * 1024 / LINE, d_ways = slow->machine->l1d_ways;
    table_init(&slow->l1i, l1i / i_ways, i_ways, slow->machine->l1i_replacement == REPLACEMENT_LRU);
    table_init(&slow->l1d, l1d / d_ways, d_ways, slow->machine->l1d_replacement == REPLACEMENT_LRU);
    table_init(&slow->mini, l1d / 16 / 2, 2, false);
    table_init(&slow->itlb, 1, slow->machine->itlb_entries,
               slow->machine->itlb_replacement == REPLACEMENT_LRU);
    table_init(&slow->dtlb, 1, slow->machine->dtlb_entries,
               slow->machine->dtlb_replacement == REPLACEMENT_LRU);
    slow->translates = true;
}

void slow_xscale_time(const struct armpmu_machine *machine, const struct way *way,
                      uint64_t *signals)
{
    struct slow *slow = calloc(1, sizeof *slow);
    if (slow == NULL)
        abort();
    slow->machine = machine;
    slow->way = way;
    slow->signals = signals;
    memset(signals, 0, ARMPMU_SIGNAL_COUNT * sizeof signals[0]);
    set_up(slow);
    for (size_t i = 0; i < way->n_steps; i++) {
        const struct way_step *step = &way->step[i];
        if (step->system != 0) {
            act(slow, step->system);
            continue;
        }
        fetch(slow, way_address(step->insn));
        execute(slow, step);
        signals[ARMPMU_SIGNAL_INST_RETIRED]++;
        signals[ARMPMU_SIGNAL_DIRECT_BRANCH] += way->ends[step->insn] == WAY_PREDICTED;
        if (step->next != 0)
            leave(slow, step);
    }
    count_full(slow, slow->now);
    count_narrow(slow, slow->now);
    signals[ARMPMU_SIGNAL_CPU_CYCLES] = slow->now;
    free(slow);
}
