/* armpmu dtb: gives a device tree the PMU of a core, so that Linux finds it. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "armpmu/catalog.h"
#include "base/read_file.h"
#include "cli/commands.h"
#include "cli/catalog/device_tree.h"
#include "cli/output.h"
#include "cli/suggest.h"
#include "machine/core_descriptor.h"

/* Larger than any board's; a file this large is something else. */
#define TREE_MAX (64u * 1024 * 1024)

struct dtb_options {
    const char *in, *out, *core, *irq;
};

/* ---- the command line ---- */

static const struct option_row rows[] = {
    {0, "core", "CORE", "cortex-a8", OPTION_TEXT_TO(struct dtb_options, core),
     .completes = COMPLETE_CORE},
    {0, "irq", "LIST", "the overflow interrupt, as below", OPTION_TEXT_TO(struct dtb_options, irq)},
    {.kind = OPTION_END},
};

static bool take_files(char *const *files, struct dtb_options *o)
{
    int n = 0;

    while (files[n] != NULL)
        n++;
    if (n != 2)
        return print_error("dtb: %d files named, IN and OUT are needed; see 'armpmu help dtb'", n);
    o->in = files[0];
    o->out = files[1];
    if (o->core == NULL || o->irq == NULL)
        return print_error("dtb: %s is missing; see 'armpmu help dtb'",
                           o->core == NULL ? "--core" : "--irq");
    return true;
}

/* ---- the core ---- */

static void print_error_about_core(const char *name)
{
    struct suggest s;
    char hint[256];
    size_t n = 0;
    const struct armpmu_core *const *cores = armpmu_cores(&n);

    suggest_begin(&s, name);
    for (size_t i = 0; i < n; i++)
        suggest_offer(&s, cores[i]->name, NULL);
    suggest_sentence(&s, hint, sizeof hint);
    print_error("--core '%.40s' is not a core%s%s", name, hint,
                s.count == 0 ? "; 'armpmu list core' shows them" : "");
}

/* A core whose monitor Linux finds by the device tree. */
static const char *core_with_binding(void)
{
    size_t i = 0;

    while (core_descriptor_at(i)->compatible == NULL)
        i++;
    return core_descriptor_at(i)->name;
}

static bool take_core(const char *name, struct pmu_node *pmu)
{
    const struct armpmu_core *core = armpmu_core_find(name);

    if (core == NULL) {
        print_error_about_core(name);
        return false;
    }
    pmu->compatible = core_descriptor_of(core)->compatible;
    if (pmu->compatible != NULL)
        return true;
    return print_error("--core %s: Linux takes no driver for it from a device tree; it does for %s",
                       core->name, core_with_binding());
}

/* ---- the interrupts ---- */

/* Takes one interrupt from the front of the text. Returns what follows it, NULL when it is none. */
static const char *take_interrupt(const char *text, struct pmu_interrupt *irq)
{
    static const struct {
        const char *prefix;
        enum interrupt_kind kind;
    } kinds[] = {
        {"spi:", INTERRUPT_SPI},
        {"ppi:", INTERRUPT_PPI},
        {"irq:", INTERRUPT_PLAIN},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const size_t length = strlen(kinds[i].prefix);
        if (strncmp(text, kinds[i].prefix, length) != 0)
            continue;
        const char *digits = text + length;
        char *end = NULL;
        if (strspn(digits, "0123456789") == 0)
            return NULL;
        errno = 0;
        unsigned long long number = strtoull(digits, &end, 10);
        if (errno != 0 || number > UINT32_MAX)
            return NULL;
        *irq = (struct pmu_interrupt){kinds[i].kind, (uint32_t)number};
        return end;
    }
    return NULL;
}

static bool take_interrupts(const char *list, struct pmu_node *pmu)
{
    const char *rest = list;

    do {
        if (pmu->n_interrupts == PMU_INTERRUPTS_MAX)
            return print_error("--irq '%.60s': more than %d interrupts", list, PMU_INTERRUPTS_MAX);
        rest = take_interrupt(rest, &pmu->interrupts[pmu->n_interrupts++]);
        if (rest == NULL || (*rest != ',' && *rest != '\0'))
            return print_error(
                "--irq '%.60s': interrupts like spi:100, ppi:7 or irq:3, separated by ','", list);
    } while (*rest++ == ',');
    for (size_t i = 0; i < pmu->n_interrupts; i++) {
        if (pmu->n_interrupts > 1 && pmu->interrupts[i].kind == INTERRUPT_PPI)
            return print_error("--irq '%.60s': each CPU has its own ppi:N; give it once", list);
    }
    return true;
}

/* ---- the files ---- */

/* The content of a file; NULL after a message. The caller frees it. */
static char *read_file(const char *name, size_t *size)
{
    const struct file_source file = {name, "name a device tree", TREE_MAX};
    struct armpmu_error err;
    char *content;

    if (read_file_whole(&file, &content, size, &err) == ARMPMU_OK)
        return content;
    print_error("%s", err.message);
    free(content);
    return NULL;
}

/* The file is whole, or as it was: it may be the one that was read. */
static bool write_file(const char *name, const void *content, size_t size)
{
    struct armpmu_error err = {""};
    struct output out;

    if (output_open(&out, NULL, name, false, &err) == ARMPMU_OK) {
        fwrite(content, 1, size, out.stream);
        if (output_close(&out, &err) == ARMPMU_OK)
            return true;
    }
    return err.message[0] != '\0' && print_error("%s", err.message); /* none: the reader is gone */
}

static bool convert(const struct dtb_options *o, const struct pmu_node *pmu)
{
    struct device_tree in = {.name = o->in}, out;
    struct armpmu_error err;

    in.bytes = read_file(o->in, &in.size);
    if (in.bytes == NULL)
        return false;
    bool done = device_tree_set_pmu(&in, pmu, &out, &err) == ARMPMU_OK;
    if (!done)
        print_error("%s", err.message);
    else
        done = write_file(o->out, out.bytes, out.size);
    free(out.bytes);
    free(in.bytes);
    return done;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct dtb_options *const o = options;
    struct pmu_node pmu = {0};

    (void)out, (void)err;
    if (!take_files(operands, o) || !take_core(o->core, &pmu) || !take_interrupts(o->irq, &pmu) ||
        !convert(o, &pmu))
        return EXIT_ARMPMU;
    return 0;
}

const struct command command_dtb = {
    .name = "dtb",
    .summary = "add the PMU of a core to a device tree",
    .synopsis = "dtb IN OUT --core CORE --irq LIST",
    .text = "Copies the flattened device tree IN to OUT and adds the performance monitor of\n"
            "CORE, replacing an existing pmu node. OUT may be IN. Linux then uses the driver\n"
            "of that core's PMU, whatever the machine's own core is.\n",
    .options = rows,
    .notes = "The overflow interrupt has the number of the tree's interrupt controller:\n"
             "  spi:N   shared interrupt N of the GIC (ID 32 + N), N from 0 to 987\n"
             "  ppi:N   private interrupt N of the GIC (ID 16 + N), N from 0 to 15\n"
             "  irq:N   interrupt N of any other controller\n"
             "If every CPU has its own, give one for each, separated by ',' (up to 8).\n"
             "\n"
             "For example, for a QEMU machine with the plugin's PMU:\n"
             "  qemu-system-arm -M virt,dumpdtb=virt.dtb -cpu cortex-a15\n"
             "  armpmu dtb virt.dtb a8.dtb --core cortex-a8 --irq spi:100\n",
    .operands = COMPLETE_FILE,
    .options_bytes = sizeof(struct dtb_options),
    .run = run,
};
