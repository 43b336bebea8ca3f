/* Value change dumps, as wave viewers read them.
 *
 * Source: IEEE 1364, value change dump files. Time is in cycles of the core: a wave is exact where
 * the model has counted up to, which with waves is at every block. */
#include "unicorn/vcd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/printable.h"
#include "unicorn/board.h"
#include "unicorn/firmware.h"

#define WIRES_MAX 256u

/* A wire: bits of a register, an output, or a line of the interrupt controller. */
struct wire {
    const struct armpmu_register *reg; /* NULL: .line or the bus */
    unsigned element, lsb, bits;
    enum { WIRE_REGISTER, WIRE_OUTPUT, WIRE_IRQ, WIRE_FIQ, WIRE_BUS } kind;
    enum armpmu_output output;
    uint64_t value;
    bool known;
};

struct vcd {
    FILE *stream;
    struct wire wires[WIRES_MAX];
    unsigned n;
    uint64_t time;
    bool begun;
    uint64_t bus; /* since the last look */
};

/* A short name of printable characters. */
static void name_of(unsigned n, char name[4])
{
    name[0] = (char)('!' + n % 90);
    name[1] = n >= 90 ? (char)('!' + n / 90) : '\0';
    name[2] = '\0';
}

static void add_wire(struct vcd *vcd, const struct wire *wire, const char *name)
{
    char id[4];

    if (vcd->n == WIRES_MAX)
        return;
    name_of(vcd->n, id);
    fprintf(vcd->stream, "$var wire %u %s %s $end\n", wire->bits, id, name);
    vcd->wires[vcd->n++] = *wire;
}

/* what: "" of the count itself. */
static void add_place(struct vcd *vcd, const struct armpmu_core *core,
                      const struct armpmu_counter *counter, struct armpmu_slot_bit place,
                      const char *what)
{
    struct monitor_place found;
    char name[64];

    if (!monitors_place(core, place, &found))
        return;
    const struct wire wire = {.reg = found.reg,
                              .element = found.element,
                              .lsb = found.lsb,
                              .bits = *what == '\0' ? counter->bits : 1,
                              .kind = WIRE_REGISTER};
    snprintf(name, sizeof name, "%s%s", counter->name, what);
    add_wire(vcd, &wire, name);
}

static void add_wires(struct vcd *vcd, const struct armpmu_core *core)
{
    for (size_t i = 0; i < core->n_counters; i++) {
        const struct armpmu_counter *const counter = &core->counters[i];
        add_place(vcd, core, counter, counter->count, "");
        add_place(vcd, core, counter, counter->enable, "_enable");
        add_place(vcd, core, counter, counter->flag, "_flag");
        add_place(vcd, core, counter, counter->interrupt, "_interrupt");
    }
    for (unsigned output = 0; output < ARMPMU_OUTPUT_COUNT; output++) {
        const struct wire wire = {
            .bits = 1, .kind = WIRE_OUTPUT, .output = (enum armpmu_output)output};
        char name[32];
        snprintf(name, sizeof name, "%s", armpmu_output_name(wire.output));
        for (char *c = name; *c != '\0'; c++)
            *c = *c == ' ' ? '_' : *c;
        add_wire(vcd, &wire, name);
    }
    add_wire(vcd, &(struct wire){.bits = 1, .kind = WIRE_IRQ}, "IRQ");
    add_wire(vcd, &(struct wire){.bits = 1, .kind = WIRE_FIQ}, "FIQ");
    add_wire(vcd, &(struct wire){.bits = 64, .kind = WIRE_BUS}, "EVNTBUS");
}

enum armpmu_status vcd_open(struct firmware *fw, struct armpmu_error *err)
{
    const struct armpmu_core *const core = armpmu_machine_core(fw->run->machine);
    struct vcd *const vcd = calloc(1, sizeof *vcd);
    char machine[256];

    if (vcd == NULL)
        return fail_no_memory(err, "the waves");
    fw->vcd = vcd;
    vcd->stream = fw->setup->vcd;
    printable(armpmu_machine_name(fw->run->machine), machine, sizeof machine);
    for (char *c = machine; *c != '\0'; c++)
        *c = *c == '$' ? '_' : *c; /* "$end" would end the comment */
    fprintf(vcd->stream,
            "$comment armpmu %s, machine %s; time is in cycles of the core $end\n"
            "$timescale 1 ns $end\n$scope module %s $end\n",
            armpmu_version, machine, core->pmu);
    add_wires(vcd, core);
    fputs("$upscope $end\n$enddefinitions $end\n", vcd->stream);
    return ARMPMU_OK;
}

static uint64_t value_of(struct firmware *fw, const struct wire *wire)
{
    const uint64_t mask = wire->bits < 64 ? (UINT64_C(1) << wire->bits) - 1 : UINT64_MAX;

    switch (wire->kind) {
    case WIRE_REGISTER:
        return armpmu_peek(monitors_own(&fw->monitors), wire->reg, wire->element) >> wire->lsb &
               mask;
    case WIRE_OUTPUT:
        return armpmu_output(monitors_own(&fw->monitors), wire->output) !=
               armpmu_output_is_active_low(wire->output);
    case WIRE_IRQ:
        return board_irqs(fw->board) != 0;
    case WIRE_FIQ:
        return board_fiqs(fw->board) != 0;
    case WIRE_BUS:
        return fw->vcd->bus;
    }
    return 0;
}

static void write_value(FILE *stream, const struct wire *wire, unsigned n)
{
    char id[4];

    name_of(n, id);
    if (wire->bits == 1) {
        fprintf(stream, "%c%s\n", wire->value != 0 ? '1' : '0', id);
        return;
    }
    putc('b', stream);
    unsigned bit = wire->bits;
    while (bit > 1 && (wire->value >> (bit - 1) & 1) == 0)
        bit--;
    while (bit-- > 0)
        putc(wire->value >> bit & 1 ? '1' : '0', stream);
    fprintf(stream, " %s\n", id);
}

void vcd_follow(struct firmware *fw)
{
    struct vcd *const vcd = fw->vcd;
    const uint64_t now = fw->signals[ARMPMU_SIGNAL_CPU_CYCLES];

    for (unsigned i = 0; i < vcd->n; i++) {
        struct wire *const wire = &vcd->wires[i];
        const uint64_t value = value_of(fw, wire);
        if (wire->known && wire->value == value)
            continue;
        if (!vcd->begun || vcd->time != now)
            fprintf(vcd->stream, "#%" PRIu64 "\n", now);
        vcd->begun = true;
        vcd->time = now;
        wire->value = value;
        wire->known = true;
        write_value(vcd->stream, wire, i);
    }
    vcd->bus = 0;
    if (ferror(vcd->stream) != 0)
        firmware_abandon(fw);
}

void vcd_bus(struct firmware *fw, uint64_t bits)
{
    fw->vcd->bus |= bits;
}

void vcd_close(struct firmware *fw)
{
    if (fw->vcd == NULL)
        return;
    if (fw->result->end != ENGINE_FIRMWARE_FAILED) /* else it is no whole run's */
        fprintf(fw->vcd->stream, "#%" PRIu64 "\n", fw->signals[ARMPMU_SIGNAL_CPU_CYCLES]);
    free(fw->vcd);
    fw->vcd = NULL;
}
