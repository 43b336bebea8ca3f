/* The hits and misses of accesses, in program order. */
#include <stdlib.h>
#include <string.h>

#include "core_internal.h"

/* ---- lists with the newest first ---- */

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

static int line_shift(const struct slow *slow)
{
    return __builtin_ctz(slow->machine->l1d_line_bytes);
}

static uint64_t beats(const struct slow *slow, uint64_t bytes)
{
    uint64_t n = 0;
    for (uint64_t sent = 0; sent < bytes; sent += slow->machine->bus_width_bits / 8)
        n++;
    return n;
}

/* ---- pages ---- */

/* Pages that a system places have 4 KB. */
static uint64_t page_bytes(const struct slow *slow)
{
    return slow->n_placed == 0 ? slow->machine->memory_page_kb * 1024 : 4096;
}

/* Of an address, or of a change's page: addresses have 48 bits. */
#define PAGE_OF(address)  NUMBER_OF((address) / page_bytes(slow))
#define NUMBER_OF(number) ((number) & ((UINT64_C(1) << 36) - 1))

/* Whether a page of 4 KB is in one of 2 MB: the latest change of that decides. */
static bool is_huge(const struct slow *slow, uint64_t page)
{
    if (slow->n_placed != 0 || slow->machine->memory_huge_pages == YESNO_NO)
        return false;
    for (unsigned i = slow->n_mapped; i-- > 0;)
        if (NUMBER_OF(slow->mapped[i]->address / 4096) / 512 == page / 512)
            return slow->mapped[i]->on;
    return false;
}

static bool page_begins(const struct slow *slow, uint64_t first, uint64_t last)
{
    const uint64_t a = first / page_bytes(slow), b = last / page_bytes(slow);
    return a != b && (!is_huge(slow, NUMBER_OF(b)) || a / 512 != b / 512);
}

static uint64_t frame_of(struct slow *slow, uint64_t page)
{
    if (slow->mmu_off)
        return page;
    if (is_huge(slow, page))
        return page_map_physical(&slow->huge_pages, page) | UINT64_C(1) << 36;
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
    return (frame * page_bytes(slow) + address % page_bytes(slow)) / slow->machine->l1d_line_bytes;
}

/* What TLBs know a page by: once pages are placed, with its frame. */
static uint64_t tlb_name(struct slow *slow, uint64_t page)
{
    if (is_huge(slow, page))
        return UINT64_C(1) << 63 | page / 512;
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
    slow->tables.sets[0].n = 0; /* of all pages */
}

/* ---- maintenance ---- */

static int *owner_of(struct lists *lists, uint64_t name)
{
    struct list *list = list_of(lists, name);
    for (unsigned i = 0; i < list->n; i++)
        if (list->names[i] == name)
            return &list->owners[i];
    return NULL;
}

/* Level 2 has only what the data cache has lost. */
static bool l2_has_victims(const struct slow *slow)
{
    return slow->machine->l2_holds == HOLDS_VICTIMS;
}

static void mark_l2(struct slow *slow, uint64_t name)
{
    const int *owner = owner_of(&slow->l2, name);
    if (owner == NULL)
        abort(); /* level 2 has all that level 1 has */
    slow->dirty_l2[*owner] = true;
}

static void maintain_l1d(struct slow *slow, uint64_t name, bool cleans, bool forgets)
{
    int owner, *const held = owner_of(&slow->l1d, name);
    if (held == NULL)
        return;
    if (cleans && slow->dirty_l1d[*held]) {
        slow->counts.l1d_cleaned++;
        slow->dirty_l1d[*held] = false;
        if (l2_has_victims(slow))
            slow->counts.beats_written += beats(slow, slow->machine->l2_line_bytes);
        else
            mark_l2(slow, name);
    }
    if (forgets) {
        slow->counts.l1d_lost++;
        list_take(list_of(&slow->l1d, name), name, &owner);
    }
}

