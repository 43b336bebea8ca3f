#include "cli/bench/explain_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "armpmu/catalog.h"
#include "base/text.h"
#include "cli/text_wrap.h"

enum { TEXT = 160, INSN_WIDTH = 30 };

static const struct insn *insn_of(const struct explanation *e, unsigned i)
{
    return &e->code->code->insns[e->block->first + i];
}

static uint64_t address_of(const struct explanation *e, unsigned i)
{
    return e->code->code->address + insn_of(e, i)->offset;
}

static void text_of(const struct explanation *e, unsigned i, int width, char text[TEXT])
{
    struct insn_text insn;
    uint8_t bytes[4] = {0};

    memcpy(bytes, e->code->bytes + insn_of(e, i)->offset, insn_of(e, i)->size);
    if (capstone_text_in_order(e->capstone, e->code->isa, bytes, address_of(e, i), &insn))
        snprintf(text, TEXT, "%-*s %s", width, insn.mnemonic, insn.operands);
    else
        snprintf(text, TEXT, ".inst");
}

/* ---- why ---- */

/* "r3", "r0 and flags". */
static void name_registers(const struct explanation *e, uint64_t set, char *text, size_t size)
{
    static const char *const names[] = {"sp", "lr", "pc", "flags", "GE", "Q", "FPSCR"};
    const bool is_a64 = e->code->isa == ARMPMU_A64;

    text[0] = '\0';
    for (; set != 0; set &= set - 1) {
        const unsigned r = (unsigned)__builtin_ctzll(set);
        if (is_a64 || r >= 32)
            text_join(text, size, " and ", "%c%u", r < 32 ? 'x' : is_a64 ? 'v' : 'd', r & 31);
        else if (r >= 13 && r < 20)
            text_join(text, size, " and ", "%s", names[r - 13]);
        else
            text_join(text, size, " and ", "r%u", r);
    }
}

static void wait_for_operands(const struct explanation *e, unsigned i, double cycles, char *text,
                              size_t size)
{
    const struct issue_time *const time = &e->times[i];
    char registers[60];

    if (time->producer < 0) {
        snprintf(text, size, "waits %.3g for an operand", cycles);
        return;
    }
    name_registers(e, time->registers, registers, sizeof registers);
    snprintf(text, size, "waits %.3g for %s of %" PRIx64 "%s", cycles, registers,
             address_of(e, (unsigned)time->producer),
             (unsigned)time->producer >= i ? ", the time before" : "");
}

static const struct {
    const char *name;
    enum armpmu_signal signal;
} causes[] = {
#define GROUP(depth, name, meaning)
#define LEAF(depth, name, signal) {name, ARMPMU_SIGNAL_##signal},
#include "armpmu/topdown.def"
#undef LEAF
#undef GROUP
};

static bool is_issue(enum armpmu_signal signal)
{
    return signal == ARMPMU_SIGNAL_ISSUE_PAIR || signal == ARMPMU_SIGNAL_ISSUE_SINGLE ||
           signal == ARMPMU_SIGNAL_ISSUE_DISPATCH || signal == ARMPMU_SIGNAL_ISSUE_STEP;
}

/* The sentence about one cause; "" for nothing. */
static void reason_of(const struct explanation *e, unsigned i, size_t cause, char *text,
                      size_t size)
{
    const enum armpmu_signal signal = causes[cause].signal;
    const double cycles = issue_times_count(e->block, i, signal);

    text[0] = '\0';
    if (cycles < 1. / STEADY_ROUNDS || is_issue(signal))
        return;
    if (signal == ARMPMU_SIGNAL_STALL_BACKEND_ILOCK)
        wait_for_operands(e, i, cycles, text, size);
    else
        snprintf(text, size, "%s: %.3g", causes[cause].name, cycles);
}

static void why(const struct explanation *e, unsigned i, char *text, size_t size)
{
    char reason[120];

    snprintf(text, size, "%s", e->times[i].is_second ? "beside the one before" : "");
    if (e->times[i].steps > 0)
        text_join(text, size, "; ", "takes %.3g cycles", e->times[i].steps + 1);
    for (size_t cause = 0; cause < sizeof causes / sizeof causes[0]; cause++) {
        reason_of(e, i, cause, reason, sizeof reason);
        if (reason[0] != '\0')
            text_join(text, size, "; ", "%s", reason);
    }
}

/* ---- for people ---- */

