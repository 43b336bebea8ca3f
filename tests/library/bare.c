/* The device library with no C library under it: a program for Linux on Arm that starts by itself,
 * makes its own system calls, and provides what a compiler asks of every environment. Exits with
 * the number of the first step that failed, 0 if none did. */
#include "armpmu/pmu.h"

enum { SYSTEM_EXIT = 1, SYSTEM_WRITE = 4 };

/* Volatile: else the compiler may see memcpy in the loop, and call it. */
void *memcpy(void *to, const void *from, size_t bytes);
void *memcpy(void *to, const void *from, size_t bytes)
{
    volatile unsigned char *const target = to;

    for (size_t i = 0; i < bytes; i++)
        target[i] = ((const unsigned char *)from)[i];
    return to;
}

void *memset(void *to, int byte, size_t bytes);
void *memset(void *to, int byte, size_t bytes)
{
    volatile unsigned char *const target = to;

    for (size_t i = 0; i < bytes; i++)
        target[i] = (unsigned char)byte;
    return to;
}

static int system_call(int number, int first, const void *second, size_t third)
{
    register int r0 __asm__("r0") = first;
    register const void *r1 __asm__("r1") = second;
    register size_t r2 __asm__("r2") = third;
    register int r12 __asm__("r12") = number;

    /* The number goes in r7, which may be the frame pointer. */
    __asm__ volatile("push {r7}\n\tmov r7, r12\n\tsvc 0\n\tpop {r7}"
                     : "+r"(r0)
                     : "r"(r1), "r"(r2), "r"(r12)
                     : "memory");
    return r0;
}

static union armpmu_memory memory;
static struct armpmu *pmu;
static unsigned interrupts;

static void drive_irq(void *user, enum armpmu_output output, bool asserted)
{
    *(unsigned *)user += output == ARMPMU_OUTPUT_PMUIRQ && asserted;
}

static uint32_t read(unsigned crm, unsigned op2)
{
    uint32_t value = 0xdeadbeef;
    return armpmu_mrc(pmu, 15, 0, 9, crm, op2, &value) == ARMPMU_DONE ? value : 0xbadacce5;
}

static bool write(unsigned crm, unsigned op2, uint32_t value)
{
    return armpmu_mcr(pmu, 15, 0, 9, crm, op2, value) == ARMPMU_DONE;
}

static bool a_mistake_is_explained(void)
{
    const struct armpmu_config config = {.core = "cortex-a80"};
    static struct armpmu_error error;

    return armpmu_create(&memory, sizeof memory, &config, &pmu, &error) == ARMPMU_NOT_FOUND &&
           pmu == NULL && error.message[0] != '\0';
}

static bool a_device_is_created(void)
{
    const struct armpmu_config config = {
        .core = "cortex-a8", .output = drive_irq, .user = &interrupts};

    return armpmu_create(&memory, sizeof memory, &config, &pmu, NULL) == ARMPMU_OK &&
           read(12, 0) == 0x41002000;
}

/* PMCNT1 counts loads and is ten short of its end; CCNT counts every 64th cycle. */
static bool it_is_programmed(void)
{
    return write(12, 5, 1) && write(13, 1, 0x06) && write(13, 2, 0xfffffff6) && write(14, 1, 0x2) &&
           write(12, 1, 0x80000002) && write(12, 0, 0xd) && read(13, 2) == 0xfffffff6;
}

static bool it_counts(void)
{
    for (int i = 0; i < 9; i++)
        armpmu_post(pmu, ARMPMU_SIGNAL_LOAD_RETIRED, 1);
    armpmu_post(pmu, ARMPMU_SIGNAL_STORE_RETIRED, 1000);
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 6463);
    return read(13, 2) == 0xffffffff && read(13, 0) == 100 && interrupts == 0;
}

static bool it_interrupts_at_the_tenth(void)
{
    armpmu_post(pmu, ARMPMU_SIGNAL_LOAD_RETIRED, 1);
    return interrupts == 1 && armpmu_output(pmu, ARMPMU_OUTPUT_PMUIRQ) && read(12, 3) == 0x2 &&
           write(12, 3, 0x2) && !armpmu_output(pmu, ARMPMU_OUTPUT_PMUIRQ);
}

static bool a_snapshot_comes_back(void)
{
    static uint64_t snapshot[ARMPMU_DEVICE_BYTES / sizeof(uint64_t)];
    const size_t bytes = armpmu_snapshot_bytes(pmu);

    armpmu_snapshot(pmu, snapshot);
    armpmu_post(pmu, ARMPMU_SIGNAL_LOAD_RETIRED, 5);
    return read(13, 2) == 5 && armpmu_restore(pmu, snapshot, bytes, NULL) == ARMPMU_OK &&
           read(13, 2) == 0;
}

static bool user_mode_is_refused(void)
{
    uint32_t value = 1;

    armpmu_set_pin(pmu, ARMPMU_PIN_USER_MODE, 1);
    return armpmu_mrc(pmu, 15, 0, 9, 13, 0, &value) == ARMPMU_UNDEFINED && value == 1;
}

static const struct {
    const char *name;
    bool (*passes)(void);
} steps[] = {
    {"a mistake is explained", a_mistake_is_explained},
    {"a device is created", a_device_is_created},
    {"it is programmed", it_is_programmed},
    {"it counts", it_counts},
    {"it interrupts at the tenth load", it_interrupts_at_the_tenth},
    {"a snapshot comes back", a_snapshot_comes_back},
    {"User mode is refused", user_mode_is_refused},
};

static void print(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0')
        length++;
    system_call(SYSTEM_WRITE, 1, text, length);
}

__attribute__((noreturn, used)) static void run(void)
{
    int failed = 0;

    for (unsigned i = 0; i < sizeof steps / sizeof steps[0] && failed == 0; i++) {
        failed = steps[i].passes() ? 0 : (int)i + 1;
        print(failed == 0 ? "passed: " : "FAILED: ");
        print(steps[i].name);
        print("\n");
    }
    for (;;)
        system_call(SYSTEM_EXIT, failed, NULL, 0);
}

void _start(void);
__attribute__((naked)) void _start(void)
{
    __asm__ volatile("bl run");
}
