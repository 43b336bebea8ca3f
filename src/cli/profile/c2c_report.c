/* Only threads that take a line often decide its kind of sharing: a thread that initializes it, or
 * adds up results at the end, takes it once.
 *
 * Assumes lines of 64 bytes, as all cores have that keep data accesses and share. */
#include "cli/profile/c2c_report.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/order.h"
#include "cli/profile/memory_report.h"
#include "cli/profile/profile_table.h"
#include "cli/table/table.h"

#define TAKEN_LINE_BYTES 64u
#define OFTEN_PERCENT    1 /* of a line's transfers */

/* The use of a line by an instruction of a thread. */
struct line_use {
    uint64_t line;
    uint32_t thread, insn;
    const struct profile_access *one;
    uint64_t loads, stores; /* a bit for each byte */
    uint64_t n, transfers, loads_taken, cycles;
    bool is_wide; /* its accesses are to several lines, beginning at this one */
};

struct shared_line {
    uint64_t transfers, n;
    size_t first, n_uses;
};

struct c2c {
    const struct profile *profile;
    struct line_use *uses;
    size_t n_uses, uses_room;
    struct shared_line *lines;
    size_t n_lines, lines_room;
    uint64_t transfers;
};

/* ---- uses ---- */

static uint64_t bytes_of(const struct armpmu_data_access *of)
{
    const uint64_t width =
        of->bytes < TAKEN_LINE_BYTES ? (UINT64_C(1) << of->bytes) - 1 : UINT64_MAX;
    uint64_t bytes = 0;

    for (uint64_t at = of->low; at <= of->high; at += of->step != 0 ? of->step : TAKEN_LINE_BYTES)
        bytes |= width << at % TAKEN_LINE_BYTES;
    return bytes;
}

static bool is_wide(const struct armpmu_data_access *of)
{
    return of->low / TAKEN_LINE_BYTES != of->high / TAKEN_LINE_BYTES;
}

static bool add_use(struct c2c *c2c, const struct profile_access *access)
{
    const struct armpmu_data_access *const of = &access->of;
    const bool is_taken = of->source == ARMPMU_FROM_CORE;
    const uint64_t bytes = is_wide(of) ? 0 : bytes_of(of);

    if (!ARRAY_RESERVE(c2c->uses, c2c->uses_room, c2c->n_uses + 1))
        return false;
    c2c->uses[c2c->n_uses++] = (struct line_use){
        .line = of->low & ~(uint64_t)(TAKEN_LINE_BYTES - 1),
        .thread = access->thread,
        .insn = access->insn,
        .one = access,
        .loads = of->kind & ARMPMU_ACCESS_LOADS ? bytes : 0,
        .stores = of->kind & ARMPMU_ACCESS_STORES ? bytes : 0,
        .n = of->n,
        .transfers = is_taken ? of->n : 0,
        .loads_taken = is_taken && of->kind & ARMPMU_ACCESS_LOADS ? of->n : 0,
        .cycles = is_taken ? of->cycles : 0,
        .is_wide = is_wide(of),
    };
    return true;
}

/* Widely known accesses that no core answered are of no line. */
static bool add_uses(struct c2c *c2c)
{
    const struct profile *const p = c2c->profile;

    for (size_t i = 0; i < p->n_accesses; i++) {
        const struct armpmu_data_access *const of = &p->accesses[i].of;
        if ((of->source == ARMPMU_FROM_CORE || !is_wide(of)) && !add_use(c2c, &p->accesses[i]))
            return false;
    }
    return true;
}

static int by_line(const void *a, const void *b)
{
    const struct line_use *x = a, *y = b;

    return ORDER(x->line, y->line, x->thread, y->thread, x->insn, y->insn, (uintptr_t)x->one,
                 (uintptr_t)y->one);
}

static void merge_uses(struct c2c *c2c)
{
    size_t n = 0;

    for (size_t i = 0; i < c2c->n_uses; i++) {
        const struct line_use *const use = &c2c->uses[i];
        struct line_use *const last = n != 0 ? &c2c->uses[n - 1] : NULL;
        if (last == NULL || last->line != use->line || last->thread != use->thread ||
            last->insn != use->insn) {
            c2c->uses[n++] = *use;
            continue;
        }
        last->loads |= use->loads;
        last->stores |= use->stores;
        last->n += use->n;
        last->transfers += use->transfers;
        last->loads_taken += use->loads_taken;
        last->cycles += use->cycles;
        last->is_wide |= use->is_wide;
    }
    c2c->n_uses = n;
}

/* ---- lines ---- */

static int by_transfers(const void *a, const void *b)
{
    const struct shared_line *x = a, *y = b;

    return ORDER(y->transfers, x->transfers, x->first, y->first);
}

