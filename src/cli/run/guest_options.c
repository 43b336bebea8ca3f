#include "cli/run/guest_options.h"

#include "base/error.h"
#include "cli/machine_choice.h"

static enum armpmu_status set_interval(void *interval, const char *option, const char *value,
                                       struct armpmu_error *err)
{
    const enum armpmu_status status = interval_set(interval, option, value, err);

    if (status == ARMPMU_OK && ((struct interval_choice *)interval)->unit == INTERVAL_INSTRUCTIONS)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "%s '%.40s': intervals of a machine are in time: milliseconds like 10, or "
                    "cycles like 100000c",
                    option, value);
    return status;
}

const struct option_row guest_rows[] = {
    {.help = "What to count", .kind = OPTION_HEADING},
    {'e', "event", "LIST", "as in 'armpmu stat'; default: every event of the core",
     OPTION_LIST_TO(struct guest_options, report.events), .completes = COMPLETE_EVENTS},
    {0, "topdown", NULL, "where the cycles went: a tree of causes; events only with -e",
     OPTION_FLAG_TO(struct guest_options, report.topdown)},
    {0, "per-cpu", NULL, "a table for each processor of the machine",
     OPTION_FLAG_TO(struct guest_options, per_cpu)},
    {'I', "interval", "SPEC",
     "counts for every N simulated milliseconds (N) or cycles (Nc) of the first processor, while "
     "the machine runs",
     OPTION_CALL_TO(struct guest_options, report.run.interval, set_interval),
     .other_name = "interval-print"},
    {.help = "Target", .kind = OPTION_HEADING},
    OPTION_MACHINE_ROW(struct guest_options, report.run.machine),
    MACHINE_SETTING_ROWS_TO(struct guest_options, report.run.settings),
    {0, "irq", "LIST",
     "the monitor's overflow interrupt: none; spi:N or ppi:N as in the device tree; gic:N, an "
     "interrupt ID; vic:N of a PL190; gic@ADDRESS:N or vic@ADDRESS:N on machines unknown to "
     "armpmu; one for each processor, separated by ',', if each has its own; default: ppi:7 for "
     "PMUv3 on QEMU's virt, else none",
     OPTION_CALL_TO(struct guest_options, irq, guest_irq_translate)},
    {0, "amu", "LIST",
     "activity monitors of an AArch64 machine: enabled, their counters run as firmware leaves "
     "them; v1p1; group1:N, auxiliary counters; separated by ','",
     OPTION_CALL_TO(struct guest_options, amu, guest_amu_parse)},
    {0, "frame", "ADDRESS",
     "address of their memory-mapped view, which replaces a page of the machine's memory; "
     "ADDRESS:DISTANCE: one for each processor",
     OPTION_CALL_TO(struct guest_options, frame, guest_frame_set)},
    {0, "accesses", "FILE", "write to FILE which of their registers the guest accessed",
     OPTION_TEXT_TO(struct guest_options, accesses), .completes = COMPLETE_FILE},
    {0, "keep-running", NULL,
     "if armpmu is killed (kill -9), continue the machine instead of ending QEMU (SIGTERM)",
     OPTION_FLAG_TO(struct guest_options, report.run.keep_running)},
    {0, "print-args", NULL, "print arguments for your own QEMU command line, and exit",
     OPTION_FLAG_TO(struct guest_options, print_args)},
    {OPTION_ROWS_TO(struct guest_options, report.print, print_rows)},
    {.kind = OPTION_END},
};
