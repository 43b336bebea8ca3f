/* armpmu regs: the registers of a performance monitor, their values and the instructions that
 * access them. */
#include "cli/catalog/regs.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/machine_choice.h"
#include "cli/options.h"
#include "cli/suggest.h"
#include "cli/text_wrap.h"

enum action { ACTION_SHOW, ACTION_DECODE, ACTION_ENCODE, ACTION_ASM };

struct regs_options {
    enum action action;
    struct table_options table;
    FILE *out;
    struct armpmu_error *err;
    const char *machine;
    char *const *words; /* after the action, NULL-terminated */
};

static const char *const action_words[] = {
    [ACTION_SHOW] = "show",
    [ACTION_DECODE] = "decode",
    [ACTION_ENCODE] = "encode",
    [ACTION_ASM] = "asm",
    NULL,
};

#define N_ACTIONS (ACTION_ASM + 1)

static const struct option_row rows[] = {
    {0, "machine", "NAME|FILE", "the core of this machine, if no core is named",
     OPTION_TEXT_TO(struct regs_options, machine), .completes = COMPLETE_MACHINE},
    TABLE_ROWS_TO(struct regs_options, table,
                  "text, csv, json, or md: the page of the core in docs/registers"),
    {.kind = OPTION_END},
};

/* ---- names ---- */

/* Complains about a word that is not a core; where an action is allowed, one may have been
 * meant. */
static void print_no_core(const char *word, bool may_be_action)
{
    size_t n_cores = 0;
    const struct armpmu_core *const *const cores = armpmu_cores(&n_cores);
    struct suggest s;
    char hint[REGS_TEXT_MAX];

    for (size_t i = 0; i < n_cores && may_be_action; i++)
        if (armpmu_register_find(cores[i], word, NULL) != NULL) {
            print_error("'%.40s' is a register: name its core first, as in 'armpmu regs %s %.40s'",
                        word, cores[i]->name, word);
            return;
        }
    suggest_begin(&s, word);
    for (unsigned i = ACTION_DECODE; i < N_ACTIONS && may_be_action; i++)
        suggest_offer(&s, action_words[i], action_words[i]);
    for (size_t i = 0; i < n_cores; i++) {
        suggest_offer(&s, cores[i]->name, cores[i]);
        suggest_offer(&s, cores[i]->pmu, cores[i]);
    }
    suggest_sentence(&s, hint, sizeof hint);
    print_error("'%.40s' is not a core%s%s", word,
                may_be_action ? ", nor decode, encode or asm" : "",
                s.count > 0 ? hint : "; 'armpmu list core' lists them");
}

/* Returns whether the word with 0 in place of n digits at from is the first element of the array.
 */
static bool begins_array(const struct armpmu_register *reg, const char *word, const char *from,
                         size_t n)
{
    char first[REGS_TEXT_MAX], name[REGS_TEXT_MAX], arch_name[REGS_TEXT_MAX];

    snprintf(first, sizeof first, "%.*s0%s", (int)(from - word), word, from + n);
    regs_element_name(reg->name, reg->count, 0, name, sizeof name);
    regs_element_name(reg->arch_name, reg->count, 0, arch_name, sizeof arch_name);
    return reg->count > 1 && (strcasecmp(first, name) == 0 || strcasecmp(first, arch_name) == 0);
}

/* The array of which the word would be an element if it had more of them. */
static const struct armpmu_register *find_array(const struct armpmu_core *core, const char *word)
{
    for (const char *from = word; *from != '\0'; from++) {
        const size_t n = strspn(from, "0123456789");
        for (size_t i = 0; i < core->n_registers && n > 0; i++)
            if (begins_array(&core->registers[i], word, from, n))
                return &core->registers[i];
    }
    return NULL;
}

static void print_no_register(const struct armpmu_core *core, const char *word)
{
    const struct armpmu_register *const array = find_array(core, word);
    struct suggest s;
    char hint[REGS_TEXT_MAX];

    if (array != NULL) {
        print_error("'%.40s': %s of %s has elements 0 to %u", word, array->name, core->name,
                    array->count - 1);
        return;
    }
    suggest_begin(&s, word);
    for (size_t i = 0; i < core->n_registers; i++) {
        suggest_offer(&s, core->registers[i].name, &core->registers[i]);
        suggest_offer(&s, core->registers[i].arch_name, &core->registers[i]);
    }
    suggest_sentence(&s, hint, sizeof hint);
    if (s.count > 0)
        print_error("'%.40s' is not a register of %s%s", word, core->name, hint);
    else
        print_error("'%.40s' is not a register of %s; 'armpmu regs %s' lists them", word,
                    core->name, core->name);
}