static void maintain_l2(struct slow *slow, uint64_t name, bool cleans, bool forgets)
{
    int owner, *const held = owner_of(&slow->l2, name);
    if (held == NULL)
        return;
    if (cleans && slow->dirty_l2[*held]) {
        slow->counts.l2_cleaned++;
        slow->counts.beats_written += beats(slow, slow->machine->l2_line_bytes);
        slow->dirty_l2[*held] = false;
    }
    if (forgets) {
        slow->counts.l2_lost++;
        list_take(list_of(&slow->l2, name), name, &owner);
    }
}

static void maintain(struct slow *slow, const struct slow_change *change)
{
    const uint64_t name = name_at(slow, change->address);
    const bool cleans = change->kind != SLOW_FORGET,
               forgets = change->kind == SLOW_FORGET || change->kind == SLOW_CLEAN_AND_FORGET;
    int owner;
    if (change->kind == SLOW_FORGET_CODE) {
        list_take(list_of(&slow->l1i, name), name, &owner);
        return;
    }
    maintain_l1d(slow, name, cleans, forgets);
    if (change->kind == SLOW_CLEAN)
        return;
    maintain_l2(slow, name, cleans, forgets);
    if (forgets)
        list_take(list_of(&slow->llc, name), name, &owner);
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
    case SLOW_MAP:
        slow->mapped[slow->n_mapped++] = change;
        break;
    case SLOW_TRANSLATE:
        slow->mmu_off = !change->on;
        break;
    default:
        maintain(slow, change);
        break;
    }
}

/* ---- caches ---- */

/* Memory's bus passes a line, and has to turn around first where the one before it was read. */
static void pass_line(struct slow *slow, bool written)
{
    slow->transfers += slow->machine->memory_line_cycles;
    if (written && slow->latest_was_read)
        slow->transfers += slow->machine->memory_turnaround_cycles;
    slow->latest_was_read = !written;
}

/* The shared cache gets a line, dirty or not; what it loses dirty goes to memory. */
static void put_in_llc(struct slow *slow, uint64_t name, bool dirty)
{
    int lost_dirty = false;
    uint64_t lost;
    if (list_put(list_of(&slow->llc, name), name, dirty, &lost, &lost_dirty) && lost_dirty)
        pass_line(slow, true);
}

static uint64_t beyond_cycles(struct slow *slow, uint64_t name)
{
    int dirty;
    const bool victims = slow->machine->llc_holds == HOLDS_VICTIMS;
    slow->comes_dirty = false;
    slow->counts.beats_read += beats(slow, slow->machine->l2_line_bytes);
    slow->from_outside = true;
    if (slow->machine->llc_size_kb != 0) {
        slow->counts.l3_reads++;
        slow->from_outside = false;
        if (!victims && touch(&slow->llc, name, &dirty))
            return slow->machine->llc_hit_cycles;
        if (victims && list_take(list_of(&slow->llc, name), name, &dirty)) {
            slow->comes_dirty = dirty;
            return slow->machine->llc_hit_cycles;
        }
        slow->from_outside = true;
        slow->counts.l3_misses++;
        if (!victims)
            put_in_llc(slow, name, false);
    }
    pass_line(slow, false);
    return slow->machine->memory_latency_cycles;
}

static void lose_l2_line(struct slow *slow, uint64_t name, bool dirty)
{
    const bool has_llc = slow->machine->llc_size_kb != 0;
    int owner, was_dirty;
    if (list_take(list_of(&slow->l1d, name), name, &owner)) {
        slow->counts.l1d_lost++;
        if (slow->dirty_l1d[owner])
            slow->counts.l1d_write_backs++;
        dirty |= slow->dirty_l1d[owner];
    }
    if (!dirty && !(has_llc && slow->machine->llc_holds == HOLDS_VICTIMS))
        return;
    slow->counts.l2_write_backs += dirty;
    slow->counts.beats_written += beats(slow, slow->machine->l2_line_bytes);
    if (!has_llc) {
        pass_line(slow, true);
        return;
    }
    slow->counts.l3_writes++;
    if (list_take(list_of(&slow->llc, name), name, &was_dirty))
        dirty |= was_dirty;
    put_in_llc(slow, name, dirty);
}

