/* Runs a command and lets one of its system calls fail: of those with which it writes what a user
 * reads.
 *
 * usage: break-calls HOW N REPORT COMMAND [ARGUMENT]...
 *
 * HOW: the name of an error (ENOSPC, EINTR, EPIPE, EIO), or "short": a write of half the bytes, at
 * least one. N: which call, from 1; 0 for none. REPORT: a file for "N-OF-CALLS CALL FD PATH", the
 * last three of the broken call. The exit status is the command's, 128 + the signal that killed it,
 * 120 where calls cannot be broken.
 *
 * Calls counted: write, writev and pwrite64 to a file, a device or standard output or error; openat
 * that may write; ftruncate, fsync, fchmod and close of what that opened; rename. Pipes, sockets,
 * memfds and /dev/null are internal. Threads are followed, other processes run freely. A call is
 * broken for the kernel, so nothing of the C library is in the way. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
typedef struct user_regs_struct registers;
#define NUMBER(r)    (r).orig_rax
#define RESULT(r)    (r).rax
#define ARGUMENT0(r) (r).rdi
#define ARGUMENT1(r) (r).rsi
#define ARGUMENT2(r) (r).rdx
#elif defined(__aarch64__)
typedef struct user_regs_struct registers;
#define NUMBER(r)    (r).regs[8]
#define RESULT(r)    (r).regs[0]
#define ARGUMENT0(r) (r).regs[0]
#define ARGUMENT1(r) (r).regs[1]
#define ARGUMENT2(r) (r).regs[2]
#else
#define NO_TRACER 1
#endif

#define CANNOT      120
#define THREADS_MAX 256
#define FILES_MAX   1024

#ifdef NO_TRACER
int main(void)
{
    return CANNOT;
}
#else

static const struct {
    const char *name;
    int number;
} errors[] = {{"ENOSPC", ENOSPC}, {"EINTR", EINTR}, {"EPIPE", EPIPE}, {"EIO", EIO}, {"short", 0}};

struct thread {
    pid_t id;
    bool inside;   /* a call has begun */
    bool breaking; /* and is the one */
    bool opening;  /* and opens a file to write */
};

static struct {
    int error; /* 0: short */
    unsigned long wanted, n;
    pid_t process;
    struct thread threads[THREADS_MAX];
    unsigned n_threads;
    bool opened[FILES_MAX]; /* to write, by number */
    char broken[PATH_MAX + 64];
} job;

static void die(const char *what)
{
    perror(what);
    exit(CANNOT);
}

static struct thread *thread_of(pid_t id)
{
    for (unsigned i = 0; i < job.n_threads; i++)
        if (job.threads[i].id == id)
            return &job.threads[i];
    if (job.n_threads == THREADS_MAX)
        die("too many threads");
    job.threads[job.n_threads] = (struct thread){.id = id};
    return &job.threads[job.n_threads++];
}

static void get(pid_t id, registers *r)
{
    struct iovec all = {r, sizeof *r};
    if (ptrace(PTRACE_GETREGSET, id, (void *)NT_PRSTATUS, &all) != 0)
        memset(r, 0, sizeof *r);
}

static void set(pid_t id, registers *r)
{
    struct iovec all = {r, sizeof *r};
    ptrace(PTRACE_SETREGSET, id, (void *)NT_PRSTATUS, &all);
}

/* Another number for the call that begins. */
static void set_number(pid_t id, registers *r, long number)
{
#if defined(__aarch64__)
    int n = (int)number;
    struct iovec one = {&n, sizeof n};
    (void)r;
    ptrace(PTRACE_SETREGSET, id, (void *)NT_ARM_SYSTEM_CALL, &one);
#else
    r->orig_rax = (unsigned long long)number;
    set(id, r);
#endif
}

