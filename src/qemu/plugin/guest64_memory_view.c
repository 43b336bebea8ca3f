/* The memory-mapped view of the activity monitors: frame=ADDRESS names a page of the machine's
 * memory, ADDRESS:STRIDE one for each processor. The value of a load from there is replaced by
 * the device's answer.
 *
 * The plugin interface has no devices of its own: there must be memory at that address, which
 * the guest leaves alone. Loads are those of general registers, one at a time, that is what
 * drivers use; others, and loads of another processor's page, read the memory. Stores reach the
 * memory and nothing else: the view is read-only.
 *
 * An instruction that is seen to read there for the first time begins again, as a code block of
 * its own: then everything before it has been counted. */
#include "qemu/plugin/guest64.h"

#include <stdlib.h>
#include <string.h>

static struct {
    bool present;
    uint64_t base, stride;
} frame;

/* A load, by its place and its word. */
struct frame_load {
    uint64_t address;
    uint32_t word;
    bool reads_frame; /* it did once */
    struct frame_load *next;
};

#define SLOTS 4096u

static struct frame_load *hooks[SLOTS]; /* under the lock of the translation */

const char *guest64_memory_view_parse(const char *text)
{
    static const char wrong[] =
        "frame: an address, a multiple of 4096, and where each processor has one of its own the "
        "distance between two after ':'";
    char *end;

    frame.base = strtoull(text, &end, 0);
    if (*end == ':')
        frame.stride = strtoull(end + 1, &end, 0);
    if (end == text || *end != '\0' || frame.base % ARMPMU_AMU_FRAME_BYTES != 0 ||
        frame.stride % ARMPMU_AMU_FRAME_BYTES != 0)
        return wrong;
    frame.present = true;
    return NULL;
}

/* LDR and its narrower and signed forms; by offset, unscaled, with write-back, by a register. */
static bool is_plain_load(uint32_t word)
{
    const uint32_t opc = word >> 22 & 3, size = word >> 30;
    const bool form = (word & 0x3f000000) == 0x39000000 || (word & 0x3f200000) == 0x38000000 ||
                      (word & 0x3f200c00) == 0x38200800;

    return form && opc != 0 && opc + size < 5;
}

/* The register's value, from the bytes that were read. */
static uint64_t extend(uint32_t word, uint64_t value)
{
    const uint32_t opc = word >> 22 & 3, bits = 8u << (word >> 30);

    if (opc == 1 || bits == 64)
        return value;
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    const uint64_t extended = (value ^ sign) - sign;
    return opc == 2 ? extended : extended & UINT32_MAX;
}

/* The offset in the processor's frame, ARMPMU_AMU_FRAME_BYTES where it is not there. */
static uint64_t offset_of(unsigned vcpu, uint32_t info, uint64_t address)
{
    const struct qemu_plugin_hwaddr *const hw = qemu_api_qemu_plugin_get_hwaddr(info, address);

    if (hw == NULL || qemu_api_qemu_plugin_hwaddr_is_io(hw))
        return ARMPMU_AMU_FRAME_BYTES;
    const uint64_t offset =
        qemu_api_qemu_plugin_hwaddr_phys_addr(hw) - frame.base - vcpu * frame.stride;
    return offset < ARMPMU_AMU_FRAME_BYTES ? offset : ARMPMU_AMU_FRAME_BYTES;
}

/* The register of the address, where the load has taken its place: it is the address less what the
 * instruction adds. False where that is another register. */
static bool restore_base(struct guest_cpu *cpu, uint32_t word, uint64_t address)
{
    const unsigned rt = word & 31, rn = word >> 5 & 31, rm = word >> 16 & 31;
    const bool by_register = (word & 0x3f200c00) == 0x38200800;
    const bool scaled = (word & 0x3f000000) == 0x39000000;
    const int64_t unscaled = (int64_t)(int32_t)(word << 11) >> 23;
    const uint64_t offset =
        scaled ? (uint64_t)(word >> 10 & 0xfff) << (word >> 30) : (uint64_t)unscaled;

    if (rt == ZERO_REGISTER || (rt != rn && !(by_register && rt == rm)))
        return true;
    if (by_register)
        return false;
    qemu_api_register_write(cpu->reg[rt], address - offset);
    return true;
}

/* Written again, the code is translated again. False if the instruction cannot begin again: then
 * this one read shows what was counted last. */
static bool begin_anew(struct guest_cpu *cpu, struct frame_load *hook, uint64_t address)
{
    uint8_t code[4];

    memcpy(code, &hook->word, sizeof code);
    hook->reads_frame = true;
    if (!qemu_api_code_write(hook->address, code, sizeof code) ||
        !restore_base(cpu, hook->word, address))
        return false;
    qemu_api_qemu_plugin_set_pc(hook->address);
    return true;
}

static void on_load(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
    struct frame_load *const hook = user;
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    const uint64_t offset = offset_of(vcpu, info, address);
    const struct armpmu_register *reg;
    uint64_t value = 0;

    if (offset == ARMPMU_AMU_FRAME_BYTES)
        return;
    if (!hook->reads_frame && begin_anew(cpu, hook, address))
        return;
    if (armpmu_load(monitors_with(&cpu->monitors, "AMCFGR", &reg), (uint32_t)offset,
                    1u << qemu_plugin_mem_size_shift(info), &value) == ARMPMU_DONE &&
        (hook->word & 31) != ZERO_REGISTER)
        qemu_api_register_write(cpu->reg[hook->word & 31], extend(hook->word, value));
}

static struct frame_load *hook_at(uint64_t address, uint32_t word)
{
    struct frame_load **const slot = &hooks[(address >> 2 ^ address >> 14) % SLOTS];

    for (struct frame_load *hook = *slot; hook != NULL; hook = hook->next)
        if (hook->address == address && hook->word == word)
            return hook;
    struct frame_load *const hook = malloc(sizeof *hook);
    if (hook == NULL)
        guest_die("out of memory for the guest's code");
    *hook = (struct frame_load){.address = address, .word = word, .next = *slot};
    return *slot = hook;
}

bool guest64_memory_view_watch(struct qemu_plugin_insn *insn, uint64_t address, uint32_t word)
{
    if (!frame.present || !is_plain_load(word))
        return false;
    struct frame_load *const hook = hook_at(address, word);
    qemu_plugin_register_vcpu_mem_cb(insn, on_load, QEMU_CB_RW_REGS_PC, QEMU_MEM_READ, hook);
    return hook->reads_frame;
}

void guest64_memory_view_access(unsigned vcpu, void *user)
{
    const struct pmu_access *const access = user;
    struct guest_cpu *const cpu = guest.cpus[vcpu];

    guest_enter(cpu, access->before);
    guest_run(cpu);
    guest_enter(cpu, access->own);
}
