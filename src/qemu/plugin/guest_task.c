/* Finds the task of a Linux guest that runs on a processor, for a profile.
 *
 * The kernel keeps a pointer to the task that runs in a register: in SP_EL0 on AArch64, in TPIDRURO
 * on AArch32 (CONFIG_CURRENT_POINTER_IN_TPIDRURO, from 5.16 on). Programs have values of their own
 * there, which are no addresses of the kernel. The first task is the idle task, "swapper": that
 * text says where in a task its name is. Where its number is follows from kthreadd, which is task 2
 * of every kernel.
 *
 *   task: ... pid tgid ... comm[16] ...
 *
 * A program begins in the task that executed it: the name is looked at again when User mode is
 * entered after translation tables changed. A context of the profile is a task with a number and a
 * program's name; one that gets its name before it enters User mode, as threads of the kernel do,
 * stays the same.
 *
 * Where no task is found (another system, an older 32-bit kernel) contexts are address spaces, by
 * TTBR0. Does not see: namespaces; numbers are those of the machine. */
#include "qemu/plugin/guest_report.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "isa/system_insn.h"
#include "qemu/plugin/guest_translation.h"

#define TASK_NAME_BYTES 16u       /* TASK_COMM_LEN */
#define TASK_BYTES      8192u     /* that the name and the number are looked for in */
#define IDLE_TRIES      4096u     /* of values that are no idle task */
#define NUMBERS_MAX     0x400000u /* PID_MAX_LIMIT */

/* A context of the profile, from number 1. */
struct task {
    uint64_t pointer, physical; /* its address; 0 of an address space */
    uint64_t tables;            /* of an address space: TTBR0 */
    uint32_t pid, tgid;         /* 0 until it is known where they are, and of idle tasks */
    bool ran_program;           /* in User mode */
    char name[TASK_NAME_BYTES + 1];
};