/* What a descriptor leads to; "" for what is internal. */
static void path_of(int fd, char path[PATH_MAX])
{
    static const char *const internal[] = {
        "pipe:", "socket:", "anon_inode:", "/memfd:", "/dev/null", "/proc/"};
    char link[64];

    snprintf(link, sizeof link, "/proc/%ld/fd/%d", (long)job.process, fd);
    const ssize_t n = readlink(link, path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
    if (fd == STDOUT_FILENO || fd == STDERR_FILENO)
        return;
    for (size_t i = 0; i < sizeof internal / sizeof internal[0]; i++)
        if (strncmp(path, internal[i], strlen(internal[i])) == 0)
            path[0] = '\0';
}

static void read_text(uint64_t address, char text[PATH_MAX])
{
    struct iovec to = {text, PATH_MAX - 1}, from = {(void *)(uintptr_t)address, PATH_MAX - 1};

    memset(text, 0, PATH_MAX);
    /* Up to the end of the page, where the next is not there. */
    if (process_vm_readv(job.process, &to, 1, &from, 1, 0) < 0) {
        from.iov_len = to.iov_len =
            4096 - address % 4096 < PATH_MAX ? 4096 - address % 4096 : PATH_MAX - 1;
        (void)!process_vm_readv(job.process, &to, 1, &from, 1, 0);
    }
}

/* The name of a call that is counted, and what it writes to; NULL for others. */
static const char *name_of(registers *r, int *fd, char path[PATH_MAX])
{
    *fd = (int)ARGUMENT0(*r);
    switch (NUMBER(*r)) {
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
        path_of(*fd, path);
        return path[0] != '\0' ? "write" : NULL;
    case SYS_openat:
        *fd = -1;
        read_text(ARGUMENT1(*r), path);
        return (ARGUMENT2(*r) & (O_ACCMODE | O_CREAT)) != O_RDONLY && strcmp(path, "/dev/null") != 0
                   ? "open"
                   : NULL;
    case SYS_renameat2:
    case SYS_renameat:
#ifdef SYS_rename
    case SYS_rename:
#endif
        *fd = -1;
        path[0] = '\0';
        return "rename";
    case SYS_ftruncate:
    case SYS_fsync:
    case SYS_fchmod:
    case SYS_close:
        path_of(*fd, path);
        if (*fd < 0 || *fd >= FILES_MAX || !job.opened[*fd])
            return NULL;
        return NUMBER(*r) == SYS_close       ? "close"
               : NUMBER(*r) == SYS_fsync     ? "fsync"
               : NUMBER(*r) == SYS_ftruncate ? "truncate"
                                             : "chmod";
    }
    return NULL;
}

static void shorten(pid_t id, registers *r)
{
    if (NUMBER(*r) != SYS_write && NUMBER(*r) != SYS_pwrite64)
        return;
    ARGUMENT2(*r) = ARGUMENT2(*r) > 1 ? ARGUMENT2(*r) / 2 : ARGUMENT2(*r);
    set(id, r);
}

static void begin_call(struct thread *thread)
{
    registers r;
    char path[PATH_MAX];
    int fd;

    get(thread->id, &r);
    const char *const name = name_of(&r, &fd, path);
    thread->opening = name != NULL && NUMBER(r) == SYS_openat;
    if (NUMBER(r) == SYS_close && name != NULL)
        job.opened[fd] = false;
    if (name == NULL || ++job.n != job.wanted)
        return;
    snprintf(job.broken, sizeof job.broken, "%s %d %s", name, fd, path);
    if (job.error == 0) {
        shorten(thread->id, &r);
        return;
    }
    thread->breaking = true;
    /* A file is closed whatever close() returns. */
    if (NUMBER(r) != SYS_close)
        set_number(thread->id, &r, -1);
}

static void end_call(struct thread *thread)
{
    registers r;

    if (!thread->breaking && !thread->opening)
        return;
    get(thread->id, &r);
    if (!thread->breaking) {
        if (RESULT(r) < FILES_MAX)
            job.opened[RESULT(r)] = true;
        thread->opening = false;
        return;
    }
    thread->breaking = thread->opening = false;
    RESULT(r) = (unsigned long long)-(long long)job.error;
    set(thread->id, &r);
}

/* What a stopped thread goes on with: a signal to deliver. */
static int on_stop(pid_t id, int status)
{
    const int signal = WSTOPSIG(status);

    if (signal == (SIGTRAP | 0x80)) {
        struct thread *const thread = thread_of(id);
        thread->inside = !thread->inside;
        if (thread->inside)
            begin_call(thread);
        else
            end_call(thread);
        return 0;
    }
    if (status >> 16 != 0) /* an event */
        return 0;
    return signal == SIGSTOP ? 0 : signal;
}

static int follow(void)
{
    int status, last = CANNOT;

    for (pid_t id; (id = waitpid(-1, &status, __WALL)) > 0;) {
        if (WIFSTOPPED(status)) {
            const int signal = on_stop(id, status);
            ptrace(PTRACE_SYSCALL, id, NULL, (void *)(intptr_t)signal);
        } else if (id == job.process) {
            last = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        }
    }
    return last;
}

static void start(char **argv)
{
    int status;

    job.process = fork();
    if (job.process < 0)
        die("fork");
    if (job.process == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        execv(argv[0], argv);
        _exit(127);
    }
    if (waitpid(job.process, &status, 0) != job.process || !WIFSTOPPED(status))
        die("ptrace");
    if (ptrace(PTRACE_SETOPTIONS, job.process, NULL,
               (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
                        PTRACE_O_EXITKILL)) != 0)
        die("ptrace");
    ptrace(PTRACE_SYSCALL, job.process, NULL, NULL);
}

int main(int argc, char **argv)
{
    size_t how = 0;

    while (argc > 4 && how < sizeof errors / sizeof errors[0] &&
           strcmp(argv[1], errors[how].name) != 0)
        how++;
    if (argc < 5 || how == sizeof errors / sizeof errors[0])
        return CANNOT;
    job.error = errors[how].number;
    job.wanted = strtoul(argv[2], NULL, 10);
    start(&argv[4]);
    const int status = follow();
    FILE *const report = fopen(argv[3], "we");
    if (report == NULL)
        die(argv[3]);
    fprintf(report, "%lu %s\n", job.n, job.broken);
    return fclose(report) == 0 ? status : CANNOT;
}
#endif