static int new_fill(struct slow *slow, struct fill fill, bool dirty)
{
    const int number = slow->n_fills++;
    if (number >= slow->max_fills)
        abort();
    slow->fills[number] = fill;
    slow->dirty_l2[number] = dirty;
    return number;
}

static int put_in_l2(struct slow *slow, uint64_t name, struct fill fill, bool dirty)
{
    uint64_t lost;
    int lost_owner;
    const int number = new_fill(slow, fill, dirty);
    if (list_put(list_of(&slow->l2, name), name, number, &lost, &lost_owner))
        lose_l2_line(slow, lost, slow->dirty_l2[lost_owner]);
    return number;
}

static int fill_l2(struct slow *slow, uint64_t name, struct fill fill)
{
    return put_in_l2(slow, name, fill, slow->comes_dirty);
}

/* Level 2 gets a line that the data cache had since a miss. */
static void lose_to_l2(struct slow *slow, uint64_t name, int miss)
{
    const int bringer = slow->misses[miss];
    const bool dirty = slow->dirty_l1d[miss];
    if (dirty)
        slow->counts.l1d_write_backs++;
    slow->counts.l2_accesses += !dirty;
    slow->counts.l2_writes += !dirty;
    slow->counts.l2_allocated += !dirty;
    put_in_l2(slow, name,
              (struct fill){.line = bringer,
                            .lost = true,
                            .prefetched = slow->lines[bringer].asker == BY_PREFETCH},
              dirty);
}

/* A line that level 2 has, or has lost to the data cache now: the fill that brought it. */
static bool find_in_l2(struct slow *slow, uint64_t name, bool for_l1d, int *fill)
{
    if (!for_l1d || !l2_has_victims(slow))
        return touch(&slow->l2, name, fill);
    if (!list_take(list_of(&slow->l2, name), name, fill))
        return false;
    slow->passes_dirty = slow->dirty_l2[*fill];
    return true;
}

/* A line that level 2 has read: the fill that is. */
static int fill_or_pass(struct slow *slow, uint64_t name, struct fill fill, bool for_l1d)
{
    if (!for_l1d || !l2_has_victims(slow))
        return fill_l2(slow, name, fill);
    slow->passes_dirty = slow->comes_dirty;
    return new_fill(slow, fill, false);
}

/* A page of a table holds descriptors of 8 bytes each. */
static uint64_t pages_of_table(const struct slow *slow, int level)
{
    uint64_t pages = 1;

    for (; level > 0; level--)
        pages *= page_bytes(slow) / 8;
    return pages;
}

/* The level of the first descriptor that a walk reads: one below the lowest table that it knows.
 * All it reads but the last name tables. */
static int first_level(struct slow *slow, uint64_t page)
{
    const int levels = (int)slow->machine->walk_levels;
    const int lowest = is_huge(slow, page);
    int owner, known = lowest;
    uint64_t lost;
    if (slow->machine->walk_cache_entries == 0)
        return levels - 1;
    while (++known < levels)
        if (touch(&slow->tables, page / pages_of_table(slow, known) * 8 + (unsigned)known, &owner))
            break;
    for (int level = known - 1; level > lowest; level--)
        list_put(&slow->tables.sets[0], page / pages_of_table(slow, level) * 8 + (unsigned)level,
                 NONE, &lost, &owner);
    return known - 1;
}