static bool add_lines(struct c2c *c2c)
{
    for (size_t i = 0, end; i < c2c->n_uses; i = end) {
        struct shared_line line = {.first = i};
        for (end = i; end < c2c->n_uses && c2c->uses[end].line == c2c->uses[i].line; end++) {
            line.transfers += c2c->uses[end].transfers;
            line.n += c2c->uses[end].n;
        }
        line.n_uses = end - i;
        if (line.transfers == 0)
            continue;
        if (!ARRAY_APPEND(c2c->lines, c2c->n_lines, c2c->lines_room, line))
            return false;
        c2c->transfers += line.transfers;
    }
    if (c2c->n_lines != 0)
        qsort(c2c->lines, c2c->n_lines, sizeof *c2c->lines, by_transfers);
    return true;
}

static bool takes_often(const struct c2c *c2c, const struct shared_line *line, uint32_t thread)
{
    uint64_t taken = 0;

    for (size_t i = line->first; i < line->first + line->n_uses; i++)
        taken += c2c->uses[i].thread == thread ? c2c->uses[i].transfers : 0;
    return taken * 100 >= line->transfers * OFTEN_PERCENT;
}

/* The name of how threads share the bytes of a line. */
static const char *sharing(const struct c2c *c2c, const struct shared_line *line)
{
    const struct line_use *const first = &c2c->uses[line->first], *const end = first + line->n_uses;
    bool is_true = false, is_false = false;

    for (const struct line_use *a = first; a < end; a++) {
        if (a->is_wide)
            return "not known: addresses of several lines were kept as one";
        for (const struct line_use *b = first; b < end && a->stores != 0; b++) {
            if (a->thread == b->thread || !takes_often(c2c, line, a->thread) ||
                !takes_often(c2c, line, b->thread))
                continue;
            is_true |= (a->stores & (b->loads | b->stores)) != 0;
            is_false |= ((a->stores | a->loads) & (b->loads | b->stores)) == 0;
        }
    }
    return is_true && is_false ? "true and false sharing"
           : is_true           ? "true sharing"
           : is_false          ? "false sharing"
                               : "handed over";
}

/* ---- rows ---- */

static const struct table_column columns[] = {
    {.key = "transfers", .name = "from cores", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "percent", .name = "%", .is_right = true, .digits = 2, .gap = 2},
    {.key = "accesses", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "latency", .name = "cycles", .is_right = true, .digits = 1, .gap = 2},
    {.key = "line", .is_right = true, .gap = 2},
    {.key = "sharing", .gap = 2},
    {.key = "offset", .is_right = true, .gap = 2},
    {.key = "bytes", .is_right = true, .gap = 2},
    {.key = "kind", .gap = 2},
    {.key = "thread", .gap = 2},
    {.key = "symbol", .is_name = true, .shortens = TABLE_SYMBOL, .gap = 2},
    {.key = "source", .shortens = TABLE_PATH, .gap = 2},
    {.key = "data", .is_name = true, .shortens = TABLE_WORDS, .gap = 2},
};

/* Text has two columns of what the others have nine of, so that it fits a terminal. */
static const struct table_column text_columns[] = {
    {.key = "transfers", .name = "taken", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "percent", .name = "%", .is_right = true, .digits = 2, .gap = 2},
    {.key = "accesses", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "latency", .name = "cycles", .is_right = true, .digits = 1, .gap = 2},
    {.key = "use", .name = "line, its bytes", .gap = 2},
    {.key = "where", .name = "sharing, who and what", .shortens = TABLE_WORDS, .gap = 2},
};

static void put_counts(struct report_table *t, const struct c2c *c2c, uint64_t transfers,
                       uint64_t n, uint64_t line)
{
    table_row(t);
    table_count(t, "transfers", transfers);
    table_real(t, "percent",
               c2c->transfers != 0 ? 100.0 * (double)transfers / (double)c2c->transfers : 0);
    table_count(t, "accesses", n);
    table_hex(t, "line", 1, line);
}

static const char *const kinds[] = {"", "load", "store", "both"};

/* "count at sharing.c:33 to counters". */
static void put_where(struct report_table *t, const struct profile *p, const struct line_use *use)
{
    const bool is_known = use->insn != PROFILE_NONE;
    const struct profile_line at =
        is_known ? p->insns[use->insn].line : (struct profile_line){PROFILE_NONE, 0};
    char line[256] = "", *text = NULL;

    if (at.file != PROFILE_NONE)
        snprintf(line, sizeof line, " at %s:%u", profile_basename(p->files[at.file].path), at.line);
    if (asprintf(&text, "%s%s to %s", is_known ? profile_symbol(p, use->insn) : "[unknown]", line,
                 memory_data_name(p, use->one)) < 0) {
        t->failed = true;
        return;
    }
    table_text(t, "where", text);
    free(text);
}

