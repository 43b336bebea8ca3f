/* Two tasks that take turns on stacks of their own and call the same functions, as often as
 * tests/firmware/tasks.py says. SWITCH is how a task gives up the processor: SRS (SVC, as from
 * Armv6 on), LDM (SVC, with the registers of User mode, as before), CALL (a function that loads the
 * stack pointer), ERET (SVC of AArch64). NAMED: tasks have names, and with `current` defined as
 * pxCurrentTCB they are where FreeRTOS has them. */
#define ROUNDS      10
#define STACK_WORDS 128
#define CALLED      __attribute__((noinline, noclone))

struct task {
    unsigned long *sp; /* where assembly has it */
    unsigned long stack[STACK_WORDS];
#ifdef NAMED /* as FreeRTOS has it */
    volatile char pcTaskName[12];
#endif
};

struct task *current;
static struct task first, second, starter;
static volatile unsigned work, ended;

void choose(void);
void start_first(void);
void finish(void);
void switch_to(struct task *old, struct task *next);

void choose(void)
{
    current = current == &first ? &second : &first;
}

CALLED static void yield(void)
{
#ifdef SWITCH_CALL
    struct task *const old = current;
    choose();
    switch_to(old, current);
#else
    __asm__ volatile("svc #1" ::: "memory");
#endif
}

CALLED static void leaf(unsigned n)
{
    do
        work++;
    while (--n > 0);
}

CALLED static void twice(unsigned n)
{
    leaf(n);
    leaf(n);
    yield();
}

CALLED static void end(void)
{
    if (++ended == 2)
        finish();
    for (;;)
        yield();
}

static void task_one(void)
{
    for (unsigned i = 0; i < ROUNDS; i++)
        twice(3);
    end();
}

static void task_two(void)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        twice(50);
        leaf(7);
    }
    end();
}

/* A stack from which the task goes on: zeros for its registers, where it begins, and its state. */
static void make(struct task *task, void (*begin)(void), unsigned registers, unsigned long state)
{
    task->sp = task->stack + STACK_WORDS - registers - 2;
#ifdef SWITCH_ERET
    task->sp[0] = (unsigned long)begin;
    task->sp[1] = state;
#elif defined SWITCH_LDM
    task->sp[0] = state;
    task->sp[14] = (unsigned long)(task->stack + STACK_WORDS);
    task->sp[16] = (unsigned long)begin;
#else
    task->sp[registers] = (unsigned long)begin;
    task->sp[registers + 1] = state;
#endif
}

#ifdef NAMED
static void name(struct task *task, const char *text)
{
    for (unsigned i = 0; i == 0 || text[i - 1] != '\0'; i++)
        task->pcTaskName[i] = text[i];
}
#endif

void run(void);
void run(void)
{
#ifdef NAMED
    name(&first, "Blink");
    name(&second, "Log output");
#endif
#ifdef SWITCH_ERET
    const unsigned registers = 12;
    const unsigned long state = 0x3cc; /* EL3, SP_EL0 */
#elif defined SWITCH_LDM
    const unsigned registers = 15;
    const unsigned long state = 0x1f; /* System mode */
#elif defined SWITCH_SRS
    const unsigned registers = 14;
    const unsigned long state = 0x1f;
#else
    const unsigned registers = 8;
    const unsigned long state = 0;
#endif
    make(&first, task_one, registers, state);
    make(&second, task_two, registers, state);
    current = &first;
#ifdef SWITCH_CALL
    switch_to(&starter, &first);
#else
    (void)starter;
    start_first();
#endif
}