/* The translation's delay of a line access. */
static uint64_t look_up_page(struct slow *slow, struct lists *tlb, uint64_t address, int line,
                             enum asker asker)
{
    const struct armpmu_machine *m = slow->machine;
    const uint64_t page = PAGE_OF(address), entry = tlb_name(slow, page);
    int owner, lost_owner;
    uint64_t lost, cycles = m->l2tlb_cycles;
    if (slow->mmu_off || touch(tlb, entry, &owner))
        return 0;
    slow->counts.tlb_refills[COLUMN(asker)]++;
    list_put(list_of(tlb, entry), entry, NONE, &lost, &lost_owner);
    if (touch(&slow->l2tlb, entry, &owner))
        return cycles;
    list_put(list_of(&slow->l2tlb, entry), entry, NONE, &lost, &lost_owner);
    slow->counts.walks[COLUMN(asker)]++;
    cycles += m->walk_cycles;
    for (int level = first_level(slow, page); level >= is_huge(slow, page); level--) {
        const uint64_t name =
            UINT64_C(1) << 56 | (uint64_t)level << 48 | page / pages_of_table(slow, level) / 8;
        slow->counts.l2_accesses++;
        if (touch(&slow->l2, name, &owner))
            continue;
        slow->counts.l2_misses++;
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
                          .demand = NONE,
                          .trigger = NONE,
                          .stream = NONE,
                          .l2_fill = NONE,
                          .answer = NEVER,
                          .base = NEVER,
                          .asked = NEVER,
                          .arrives = NEVER,
                          .passed = NEVER};
    return line;
}

/* Level 2 had to ask its cluster for a line. */
static void note_read(struct slow *slow, struct line *line)
{
    line->outer = slow->from_outside;
    line->transfers = slow->transfers;
    const bool streams = line->stream != NONE;
    line->read = slow->n_reads[streams];
    slow->reads[streams][slow->n_reads[streams]++] = (int)(line - slow->lines);
}

static void ask_l2(struct slow *slow, struct line *line, uint64_t name)
{
    const bool data = line->asker != BY_FETCH;
    int miss;
    if (!data && l2_has_victims(slow) && list_take(list_of(&slow->l1d, name), name, &miss))
        lose_to_l2(slow, name, miss);
    slow->counts.l2_accesses++;
    slow->counts.l2_writes += line->asker == BY_STORE;
    if (find_in_l2(slow, name, data, &line->l2_fill))
        return;
    slow->counts.l2_misses++;
    slow->counts.l2_write_misses += line->asker == BY_STORE;
    line->l2_missed = true;
    const struct fill fill = {
        .line = (int)(line - slow->lines), .cycles = beyond_cycles(slow, name), .from_miss = true};
    note_read(slow, line);
    line->l2_fill = fill_or_pass(slow, name, fill, data);
}

static void find_fetch(struct slow *slow, unsigned i)
{
    struct line *line = new_line(slow, i, BY_FETCH);
    const uint64_t pc = slow->insns[i].pc, name = name_at(slow, pc);
    uint64_t lost;
    int owner, lost_owner;
    slow->fetch_of[i] = slow->n_lines - 1;
    line->delay = look_up_page(slow, &slow->itlb, pc, slow->n_lines - 1, BY_FETCH);
    slow->counts.l1i_accesses++;
    line->l1i_hit = touch(&slow->l1i, name, &owner);
    if (line->l1i_hit)
        return;
    slow->counts.l1i_refills++;
    list_put(list_of(&slow->l1i, name), name, NONE, &lost, &lost_owner);
    ask_l2(slow, line, name);
}

/* A line ahead of what `trigger` asked for; false: the prefetcher does not go there. */
static bool begin_prefetch(struct slow *slow, int trigger, uint64_t address, bool other_page,
                           bool across, struct line **out)
{
    if (other_page && !across)
        return false;
    struct line *line = *out = new_line(slow, (unsigned)slow->lines[trigger].insn, BY_PREFETCH);
    line->trigger = trigger;
    line->name = name_at(slow, address);
    if (other_page)
        line->delay = look_up_page(slow, &slow->dtlb, address, slow->n_lines - 1, BY_LOAD);
    return true;
}

