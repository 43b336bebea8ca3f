#include "events.h"

#include <stdlib.h>
#include <string.h>

#include "armpmu/trace.h"

enum { LINE = 32, PAGE = 4096, MOST = 1024, BUFFER = 128, CODE = 0x10000 };

/* The oldest first: what comes in behind a full list throws that out. */
struct list {
    unsigned n, room;
    struct item {
        uint32_t name;
        bool dirty[2];
    } items[MOST];
};

struct slow {
    const struct random_stream *stream;
    const struct slow_geometry *geometry;
    struct slow_counts counts;
    struct list itlb, dtlb;
    struct list *l1i, *l1d; /* by set */
    unsigned l1i_sets, l1d_sets;
    struct {
        uint32_t branch; /* its address, 0 for none */
        int taken;       /* -2 and -1 for not taken, 1 and 2 for taken */
    } buffer[BUFFER];
};

static struct item *find(struct list *list, uint32_t name)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->items[i].name == name)
            return &list->items[i];
    return NULL;
}

/* Returns what was thrown out, with no name and clean if nothing was. */
static struct item put(struct list *list, uint32_t name, struct item **new)
{
    struct item out = {UINT32_MAX, {false, false}};
    if (list->n == list->room) {
        out = list->items[0];
        memmove(list->items, list->items + 1, (list->n - 1) * sizeof list->items[0]);
        list->n--;
    }
    *new = &list->items[list->n++];
    **new = (struct item){name, {false, false}};
    return out;
}

static bool translate(struct slow *slow, struct list *tlb, uint32_t address)
{
    struct item *new;
    if (find(tlb, address / PAGE) != NULL)
        return false;
    put(tlb, address / PAGE, &new);
    slow->counts.requests += 2;
    return true;
}

static void fetch(struct slow *slow, uint32_t address)
{
    struct list *set = &slow->l1i[address / LINE % slow->l1i_sets];
    struct item *new;
    slow->counts.insns++;
    slow->counts.itlb_misses += translate(slow, &slow->itlb, address);
    if (find(set, address / LINE) != NULL)
        return;
    put(set, address / LINE, &new);
    slow->counts.l1i_misses++;
    slow->counts.requests++;
}

static void access_word(struct slow *slow, uint32_t address, bool store)
{
    const struct slow_geometry *geometry = slow->geometry;
    struct list *set = &slow->l1d[address / LINE % slow->l1d_sets];
    slow->counts.accesses++;
    slow->counts.dtlb_misses += translate(slow, &slow->dtlb, address);
    struct item *line = find(set, address / LINE);
    slow->counts.misses += line == NULL;
    if (line == NULL && (!store || geometry->write_allocate)) {
        const struct item out = put(set, address / LINE, &line);
        slow->counts.half_lines += out.dirty[0] + out.dirty[1];
        slow->counts.requests += 1u + out.dirty[0] + out.dirty[1];
    }
    if (store && line != NULL && geometry->write_back)
        line->dirty[address / 16 % 2] = true;
    else if (store)
        slow->counts.requests++;
}

static void access_bytes(struct slow *slow, uint32_t address, unsigned bytes, bool store)
{
    address -= address % 4;
    for (unsigned i = 0; i < (bytes < 4 ? 1 : bytes / 4); i++)
        access_word(slow, address + 4 * i, store);
}

/* Stepping over zero: -2 -1 1 2. */
static int learn(int history, bool taken)
{
    const int next = history + (taken ? 1 : -1);
    return next == 0 ? (taken ? 1 : -1) : next > 2 ? 2 : next < -2 ? -2 : next;
}

static void branch(struct slow *slow, uint32_t address, bool taken)
{
    uint32_t *known = &slow->buffer[address / 4 % BUFFER].branch;
    int *history = &slow->buffer[address / 4 % BUFFER].taken;
    if (*known != address) {
        if (!taken)
            return;
        *known = address;
        *history = 1;
        slow->counts.mispredicts++;
        return;
    }
    slow->counts.mispredicts += (*history > 0) != taken;
    *history = learn(*history, taken);
}

/* The instruction went on at another, if a signal did not come between. */
static void leave(struct slow *slow, uint32_t insn, uint32_t next)
{
    const uint32_t word = slow->stream->code[insn];
    if ((word >> 25 & 7) != 5) /* no B or BL */
        return;
    slow->counts.branches++;
    const bool conditional = word >> 28 != 14;
    if (conditional && next == insn + 1)
        branch(slow, CODE + 4 * insn, false);
    else if (next == slow->stream->target[insn])
        branch(slow, CODE + 4 * insn, true);
}

/* Those that random programs have: a word, but LDRH, STRB and VLDR of a doubleword. */
static unsigned bytes_of(uint32_t word)
{
    return word == 0xe1d120b2 ? 2 : word == 0xe5c10000 ? 1 : word == 0xed910b00 ? 8 : 4;
}

static void run(struct slow *slow)
{
    const struct records *records = &slow->stream->insns;
    uint32_t insn = UINT32_MAX;
    for (size_t i = 0; i < records->n; i++) {
        const uint64_t word = records->word[i];
        const uint32_t code = insn != UINT32_MAX ? slow->stream->code[insn] : 0;
        const bool store = code == 0xe5810000 || code == 0xe5c10000;
        switch (armpmu_record_kind(word)) {
        case ARMPMU_RECORD_BLOCK:
            if (insn != UINT32_MAX)
                leave(slow, insn, (uint32_t)word / 2);
            insn = (uint32_t)word / 2;
            fetch(slow, CODE + 4 * insn);
            break;
        case ARMPMU_RECORD_ACCESS:
            access_bytes(slow, (uint32_t)word, bytes_of(code), store);
            break;
        case ARMPMU_RECORD_BURST:
            access_bytes(slow, (uint32_t)word, (unsigned)records->word[++i], store);
            break;
        default:
            break;
        }
    }
    leave(slow, insn, UINT32_MAX);
}

static struct list *new_lists(unsigned n, unsigned room)
{
    struct list *lists = calloc(n, sizeof *lists);
    if (lists == NULL)
        abort();
    for (unsigned i = 0; i < n; i++)
        lists[i].room = room;
    return lists;
}

struct slow_counts slow_xscale(const struct random_stream *stream,
                               const struct slow_geometry *geometry)
{
    struct slow *slow = calloc(1, sizeof *slow);
    if (slow == NULL)
        abort();
    slow->stream = stream;
    slow->geometry = geometry;
    slow->itlb.room = geometry->itlb;
    slow->dtlb.room = geometry->dtlb;
    slow->l1i_sets = geometry->l1i_kb * 1024 / LINE / geometry->l1i_ways;
    slow->l1d_sets = geometry->l1d_kb * 1024 / LINE / geometry->l1d_ways;
    slow->l1i = new_lists(slow->l1i_sets, geometry->l1i_ways);
    slow->l1d = new_lists(slow->l1d_sets, geometry->l1d_ways);
    run(slow);
    const struct slow_counts counts = slow->counts;
    free(slow->l1i);
    free(slow->l1d);
    free(slow);
    return counts;
}
