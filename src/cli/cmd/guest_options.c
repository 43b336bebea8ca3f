#include "cli/cmd/guest_options.h"

#include "base/error.h"
#include "cli/cmd/guest_irq.h"
#include "cli/option_grammar.h"

const char guest_usage[] =
    "usage: armpmu guest [OPTIONS] [--] qemu-system-arm|qemu-system-aarch64 [ARGUMENTS]\n"
    "       armpmu guest [--machine NAME|FILE] [--irq LIST] [--amu LIST] --print-args\n"
    "\n"
    "Runs a machine under QEMU 11 or newer with a live performance monitor: the guest's own perf\n"
    "counts what the core would, and a report at the end says what the whole machine did, in all\n"
    "modes of the processor, in User mode and in the privileged ones.\n"
    "The report goes to standard error; terminal, output and exit status are QEMU's own.\n"
    "\n"
    "What to count\n"
    "  -e, --event LIST      as 'armpmu stat' takes it; default: every event of the core\n"
    "      --per-cpu         a table for each processor of the machine\n"
    "  -I, --interval SPEC   counts for every N simulated milliseconds (N) or cycles (Nc) of the\n"
    "                        first processor, while the machine runs\n"
    "\n"
    "On what\n"
    "      --machine NAME|FILE  default $ARMPMU_MACHINE, else cortex-a8; 'armpmu list machine'\n"
    "      --irq LIST        where the monitor's overflow interrupt goes: none (default), spi:N "
    "or\n"
    "                        ppi:N as in the device tree, gic:N an interrupt ID of the "
    "controller,\n"
    "                        vic:N of a PL190; gic@ADDRESS:N, vic@ADDRESS:N where the machine is\n"
    "                        not one that armpmu knows; one for each processor, parted by ',',\n"
    "                        where each has its own\n"
    "      --amu LIST        activity monitors of an AArch64 machine: enabled, their counters run "
    "as\n"
    "                        firmware leaves them; v1p1; group1:N, auxiliary counters; parted by "
    "','\n"
    "      --frame ADDRESS   their memory-mapped view, in place of a page of the machine's "
    "memory;\n"
    "                        ADDRESS:DISTANCE: one for each processor\n"
    "      --accesses FILE   list at the end which of their registers the guest accessed\n"
    "      --keep-running    if armpmu is killed (kill -9), let the machine run on; else QEMU is\n"
    "                        asked to end (SIGTERM)\n"
    "      --print-args      print what to add to QEMU's own command line instead, and end\n"
    "\n"
    "How to print\n"
    "  -x, --field-separator SEP  separated values, perf's columns first\n"
    "  -j, --json            one JSON object a line, perf's keys first\n"
    "  -o, --output FILE     report to a file\n"
    "      --append          add to the file\n"
    "  -B, --big-num         thousands separators (default); --no-big-num: none\n"
    "      --color WHEN      auto, always or never\n"
    "  -h, --help            this text\n"
    "\n"
    "Examples\n"
    "  armpmu guest --irq spi:100 -- qemu-system-arm -M virt -cpu cortex-a15 -nographic \\\n"
    "      -dtb virt-a8.dtb -kernel vmlinuz -initrd initrd -append console=ttyAMA0\n"
    "  armpmu guest --machine neoverse-n2 --amu enabled -- qemu-system-aarch64 -M virt \\\n"
    "      -cpu neoverse-n2 -nographic -kernel vmlinuz -initrd initrd -append console=ttyAMA0\n"
    "  armpmu guest -I 100 -e cycles,instructions -- qemu-system-arm ...\n"
    "  qemu-system-arm $(armpmu guest --irq spi:100 --print-args) -M virt ...\n"
    "\n"
    "Exit status: QEMU's; 128+N when signal N to armpmu or to QEMU ended it; 125 when armpmu\n"
    "failed, 126 when QEMU cannot be run or its machine did not start, 127 when it is not there.\n";

enum guest_option {
    OPTION_IRQ = OPTIONS_OF_STAT,
    OPTION_AMU,
    OPTION_FRAME,
    OPTION_ACCESSES,
    OPTION_PER_CPU,
    OPTION_PRINT_ARGS,
};

static const struct option long_options[] = {
    {"event", required_argument, NULL, 'e'},
    {"per-cpu", no_argument, NULL, OPTION_PER_CPU},
    {"interval", required_argument, NULL, 'I'},
    {"interval-print", required_argument, NULL, 'I'}, /* perf's spelling */
    {"machine", required_argument, NULL, OPTION_MACHINE},
    {"irq", required_argument, NULL, OPTION_IRQ},
    {"amu", required_argument, NULL, OPTION_AMU},
    {"frame", required_argument, NULL, OPTION_FRAME},
    {"accesses", required_argument, NULL, OPTION_ACCESSES},
    {"keep-running", no_argument, NULL, OPTION_KEEP_RUNNING},
    {"print-args", no_argument, NULL, OPTION_PRINT_ARGS},
    {"field-separator", required_argument, NULL, 'x'},
    {"json", no_argument, NULL, 'j'},
    {"json-output", no_argument, NULL, 'j'}, /* perf's spelling */
    {"output", required_argument, NULL, 'o'},
    {"append", no_argument, NULL, OPTION_APPEND},
    {"big-num", no_argument, NULL, 'B'},
    {"no-big-num", no_argument, NULL, OPTION_NO_BIG_NUM},
    {"color", required_argument, NULL, OPTION_COLOR},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static enum armpmu_status set(void *options, int option, const char *value,
                              struct armpmu_error *err)
{
    struct guest_options *const o = options;

    switch (option) {
    case OPTION_IRQ:
        return guest_irq_translate(value, o->irq, err);
    case OPTION_AMU:
        return guest_amu_parse(value, o->amu, err);
    case OPTION_FRAME:
        o->frame = value;
        return guest_frame_check(value, err);
    case OPTION_ACCESSES:
        o->accesses = value;
        return ARMPMU_OK;
    case OPTION_PER_CPU:
        o->per_cpu = true;
        return ARMPMU_OK;
    case OPTION_PRINT_ARGS:
        o->print_args = true;
        return ARMPMU_OK;
    }
    const enum armpmu_status status = stat_options_set(&o->report, option, value, err);
    if (status == ARMPMU_OK && o->report.interval == INTERVAL_INSTRUCTIONS)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "-I '%.40s': intervals of a machine are in time: milliseconds like 10, or "
                    "cycles like 100000c",
                    value);
    return status;
}

enum armpmu_status guest_options_parse(struct guest_options *o, int argc, char **argv,
                                       struct armpmu_error *err)
{
    static const struct option_grammar grammar = {"guest", "+:e:I:x:jo:Bh", long_options, set};

    *o = (struct guest_options){.report = {.runs = 1, .big_numbers = true}};
    const enum armpmu_status status =
        option_grammar_parse(&grammar, argc, argv, o, &o->report.program, err);
    if (status != ARMPMU_OK || o->report.help)
        return status;
    return stat_options_check(&o->report, err);
}

void guest_options_free(struct guest_options *o)
{
    stat_options_free(&o->report);
}