/* Level 2 gets the line of a prefetch from beyond. */
static void bring(struct slow *slow, struct line *line, bool for_l1d)
{
    const struct fill fill = {.line = (int)(line - slow->lines),
                              .cycles = beyond_cycles(slow, line->name),
                              .from_miss = true,
                              .prefetched = slow->machine->prefetch_refills == YESNO_NO};
    slow->counts.l2_misses += slow->machine->prefetch_refills == YESNO_YES;
    line->l2_missed = true;
    note_read(slow, line);
    line->l2_fill = fill_or_pass(slow, line->name, fill, for_l1d);
}

static void prefetch_far(struct slow *slow, struct line *line)
{
    if (l2_has_victims(slow) && list_has(list_of(&slow->l1d, line->name), line->name))
        return;
    slow->counts.l2_accesses++;
    if (!list_has(list_of(&slow->l2, line->name), line->name))
        bring(slow, line, false);
}

static void fill_l1d(struct slow *slow, struct line *line)
{
    uint64_t lost;
    int lost_owner;
    line->miss = slow->n_misses++;
    slow->misses[line->miss] = (int)(line - slow->lines);
    slow->dirty_l1d[line->miss] = l2_has_victims(slow) && slow->passes_dirty;
    if (!list_put(list_of(&slow->l1d, line->name), line->name, line->miss, &lost, &lost_owner))
        return;
    if (l2_has_victims(slow)) {
        lose_to_l2(slow, lost, lost_owner);
    } else if (slow->dirty_l1d[lost_owner]) {
        slow->counts.l1d_write_backs++;
        mark_l2(slow, lost);
    }
}

static void prefetch_near(struct slow *slow, struct line *line)
{
    if (list_has(list_of(&slow->l1d, line->name), line->name))
        return;
    slow->counts.l2_accesses++;
    if (!find_in_l2(slow, line->name, true, &line->l2_fill))
        bring(slow, line, true);
    fill_l1d(slow, line);
}

static void find_preload(struct slow *slow, unsigned i)
{
    const struct slow_change *change = &slow->insns[i].before;
    if (slow->mmu_off)
        return;
    struct line *line = new_line(slow, i, BY_PREFETCH);
    line->insn = (int)i - 1;
    line->name = name_at(slow, change->address);
    line->delay = look_up_page(slow, &slow->dtlb, change->address, slow->n_lines - 1, BY_LOAD);
    slow->counts.l1d_accesses[BY_LOAD] += !change->on;
    if (change->on)
        prefetch_far(slow, line);
    else
        prefetch_near(slow, line);
}

/* One step further ahead, if that is not too far. */
static bool step_ahead(struct slow *slow, const struct stride *stride, int trigger, bool across,
                       unsigned *ahead, unsigned most,
                       void (*prefetch)(struct slow *, struct line *))
{
    const uint64_t bytes = slow->machine->l1d_line_bytes,
                   next = (stride->line + (*ahead + 1) * stride->stride) * bytes;
    struct line *line;
    if (*ahead >= most ||
        !begin_prefetch(slow, trigger, next,
                        next / page_bytes(slow) != stride->line * bytes / page_bytes(slow), across,
                        &line))
        return false;
    ++*ahead;
    prefetch(slow, line);
    return true;
}