static void print_heading(const struct explanation *e, FILE *out)
{
    const unsigned n = e->block->end - e->block->first;
    const uint64_t offset = address_of(e, 0) - e->code->address;
    char name[260];

    snprintf(name, sizeof name, offset != 0 ? "%s+0x%" PRIx64 : "%s", e->code->name, offset);
    fputc('\n', out);
    text_wrap_name(e->color, name, 0, out);
    fprintf(out, ": %u instruction%s, %.4g cycle%s %s, %.2f a cycle\n\n", n, n == 1 ? "" : "s",
            e->cycles, e->cycles == 1 ? "" : "s",
            e->block->is_loop ? "an iteration" : "once through", n / fmax(e->cycles, 1e-9));
}

void explain_print(const struct explanation *e, FILE *out)
{
    const bool in_order = issue_times_are_in_order(e->machine);
    char text[TEXT], reasons[400];

    print_heading(e, out);
    for (unsigned i = 0; i < e->block->end - e->block->first; i++) {
        text_of(e, i, 7, text);
        why(e, i, reasons, sizeof reasons);
        const int left = fprintf(out, "%8.4g %c %8" PRIx64 "  ",
                                 in_order ? e->times[i].cycle : e->times[i].cycles,
                                 e->times[i].is_second ? '+' : ' ', address_of(e, i));
        if (reasons[0] != '\0')
            text_wrap_fitted(reasons, left + fprintf(out, "%-*s  ", INSN_WIDTH, text),
                             left + INSN_WIDTH + 2, out);
        else
            fprintf(out, "%s\n", text);
    }
}

/* ---- rows ---- */

static void put_causes(struct report_table *t, const struct explanation *e, unsigned i)
{
    table_open(t, "causes", '{');
    for (size_t cause = 0; cause < sizeof causes / sizeof causes[0]; cause++) {
        const double cycles = issue_times_count(e->block, i, causes[cause].signal);
        if (cycles != 0)
            table_real(t, armpmu_signal_name(causes[cause].signal), cycles);
    }
    table_close(t);
}

static void put_insn(struct report_table *t, const struct explanation *e, unsigned i)
{
    const bool in_order = issue_times_are_in_order(e->machine);
    const struct issue_time *const time = &e->times[i];
    char text[TEXT];

    table_hex(t, "address", 1, address_of(e, i));
    text_of(e, i, 0, text);
    table_text(t, "instruction", text);
    if (in_order)
        table_real(t, "cycle", time->cycle);
    table_real(t, "cycles", time->cycles);
    if (in_order)
        table_real(t, "steps", time->steps + 1);
    table_flag(t, "is-second", time->is_second);
    if (time->producer >= 0)
        table_hex(t, "waits-for", 1, address_of(e, (unsigned)time->producer));
    if (table_is_json(t)) {
        put_causes(t, e, i);
        return;
    }
    why(e, i, text, sizeof text);
    table_text(t, "why", text);
}

/* A line for each instruction, and no more. */
static void put_lines(struct report_table *t, const struct explanation *e, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        table_row(t);
        table_text(t, "function", e->code->name);
        put_insn(t, e, i);
    }
}

void explain_put(struct report_table *t, const struct explanation *e)
{
    const unsigned n = e->block->end - e->block->first;

    if (!table_is_json(t)) {
        put_lines(t, e, n);
        return;
    }
    table_row(t);
    table_text(t, "function", e->code->name);
    table_hex(t, "address", 1, address_of(e, 0));
    table_text(t, "machine", armpmu_machine_name(e->machine));
    table_flag(t, "is-loop", e->block->is_loop);
    table_real(t, "cycles", e->cycles);
    table_open(t, "instructions", '[');
    for (unsigned i = 0; i < n; i++) {
        table_open(t, NULL, '{');
        put_insn(t, e, i);
        table_close(t);
    }
    table_close(t);
}

static const struct table_column columns[] = {{.key = "function"},
                                              {.key = "address", .is_right = true},
                                              {.key = "instruction"},
                                              {.key = "cycle", .is_right = true, .digits = 3},
                                              {.key = "cycles", .is_right = true, .digits = 3},
                                              {.key = "steps", .is_right = true, .digits = 3},
                                              {.key = "is-second"},
                                              {.key = "waits-for", .is_right = true},
                                              {.key = "why"}};
const struct table_form explain_form = {"explain", "blocks", TABLE_COLUMNS(columns)};