/* Returns whether the word is the name of an array without its "<n>". */
static bool is_array_name(const char *word, const char *pattern)
{
    char stem[REGS_TEXT_MAX];
    const size_t before = strcspn(pattern, "<");

    if (pattern[before] == '\0')
        return false;
    snprintf(stem, sizeof stem, "%.*s%s", (int)before, pattern, pattern + before + strlen("<n>"));
    return strcasecmp(word, stem) == 0;
}

static const struct armpmu_register *find_register(const struct armpmu_core *core, const char *word,
                                                   unsigned *element)
{
    const struct armpmu_register *const reg = armpmu_register_find(core, word, element);

    for (size_t i = 0; i < core->n_registers && reg == NULL; i++)
        if (is_array_name(word, core->registers[i].name) ||
            is_array_name(word, core->registers[i].arch_name))
            return &core->registers[i];
    return reg;
}

static bool find_target(const struct armpmu_core *core, const char *word,
                        struct regs_target *target)
{
    unsigned element = 0;
    const struct armpmu_register *const reg = find_register(core, word, &element);

    if (reg == NULL) {
        print_no_register(core, word);
        return false;
    }
    const bool named = strcasecmp(word, reg->name) != 0 && strcasecmp(word, reg->arch_name) != 0 &&
                       !is_array_name(word, reg->name) && !is_array_name(word, reg->arch_name);
    *target = (struct regs_target){core, reg, element, named};
    return true;
}

/* ---- actions ---- */

/* For a core, or for the one register that is named. */
static int print_rows(const struct regs_options *o, const struct armpmu_core *core,
                      const struct regs_target *only)
{
    struct report_table table;

    table_begin(&table, &o->table, &list_register_form, o->out);
    for (size_t i = 0; i < (only != NULL ? 1 : core->n_registers); i++) {
        const struct regs_target target = {core, &core->registers[i], 0, false};
        table_row(&table);
        regs_put(&table, only != NULL ? only : &target);
    }
    return command_exit(table_end(&table, o->err));
}

static void print_others(const struct armpmu_core *core, FILE *out)
{
    size_t n_cores = 0;
    const struct armpmu_core *const *const cores = armpmu_cores(&n_cores);
    char text[600];

    snprintf(text, sizeof text,
             "These are those of %s; 'armpmu regs CORE' shows another core's:", core->name);
    for (size_t i = 0; i < n_cores; i++)
        text_join(text, sizeof text, i > 0 ? ", " : " ", "%s", cores[i]->name);
    putc('\n', out);
    text_wrap_fitted(text, 0, 0, out);
}

static int show(const struct regs_options *o, const struct armpmu_core *core, bool is_default)
{
    const bool is_text = o->table.format == TABLE_TEXT;
    struct regs_target target;

    if (is_default || o->words[1] == NULL) {
        const int status = print_rows(o, core, NULL);
        if (is_default && is_text && status == 0)
            print_others(core, o->out);
        return status;
    }
    if (!find_target(core, o->words[1], &target))
        return EXIT_ARMPMU;
    if (!is_text)
        return print_rows(o, core, &target);
    regs_print_register(&target, table_options_color(&o->table), o->out);
    return 0;
}

static int print_value(const struct regs_options *o, const struct regs_target *target,
                       uint64_t value)
{
    if (o->table.format != TABLE_TEXT)
        return command_exit(regs_print_value(target, value, &o->table, o->out, o->err));
    if (o->action == ACTION_ENCODE)
        fprintf(o->out, "0x%0*llx\n", regs_digits(target->reg), (unsigned long long)value);
    else
        regs_print_decoded(target, value, table_options_color(&o->table), o->out);
    return 0;
}

static int print_assembly(const struct regs_options *o, const struct regs_target *target,
                          const struct regs_operand *operand)
{
    if (o->table.format != TABLE_TEXT)
        return command_exit(regs_print_accesses(target, operand, &o->table, o->out, o->err));
    regs_print_assembly(target, operand, o->out);
    return 0;
}

