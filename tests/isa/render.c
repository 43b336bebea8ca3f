#include "render.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct line {
    char *text;
    size_t size, used;
    bool a64;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const int n = vsnprintf(line->text + line->used, line->size - line->used, format, args);
    va_end(args);
    if (n > 0)
        line->used += (size_t)n;
    if (line->used >= line->size)
        line->used = line->size - 1;
}

static void add_register(struct line *line, unsigned n)
{
    static const char *const names[20] = {[13] = "sp", [14] = "lr", [15] = "pc",   [16] = "flags",
                                          [17] = "ge", [18] = "q",  [19] = "fpscr"};
    if (n < 13)
        add(line, "r%u", n);
    else if (n < 20)
        add(line, "%s", names[n]);
    else if (n >= 32)
        add(line, "d%u", n - 32);
    else
        add(line, "?%u", n);
}

static void add_a64_register(struct line *line, unsigned n)
{
    if (n == 31)
        add(line, "sp");
    else
        add(line, "%c%u", n < 32 ? 'x' : 'v', n % 32);
}

static void add_set(struct line *line, const char *label, uint64_t set, uint64_t first, char mark,
                    uint64_t second, char other)
{
    const char *before = label;

    for (unsigned n = 0; n < 64; n++) {
        if ((set >> n & 1) == 0)
            continue;
        add(line, "%s", before);
        if (line->a64)
            add_a64_register(line, n);
        else
            add_register(line, n);
        if ((first >> n & 1) != 0)
            add(line, "%c", mark);
        if ((second >> n & 1) != 0)
            add(line, "%c", other);
        before = ",";
    }
}

/* The flags of A64, which are in no set. */
static void add_flags(struct line *line, const char *label, uint64_t set, bool flags)
{
    if (flags)
        add(line, "%sflags", set == 0 ? label : ",");
}

static void add_memory(struct line *line, const struct insn_memory *memory)
{
    if (memory->bytes == 0)
        return;
    add(line, " m:%s %u/%u%s%s%s",
        !memory->load   ? "store"
        : memory->store ? "swap"
                        : "load",
        memory->bytes, memory->align, memory->multiple ? "+" : "", memory->exclusive ? "x" : "",
        memory->neon ? "n" : "");
}

/* Of SVE; the governing one has a mark. */
static void add_predicates(struct line *line, const char *label, uint32_t set, unsigned governor)
{
    for (unsigned n = 0; n <= 16; n++) {
        if ((set >> n & 1) == 0)
            continue;
        if (n == 16)
            add(line, "%sffr", label);
        else
            add(line, "%sp%u%s", label, n, n == governor ? "*" : "");
        label = ",";
    }
}

static void render(const struct insn *insn, uint64_t address, struct line *line)
{
    static const char *const classes[] = {"alu",
                                          "move",
                                          "alu-shift",
                                          "mul",
                                          "mul-long",
                                          "mul-half",
                                          "load",
                                          "store",
                                          "load-multiple",
                                          "store-multiple",
                                          "swap",
                                          "branch",
                                          "preload",
                                          "barrier",
                                          "system",
                                          "neon-alu",
                                          "neon-multiply",
                                          "neon-float",
                                          "neon-permute",
                                          "neon-load",
                                          "neon-store",
                                          "vfp",
                                          "vfp-divide",
                                          "core-to-neon",
                                          "neon-to-core",
                                          "divide",
                                          "crc",
                                          "crypto",
                                          "atomic",
                                          "multiply-high",
                                          "float-multiply",
                                          "neon-shift",
                                          "neon-shift-complex",
                                          "neon-reduce",
                                          "neon-reduce-long",
                                          "neon-multiply-long",
                                          "neon-dot",
                                          "neon-table",
                                          "neon-convert",
                                          "vfp-compare",
                                          "crypto-aes",
                                          "crypto-aes-mix",
                                          "crypto-hash",
                                          "crypto-multiply",
                                          "neon-logic",
                                          "neon-alu-complex",
                                          "float-sign",
                                          "float-select",
                                          "float-pairs",
                                          "float-step",
                                          "float-pair-sum",
                                          "float-reduce",
                                          "neon-select",
                                          "float-choice",
                                          "neon-count",
                                          "neon-difference",
                                          "crypto-schedule",
                                          "neon-shift-round",
                                          "neon-polynomial",
                                          "neon-add-difference",
                                          "alu-select-add",
                                          "zero",
                                          "neon-zero",
                                          "core-to-element",
                                          "core-to-float",
                                          "float-to-core"};
    static const char *const branches[] = {"",          " immediate", " return",
                                           " indirect", " table",     " exception-return"};
    static const char *const effects[] = {"",           " svc",        " contextidr", " swinc",
                                          " undefined", " breakpoint", " privileged", " wait"};

    add(line, "%s%s", classes[insn->klass], branches[insn->branch]);
    if (insn->branch == BRANCH_IMMEDIATE)
        add(line, " @%+" PRId64, (int64_t)(insn->target - address));
    add(line, "%s%s%s", insn->links ? " link" : "", insn->compares_zero ? " cbz" : "",
        effects[insn->effect]);
    add(line, "%s%s%s", insn->divides_signed ? " signed" : "", insn->adds ? " adds" : "",
        insn->multiplies ? " multiplies" : "");
    add(line, "%s%s%s%s", insn->exchanges ? " bx" : "", insn->orders_stores ? " orders" : "",
        insn->converts ? " converts" : "", insn->doubles ? " double" : "");
    if (insn->condition != 14)
        add(line, " ?%u", insn->condition);
    add_set(line, " r:", insn->reads, insn->reads_early, '\'', insn->reads_late, '~');
    add_flags(line, " r:", insn->reads, insn->reads_flags);
    add_set(line, " w:", insn->writes, insn->writes_back, '!', 0, ' ');
    add_flags(line, " w:", insn->writes, insn->writes_flags);
    add_memory(line, &insn->memory);
    if (insn->operations != 1)
        add(line, " x%u", insn->operations);
    if (insn->scalable.kind == SVE_NONE)
        return;
    add_predicates(line, " pr:", insn->scalable.reads, insn->scalable.governor);
    add_predicates(line, " pw:", insn->scalable.writes, NO_GOVERNOR);
    add(line, " e:%u%s%s", insn->scalable.element_bytes, insn->memory.scattered ? " scattered" : "",
        insn->memory.partial ? " partial" : "");
}

void render_insn(const struct insn *insn, uint64_t address, char *text, size_t size)
{
    struct line line = {text, size, 0, false};

    render(insn, address, &line);
}

void render_a64_insn(const struct insn *insn, uint64_t address, char *text, size_t size)
{
    struct line line = {text, size, 0, true};

    render(insn, address, &line);
}