static struct {
    pthread_mutex_t lock;
    struct task *tasks;
    size_t n, room;
    unsigned tries;
    bool has_names, has_numbers;
    uint64_t kernel; /* the kernel's addresses begin here */
    size_t name_at, number_at;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The task of each processor. */
static struct running {
    uint32_t context;    /* that the model was told, 0 at first */
    uint64_t task;       /* its address; 0: none is known */
    uint64_t tables;     /* TTBR0 */
    bool tables_changed; /* since User mode was entered last */
} running[GUEST_CPUS_MAX];

/* ---- what is in a task ---- */

static void read_name(const struct task *task, char name[TASK_NAME_BYTES + 1])
{
    memset(name, 0, TASK_NAME_BYTES + 1);
    (void)qemu_api_memory_read(task->physical + known.name_at, name, TASK_NAME_BYTES);
    for (char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

static bool is_idle_name(const char *name)
{
    static const char idle[] = "swapper";

    return strncmp(name, idle, sizeof idle - 1) == 0 &&
           (name[sizeof idle - 1] == '\0' || name[sizeof idle - 1] == '/');
}

/* Returns whether it is the idle task at that address; then names are known. */
static bool find_names(uint64_t pointer, uint64_t physical)
{
    static char bytes[TASK_BYTES]; /* under the lock */

    if (!qemu_api_memory_read(physical, bytes, sizeof bytes))
        return false;
    for (size_t at = 0; at + TASK_NAME_BYTES <= sizeof bytes; at += 4) {
        if (!is_idle_name(bytes + at))
            continue;
        known.name_at = at;
        known.kernel = guest.state == &guest_aarch64 ? UINT64_C(1) << 63 : pointer & 0xc0000000;
        return known.has_names = true;
    }
    return false;
}

static bool read_pair(const struct task *task, size_t at, uint32_t pair[2])
{
    return qemu_api_memory_read(task->physical + at, pair, 2 * sizeof pair[0]);
}

static void read_numbers(struct task *task)
{
    uint32_t pair[2];

    if (!known.has_numbers || !read_pair(task, known.number_at, pair) || pair[0] > NUMBERS_MAX)
        return;
    task->pid = pair[0];
    task->tgid = pair[1];
}

/* Returns whether a task's number and its process's could be there. */
static bool could_be_numbers(const struct task *task, size_t at)
{
    uint32_t pair[2];

    if (task->pointer == 0)
        return true;
    if (!read_pair(task, at, pair) || pair[0] != pair[1])
        return false;
    if (strcmp(task->name, "kthreadd") == 0)
        return pair[0] == 2;
    if (is_idle_name(task->name)) /* 1: that of init, until it executes its program */
        return pair[0] <= 1 && (task != &known.tasks[0] || pair[0] == 0);
    return pair[0] > 0 && pair[0] < NUMBERS_MAX;
}

/* kthreadd has its name. */
static void find_numbers(void)
{
    for (size_t at = 0; at < TASK_BYTES && !known.has_numbers; at += 4) {
        size_t i = 0;
        while (i < known.n && could_be_numbers(&known.tasks[i], at))
            i++;
        known.has_numbers = i == known.n;
        known.number_at = at;
    }
    for (size_t i = 0; i < known.n; i++)
        read_numbers(&known.tasks[i]);
}

/* ---- contexts ---- */

static uint32_t add(const struct task *task)
{
    if (!ARRAY_RESERVE(known.tasks, known.room, known.n + 1))
        guest_die("out of memory for the guest's tasks");
    known.tasks[known.n++] = *task;
    return (uint32_t)known.n;
}

/* The latest context of a task; 0 for none. Numbers tell a task from an older one at its address.
 */
static uint32_t latest_of(const struct task *task)
{
    for (size_t i = known.n; i-- > 0;)
        if (known.tasks[i].pointer == task->pointer && known.tasks[i].pid == task->pid)
            return (uint32_t)i + 1;
    return 0;
}

/* The context of a task from here on, by its name. */
static uint32_t context_of_name(uint32_t context, const char *name)
{
    struct task task = known.tasks[context - 1];

    if (strcmp(task.name, name) == 0)
        return context;
    memcpy(task.name, name, sizeof task.name);
    if (task.ran_program)
        return add(&task);
    known.tasks[context - 1] = task;
    return context;
}

static uint32_t context_of(uint64_t pointer, uint64_t physical)
{
    struct task task = {.pointer = pointer, .physical = physical};

    if (!known.has_names && !find_names(pointer, physical))
        return 0;
    read_name(&task, task.name);
    read_numbers(&task);
    uint32_t context = latest_of(&task);
    context = context == 0 ? add(&task) : context_of_name(context, task.name);
    if (!known.has_numbers && strcmp(task.name, "kthreadd") == 0)
        find_numbers();
    return context;
}

/* The context of the program that a task continues in User mode. */
static uint32_t context_of_program(uint32_t context)
{
    char name[TASK_NAME_BYTES + 1];

    read_name(&known.tasks[context - 1], name);
    context = context_of_name(context, name);
    known.tasks[context - 1].ran_program = true;
    return context;
}

static uint32_t context_of_space(uint64_t tables)
{
    struct task space = {.tables = tables};

    for (size_t i = 0; i < known.n; i++)
        if (known.tasks[i].pointer == 0 && known.tasks[i].tables == tables)
            return (uint32_t)i + 1;
    snprintf(space.name, sizeof space.name, "0x%llx", (unsigned long long)(tables & 0xffffffffff));
    return add(&space);
}

static void go_on_in(struct guest_cpu *cpu, uint32_t context)
{
    if (context == running[cpu->number].context)
        return;
    running[cpu->number].context = context;
    guest_announce(cpu, armpmu_system_record(ARMPMU_SYSTEM_CONTEXT, 0) | context);
}

/* ---- registers ---- */

static bool is_task_register(const struct sysreg_insn *insn)
{
    return insn->at.access == ARMPMU_ACCESS_MSR
               ? insn->at.op1 == 0 && insn->at.crn == 4 && insn->at.crm == 1 && insn->at.op2 == 0
               : insn->at.access == ARMPMU_ACCESS_MCR && insn->at.op1 == 0 && insn->at.crn == 13 &&
                     insn->at.crm == 0 && insn->at.op2 == 3;
}

static bool is_tables_register(const struct sysreg_insn *insn)
{
    if (insn->at.access == ARMPMU_ACCESS_MCRR)
        return insn->at.op1 == 0 && insn->at.crm == 2;
    return insn->at.op1 == 0 && insn->at.crn == 2 && insn->at.crm == 0 && insn->at.op2 == 0;
}

static uint64_t read_rt(const struct guest_cpu *cpu, unsigned rt)
{
    if (cpu->a64 != NULL)
        return rt < 31 ? qemu_api_register_read(cpu->reg[rt]) : 0;
    return (uint32_t)qemu_api_register_read(cpu->reg[rt]);
}

static void on_task(unsigned vcpu, void *rt)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    const uint64_t pointer = read_rt(cpu, (unsigned)(uintptr_t)rt);
    uint64_t physical;

    if (pointer == running[vcpu].task || pointer == 0 || pointer % 8 != 0 ||
        (known.has_names ? pointer < known.kernel : known.tries == IDLE_TRIES) ||
        !qemu_api_qemu_plugin_translate_vaddr(pointer, &physical))
        return;
    pthread_mutex_lock(&known.lock);
    known.tries += !known.has_names;
    const uint32_t context = context_of(pointer, physical);
    pthread_mutex_unlock(&known.lock);
    if (context == 0)
        return;
    running[vcpu].task = pointer;
    go_on_in(cpu, context);
}

static void on_tables(unsigned vcpu, void *rt)
{
    running[vcpu].tables = read_rt(guest.cpus[vcpu], (unsigned)(uintptr_t)rt);
    running[vcpu].tables_changed = true;
}

void guest_task_watch(struct qemu_plugin_insn *insn, enum armpmu_isa isa, uint32_t word)
{
    struct sysreg_insn sysreg;
    const bool writes = isa == ARMPMU_A64 ? sysreg_insn_writes_a64(word, &sysreg)
                                          : sysreg_insn_writes_cp15(isa, word, &sysreg);
    const qemu_vcpu_udata_cb call = !writes                       ? NULL
                                    : is_task_register(&sysreg)   ? on_task
                                    : is_tables_register(&sysreg) ? on_tables
                                                                  : NULL;

    if (call != NULL)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, call, QEMU_CB_R_REGS,
                                               (void *)(uintptr_t)sysreg.rt);
}

void guest_task_enters_user(struct guest_cpu *cpu)
{
    struct running *const now = &running[cpu->number];

    if (!now->tables_changed)
        return;
    now->tables_changed = false;
    pthread_mutex_lock(&known.lock);
    const uint32_t context =
        now->task != 0 ? context_of_program(now->context) : context_of_space(now->tables);
    pthread_mutex_unlock(&known.lock);
    go_on_in(cpu, context);
}

void guest_task_write(FILE *stream)
{
    for (size_t i = 0; i < known.n; i++)
        fprintf(stream, "task %zu %s %u %u %s\n", i + 1,
                known.tasks[i].pointer == 0 ? "space" : "task", known.tasks[i].tgid,
                known.tasks[i].pid, known.tasks[i].name);
}
