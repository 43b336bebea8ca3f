#include "cli/run/topdown.h"

#include <stdbool.h>

#include "base/arithmetic.h"
#include "cli/text_wrap.h"

enum { COUNT_WIDTH = 18, NAME_WIDTH = 30, MEANING_LEFT = COUNT_WIDTH + 11 + NAME_WIDTH };

static const struct entry {
    unsigned depth;
    const char *name, *meaning; /* NULL: the signal's */
    enum armpmu_signal signal;  /* of a leaf */
} entries[] = {
#define GROUP(depth, name, meaning) {depth, name, meaning, ARMPMU_SIGNAL_COUNT},
#define LEAF(depth, name, signal)   {depth, name, NULL, ARMPMU_SIGNAL_##signal},
#include "armpmu/topdown.def"
#undef LEAF
#undef GROUP
};

#define N_ENTRIES (sizeof entries / sizeof entries[0])

_Static_assert(N_ENTRIES < TOPDOWN_NODES_MAX, "there is room for each, and what is unattributed");

/* The cycles of an entry and those below it. */
static uint64_t cycles_of(size_t entry, const uint64_t *signals)
{
    uint64_t sum = 0;

    if (entries[entry].meaning == NULL)
        return signals[entries[entry].signal];
    for (size_t i = entry + 1; i < N_ENTRIES && entries[i].depth > entries[entry].depth; i++)
        sum += entries[i].meaning == NULL ? signals[entries[i].signal] : 0;
    return sum;
}

size_t topdown_nodes(const struct report_section *section,
                     struct topdown_node nodes[TOPDOWN_NODES_MAX])
{
    const uint64_t *const signals = section->signals;
    const uint64_t all = signals[ARMPMU_SIGNAL_CPU_CYCLES];
    const char *group = "";
    uint64_t attributed = 0;
    size_t n = 0;

    for (size_t i = 0; i < N_ENTRIES; i++) {
        const struct entry *const entry = &entries[i];
        const bool is_group = entry->meaning != NULL;
        const uint64_t cycles = cycles_of(i, signals);
        group = is_group ? entry->name : group;
        attributed += is_group ? 0 : cycles;
        if (!is_group && cycles == 0)
            continue;
        nodes[n++] = (struct topdown_node){
            .depth = entry->depth,
            .name = entry->name,
            .group = group,
            .meaning = is_group ? entry->meaning : armpmu_signal_meaning(entry->signal),
            .cycles = cycles,
            .share = percent(cycles, all),
        };
    }
    if (attributed < all)
        nodes[n++] = (struct topdown_node){1,
                                           "Unattributed",
                                           "Unattributed",
                                           "the model does not say what for",
                                           all - attributed,
                                           percent(all - attributed, all)};
    return n;
}

void topdown_print(const struct report *report, const struct report_section *section, FILE *stream)
{
    struct topdown_node nodes[TOPDOWN_NODES_MAX];
    const size_t n = topdown_nodes(section, nodes);
    char count[TEXT_WRAP_COUNT];

    text_wrap_count(section->signals[ARMPMU_SIGNAL_CPU_CYCLES], report->big_numbers, count);
    fprintf(stream, " Where %s cycles went", count);
    if (section->thread != NULL)
        fprintf(stream, " (%s)", section->thread);
    fputs(":\n\n", stream);
    for (size_t i = 0; i < n; i++) {
        const bool is_group = nodes[i].depth == 1;
        const int indent = 2 * (int)nodes[i].depth - 2;
        text_wrap_count(nodes[i].cycles, report->big_numbers, count);
        fprintf(stream, "%*s  %5.1f %%  %*s", COUNT_WIDTH, count, nodes[i].share, indent, "");
        if (is_group)
            text_wrap_name(report->color, nodes[i].name, NAME_WIDTH, stream);
        if (is_group)
            text_wrap_wrapped(nodes[i].meaning, MEANING_LEFT, MEANING_LEFT, stream);
        else
            fprintf(stream, "%s\n", nodes[i].name);
    }
    fputc('\n', stream);
}