/* Prints what an action says about a register; words are those after its name. */
static int act(const struct regs_options *o, const struct regs_target *target, char *const *words)
{
    struct regs_operand operand;
    uint64_t value = 0;

    switch (o->action) {
    case ACTION_DECODE:
        return regs_parse_value(target, words[0], &value) ? print_value(o, target, value)
                                                          : EXIT_ARMPMU;
    case ACTION_ENCODE:
        return regs_parse_fields(target, words, &value) ? print_value(o, target, value)
                                                        : EXIT_ARMPMU;
    case ACTION_ASM:
        return regs_parse_operand(target, words[0] != NULL ? words[0] : "", &operand)
                   ? print_assembly(o, target, &operand)
                   : EXIT_ARMPMU;
    case ACTION_SHOW:
        break;
    }
    return EXIT_ARMPMU;
}

/* How many words an action takes, its own not included. */
static const struct {
    unsigned least, most;
    const char *needs;
} word_counts[] = {
    [ACTION_SHOW] = {0, 2, ""},
    [ACTION_DECODE] = {3, 3, "a core, a register and a value"},
    [ACTION_ENCODE] = {2, UINT32_MAX, "a core and a register"},
    [ACTION_ASM] = {2, 3, "a core and a register"},
};

static bool words_are_right(const struct regs_options *o)
{
    unsigned n = 0;

    while (o->words[n] != NULL)
        n++;
    if (n < word_counts[o->action].least)
        return print_error("regs %s needs %s; 'armpmu regs --help' has examples",
                           action_words[o->action], word_counts[o->action].needs);
    if (n > word_counts[o->action].most)
        return print_error("'%.80s' is one argument too many; 'armpmu regs --help' has examples",
                           o->words[word_counts[o->action].most]);
    if (o->table.format == TABLE_MD && (o->action != ACTION_SHOW || n > 1))
        return print_error("--format md prints the whole page of a core: leave out '%.40s'",
                           o->action != ACTION_SHOW ? action_words[o->action] : o->words[1]);
    return true;
}

static int print_registers(const struct regs_options *o)
{
    const bool is_default = o->words[0] == NULL;
    struct regs_target target;

    if (!words_are_right(o))
        return EXIT_ARMPMU;
    const struct armpmu_core *const core =
        is_default ? machine_choice_core(o->machine) : armpmu_core_find(o->words[0]);
    if (core == NULL) {
        if (!is_default)
            print_no_core(o->words[0], o->action == ACTION_SHOW);
        return EXIT_ARMPMU;
    }
    if (o->table.format == TABLE_MD) {
        regs_print_page(core, o->out);
        return 0;
    }
    if (o->action == ACTION_SHOW)
        return show(o, core, is_default);
    return find_target(core, o->words[1], &target) ? act(o, &target, &o->words[2]) : EXIT_ARMPMU;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct regs_options *const o = options;

    o->out = out;
    o->err = err;
    o->words = operands;
    for (unsigned i = ACTION_DECODE; i < N_ACTIONS && *operands != NULL; i++)
        if (strcasecmp(*operands, action_words[i]) == 0) {
            o->action = (enum action)i;
            o->words++;
            break;
        }
    return print_registers(o);
}

const struct command command_regs = {
    .name = "regs",
    .summary = "show registers, decode and encode their values",
    .synopsis = "regs [CORE [REGISTER]] [-x SEP | -j | --format FORMAT] [-o FILE]\n"
                "regs decode CORE REGISTER VALUE [-j]\n"
                "regs encode CORE REGISTER [FIELD=VALUE[,FIELD=VALUE]...] [-j]\n"
                "regs asm CORE REGISTER [OPERAND] [-j]",
    .text =
        "Shows the registers of a performance monitor, decodes and encodes their values,\n"
        "and prints the instructions that access them.\n"
        "\n"
        "  CORE      a core of 'armpmu list core', or one of its PMU names\n"
        "  REGISTER  its name in the core's manual or the architecture (PMNC or PMCR);\n"
        "            EVTSEL2 is an element of an array\n"
        "  VALUE     0x1f, 0b11111 or 31; for a field that selects an event also the event's name\n"
        "  OPERAND   the register to use: r3 selects A32 and T32, x3 selects A64\n"
        "encode starts from the reset value and changes the named fields.\n",
    .options = rows,
    .notes = "Examples\n"
             "  armpmu regs decode cortex-a8 PMNC 0x41002009\n"
             "  armpmu regs encode cortex-a8 PMNC E=1,D=1\n"
             "  armpmu regs encode cortex-a8 EVTSEL2 SEL=L1D_CACHE_REFILL\n"
             "  armpmu regs asm cortex-a8 PMNC r3\n",
    .operands = COMPLETE_REGISTER,
    .words = &action_words[ACTION_DECODE],
    COMMAND_REPORT(struct regs_options, table),
    .run = run,
};