/* asks: the trigger missed, or is the first to use what was prefetched; first_use: the latter. */
static void find_prefetches(struct slow *slow, unsigned i, int trigger, bool asks, bool first_use)
{
    const int before = slow->n_lines;
    const enum asker asker = slow->lines[trigger].asker;
    const struct armpmu_machine *m = slow->machine;
    const uint64_t pc = slow->insns[i].pc, at = slow->insns[i].address / m->l1d_line_bytes;
    const bool load = asker == BY_LOAD;
    struct stride *stride =
        &(load ? slow->load_strides : slow->store_strides)[pc / 4 % m->prefetch_entries];
    const unsigned near = load ? m->prefetch_l1_lines : 0;
    if ((load ? m->prefetch_lines : m->prefetch_store_lines) == 0)
        return;
    if (stride->pc != pc) {
        *stride = (struct stride){.pc = pc, .line = at};
        return;
    }
    if (at == stride->line)
        return;
    if (at - stride->line == stride->stride)
        stride->repeated++;
    else
        stride->repeated = stride->far = stride->near = 0;
    stride->stride = at - stride->line;
    stride->line = at;
    if (stride->repeated < 2)
        return;
    const bool across = load && m->prefetch_pages;
    const bool wide = stride->stride != 1 && stride->stride + 1 != 0;
    const bool falls = stride->stride >> 63 != 0;
    const unsigned far = !load                                        ? m->prefetch_store_lines
                         : falls && m->prefetch_downwards == YESNO_NO ? 0
                         : wide                                       ? m->prefetch_wide_lines
                                                                      : m->prefetch_lines;
    stride->far -= stride->far > 0;
    for (unsigned n = 0; asks && n < m->prefetch_degree; n++)
        if (!step_ahead(slow, stride, trigger, across, &stride->far, far, prefetch_far))
            break;
    stride->near -= stride->near > 0;
    for (unsigned n = 0; asks && n < m->prefetch_degree; n++)
        if (!step_ahead(slow, stride, trigger, across, &stride->near, near, prefetch_near))
            break;
    for (int n = before; n < slow->n_lines; n++)
        slow->lines[n].on_arrival = first_use && !wide && m->prefetch_on_arrival == YESNO_YES;
}

/* Where a stream of stores goes after n whole lines: 1 to 4, level 1 to memory. */
static int stream_level(const struct armpmu_machine *m, unsigned n)
{
    const unsigned after[] = {m->write_stream_l2_lines, m->write_stream_llc_lines,
                              m->write_stream_memory_lines};
    int level = 1;
    while (level < 4 && after[level - 1] != 0 && n >= after[level - 1])
        level++;
    return level == 3 && m->llc_size_kb == 0 ? 4 : level;
}

/* Writes a whole line to the shared cache or to memory, past level 2. */
static void write_past_l2(struct slow *slow, struct line *line, int level)
{
    const bool has_llc = slow->machine->llc_size_kb != 0;
    int was_dirty;
    const bool held = has_llc && list_take(list_of(&slow->llc, line->name), line->name, &was_dirty);
    line->l2_missed = true;
    slow->counts.beats_written += beats(slow, slow->machine->l2_line_bytes);
    slow->from_outside = level == 4 && !held;
    if (slow->from_outside)
        pass_line(slow, true);
    else
        put_in_llc(slow, line->name, true);
    slow->counts.l3_writes += !slow->from_outside;
    slow->counts.l3_passed += slow->from_outside && has_llc;
    note_read(slow, line);
}

/* A store misses level 1. Returns whether its line is written past level 1. */
static bool find_streamed(struct slow *slow, struct line *line, uint64_t address)
{
    struct store_stream *const stream = &slow->stream;
    const uint64_t bytes = slow->machine->l1d_line_bytes, number = address / bytes + 1;
    int owner;
    if (number == stream->line && stream->first != NONE) {
        line->stream = stream->first;
        return true;
    }
    if (number != stream->line) {
        bool goes_on = number == stream->line + 1 || number + 1 == stream->line;
        for (uint64_t i = 0; i < bytes; i++)
            goes_on = goes_on && stream->written[i];
        *stream =
            (struct store_stream){.line = number, .n = goes_on ? stream->n + 1 : 0, .first = NONE};
    }
    const int level = stream_level(slow->machine, stream->n);
    if (level == 1)
        return false;
    line->stream = stream->first = (int)(line - slow->lines);
    slow->counts.l2_accesses++;
    slow->counts.l2_writes++;
    if (touch(&slow->l2, line->name, &owner)) {
        slow->dirty_l2[owner] = true;
    } else if (level == 2) {
        slow->counts.l2_allocated++;
        slow->comes_dirty = true;
        fill_l2(slow, line->name, (struct fill){.line = line->stream, .from_miss = true});
    } else {
        write_past_l2(slow, line, level);
    }
    return true;
}