/* "  8-15 store 1/2": bytes, kind and thread. */
static void put_how(struct report_table *t, const struct profile *p, const struct line_use *use)
{
    const uint64_t bytes = use->is_wide ? 0 : use->loads | use->stores;
    const struct profile_thread *const thread = &p->threads[use->thread];
    char text[64], range[16] = "";

    if (bytes != 0)
        snprintf(range, sizeof range, "%d-%d ", __builtin_ctzll(bytes),
                 63 - __builtin_clzll(bytes));
    snprintf(text, sizeof text, "  %s%s %u/%u", range, kinds[use->one->of.kind & 3],
             thread->process, thread->thread);
    table_text(t, "use", text);
}

static void put_use(struct report_table *t, const struct c2c *c2c, const struct line_use *use)
{
    const struct profile *const p = c2c->profile;
    const uint64_t bytes = use->loads | use->stores;

    put_counts(t, c2c, use->transfers, use->n, use->line);
    if (use->loads_taken != 0)
        table_real(t, "latency", (double)use->cycles / (double)use->loads_taken);
    if (t->options->format == TABLE_TEXT) {
        put_how(t, p, use);
        put_where(t, p, use);
        return;
    }
    if (bytes != 0 && !use->is_wide) {
        table_count(t, "offset", (uint64_t)__builtin_ctzll(bytes));
        table_count(t, "bytes", (uint64_t)__builtin_popcountll(bytes));
    }
    table_text(t, "kind", kinds[use->one->of.kind & 3]);
    memory_put_thread(t, &p->threads[use->thread]);
    table_text(t, "symbol", use->insn != PROFILE_NONE ? profile_symbol(p, use->insn) : "[unknown]");
    if (use->insn != PROFILE_NONE)
        memory_put_line(t, "source", p, p->insns[use->insn].line);
    table_text(t, "data", memory_data_name(p, use->one));
}

static void put_line_and_uses(struct report_table *t, const struct c2c *c2c,
                              const struct shared_line *line)
{
    const bool is_text = t->options->format == TABLE_TEXT;

    put_counts(t, c2c, line->transfers, line->n, c2c->uses[line->first].line);
    if (is_text)
        table_hex(t, "use", 1, c2c->uses[line->first].line);
    table_text(t, is_text ? "where" : "sharing", sharing(c2c, line));
    for (size_t i = line->first; i < line->first + line->n_uses; i++)
        put_use(t, c2c, &c2c->uses[i]);
}

static void put_head(const struct c2c *c2c, FILE *stream)
{
    profile_put_setup(c2c->profile, "report", stream);
    fprintf(stream,
            "# Accesses to a line that another core had: %llu, of %zu lines\n"
            "# Cycles: %s; not known of stores\n%s\n",
            (unsigned long long)c2c->transfers, c2c->n_lines, c2c->profile->setup.access_latency,
            c2c->n_lines == 0 ? "# None: one core ran, its machine's cores share no cache,\n"
                                "# or threads used no line together\n"
                              : "");
}

static enum armpmu_status print(const struct c2c *c2c, double limit,
                                const struct table_options *options, FILE *stream,
                                struct armpmu_error *err)
{
    const bool is_text = options->format == TABLE_TEXT;
    const struct table_form form = {"report", "lines", is_text ? text_columns : columns,
                                    is_text ? sizeof text_columns / sizeof *text_columns
                                            : sizeof columns / sizeof *columns,
                                    .has_headings = true};
    struct report_table table;

    if (is_text)
        put_head(c2c, stream);
    table_begin(&table, options, &form, stream);
    table_count(&table, "transfers", c2c->transfers);
    for (size_t i = 0; i < c2c->n_lines; i++)
        if (100.0 * (double)c2c->lines[i].transfers >= limit * (double)c2c->transfers)
            put_line_and_uses(&table, c2c, &c2c->lines[i]);
    return table_end(&table, err);
}

enum armpmu_status c2c_report(const struct profile *profile, double limit,
                              const struct table_options *options, FILE *stream,
                              struct armpmu_error *err)
{
    struct c2c c2c = {.profile = profile};

    if (memory_check(profile, err) != ARMPMU_OK)
        return ARMPMU_BAD_INPUT;
    bool has_memory = add_uses(&c2c);
    if (has_memory && c2c.n_uses != 0) {
        qsort(c2c.uses, c2c.n_uses, sizeof *c2c.uses, by_line);
        merge_uses(&c2c);
        has_memory = add_lines(&c2c);
    }
    const enum armpmu_status status = has_memory ? print(&c2c, limit, options, stream, err)
                                                 : fail_no_memory(err, "a report of shared lines");
    free(c2c.uses);
    free(c2c.lines);
    return status;
}