static void note_written(struct slow *slow, uint64_t address, uint64_t end)
{
    const uint64_t bytes = slow->machine->l1d_line_bytes;
    for (uint64_t at = address; at < end && at / bytes == address / bytes; at++)
        if (at / bytes + 1 == slow->stream.line)
            slow->stream.written[at % bytes] = true;
}

static void find_data_line(struct slow *slow, unsigned i, enum asker asker, uint64_t address,
                           bool first)
{
    struct line *line = new_line(slow, i, asker);
    const int number = slow->n_lines - 1;
    line->name = name_at(slow, address);
    line->first = first;
    line->delay = look_up_page(slow, &slow->dtlb, address, number, asker);
    slow->counts.l1d_accesses[asker]++;
    if (touch(&slow->l1d, line->name, &line->hit_miss)) {
        /* nothing to fetch */
    } else if (asker == BY_STORE && find_streamed(slow, line, address)) {
        if (first)
            find_prefetches(slow, i, number, false, false);
        return;
    } else {
        slow->counts.l1d_refills[asker]++;
        line->demand = slow->n_demands++;
        slow->demands[line->demand] = number;
        ask_l2(slow, line, line->name);
        if (line->l2_missed && line->outer)
            slow->counts.outer_refills++;
        else
            slow->counts.inner_refills++;
        fill_l1d(slow, line);
        line->hit_miss = line->miss;
    }
    if (asker == BY_STORE)
        slow->dirty_l1d[line->hit_miss] = true;
    struct line *const bringer = &slow->lines[slow->misses[line->hit_miss]];
    const bool first_use = bringer->asker == BY_PREFETCH && !bringer->used;
    bringer->used = true;
    if (first)
        find_prefetches(slow, i, number, bringer == line || first_use, first_use);
}

static void find_data(struct slow *slow, unsigned i, enum asker asker)
{
    const struct slow_insn *insn = &slow->insns[i];
    const uint64_t bytes = slow->machine->l1d_line_bytes, end = insn->address + insn->op.bytes;
    if (insn->address / bytes != (end - 1) / bytes)
        slow->counts.splits[asker]++;
    for (uint64_t line = insn->address / bytes; line * bytes < end; line++) {
        const uint64_t address = line * bytes > insn->address ? line * bytes : insn->address;
        find_data_line(slow, i, asker, address, line * bytes <= insn->address);
        if (asker == BY_STORE)
            note_written(slow, address, end);
    }
}

/* Device memory: nothing but the page of the first byte, and that for loads alone. */
static void find_device(struct slow *slow, unsigned i)
{
    const struct slow_insn *insn = &slow->insns[i];
    if (insn->op.window.store) {
        slow->counts.devices[BY_STORE]++;
        slow->counts.beats_written += beats(slow, insn->op.bytes);
    }
    if (!insn->op.window.load)
        return;
    slow->counts.devices[BY_LOAD]++;
    slow->counts.beats_read += beats(slow, insn->op.bytes);
    struct line *line = new_line(slow, i, BY_DEVICE_LOAD);
    line->delay =
        look_up_page(slow, &slow->dtlb, slow->insns[i].address, slow->n_lines - 1, BY_DEVICE_LOAD);
}

/* A demand access is the first that waits for a prefetched line: a refill. */
static void take_over(struct slow *slow, const struct line *line, struct line *bringer)
{
    bringer->taken = true;
    slow->counts.l1d_refills[line->asker]++;
    if (bringer->outer)
        slow->counts.outer_refills++;
    else
        slow->counts.inner_refills++;
    if (bringer->beyond == 0 || line->arrives <= line->asked + slow->machine->l2_hit_cycles ||
        slow->machine->prefetch_refills)
        return;
    slow->counts.l2_misses++;
    slow->counts.l2_write_misses += line->asker == BY_STORE;
}

/* Whether a demand access waits for its line: a load for longer than a hit takes. */
static bool waits(const struct slow *slow, const struct line *line)
{
    const uint64_t hit = line->asker == BY_LOAD ? slow->machine->latency_load : 0;
    return line->arrives > line->asked + hit;
}

/* When all times are known: which prefetches came too late. */
void slow_find_late(struct slow *slow)
{
    for (int i = 0; i < slow->n_lines; i++) {
        const struct line *line = &slow->lines[i];
        const bool data = line->asker == BY_LOAD || line->asker == BY_STORE;
        if (data && line->demand == NONE && line->stream == NONE) {
            struct line *bringer = &slow->lines[slow->misses[line->hit_miss]];
            if (bringer->asker == BY_PREFETCH && !bringer->taken && waits(slow, line))
                take_over(slow, line, bringer);
        }
        if (line->asker == BY_PREFETCH || line->l2_fill == NONE || line->l2_missed)
            continue;
        struct fill *fill = &slow->fills[line->l2_fill];
        if (!fill->prefetched || !line->waits || (fill->lost && slow->lines[fill->line].taken))
            continue;
        fill->prefetched = false;
        slow->counts.l2_misses++;
        slow->counts.l2_write_misses += line->asker == BY_STORE;
    }
}

/* Whether the next instruction's line is looked up once more. */
static bool fetches_again(const struct slow *slow, enum slow_change_kind kind)
{
    if (kind == SLOW_MAP)
        return slow->machine->memory_huge_pages == YESNO_YES;
    return kind != SLOW_NOTHING && kind != SLOW_PRELOAD && kind != SLOW_CLEAN &&
           kind != SLOW_CLEAN_OUT && kind != SLOW_CLEAN_AND_FORGET && kind != SLOW_FORGET;
}

/* An instruction that loads and stores asks twice; its lines stand in this order. */
void slow_find_all(struct slow *slow)
{
    uint64_t latest = NEVER;
    for (unsigned i = 0; i < slow->n_insns; i++) {
        const struct slow_insn *insn = &slow->insns[i];
        const uint64_t name = insn->pc >> line_shift(slow);
        slow->fetch_of[i] = NONE;
        if (insn->before.kind == SLOW_PRELOAD)
            find_preload(slow, i);
        else
            change_pages(slow, &insn->before);
        if (name != latest || fetches_again(slow, insn->before.kind))
            find_fetch(slow, i);
        latest = name;
        slow->crosses[i] = page_begins(slow, insn->address, insn->address + insn->op.bytes - 1);
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

/* ---- all of them ---- */

void slow_caches_new(struct slow *slow)
{
    const struct armpmu_machine *m = slow->machine;
    const unsigned line = m->l1d_line_bytes;
    slow->l1i = lists_new(m->l1i_size_kb * 1024 / line, m->l1i_ways);
    slow->l1d = lists_new(m->l1d_size_kb * 1024 / line, m->l1d_ways);
    slow->l2 = lists_new(m->l2_size_kb * 1024 / line, m->l2_ways);
    slow->llc = m->llc_size_kb != 0 ? lists_new(m->llc_size_kb * 1024 / line, m->llc_ways)
                                    : lists_new(1, 1);
    slow->l2tlb = lists_new(m->l2tlb_entries, m->l2tlb_ways);
    slow->tables = m->walk_cache_entries != 0
                       ? lists_new(m->walk_cache_entries, m->walk_cache_entries)
                       : lists_new(1, 1);
    slow->itlb = lists_new(m->itlb_entries, m->itlb_entries);
    slow->dtlb = lists_new(m->dtlb_entries, m->dtlb_entries);
}

void slow_caches_free(struct slow *slow)
{
    struct lists *all[] = {&slow->l1i,   &slow->l1d,  &slow->l2,   &slow->llc,
                           &slow->l2tlb, &slow->itlb, &slow->dtlb, &slow->tables};
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        lists_free(all[i]);
}
