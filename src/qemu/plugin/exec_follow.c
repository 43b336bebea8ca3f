#include "qemu/plugin/exec_follow.h"

#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/array.h"
#include "qemu/plugin/exec_target.h"
#include "qemu/sysroot.h"

#define STRING_BYTES_MAX (128u << 10) /* of an argument, as Linux has it */
#define READ_BYTES       4096u
#define SIGNAL_OF_LIBC   32 /* used by threads, never blocked by a program */

/* QEMU's command line as armpmu writes it:
 *   QEMU options... -plugin OPTION -0 NAME [-E VARIABLE]... [-L SYSROOT] PROGRAM arguments... */
static struct {
    char *text;           /* all arguments, one after the other */
    const char **options; /* up to "-plugin" */
    size_t n_options, room;
    const char *plugin;     /* OPTION */
    const char *sysroot;    /* "" for none */
    char program[PATH_MAX]; /* without symbolic links */
    bool is_a64;
    _Atomic uint64_t base; /* host address of guest address 0, once it is known */
    _Atomic bool knows_base;
} own;

/* ---- QEMU's own command line -------------------------------------------------------------------
 */

static char *read_all(const char *path, size_t *n_bytes)
{
    char *text = NULL;
    size_t room = 0, used = 0;
    ssize_t n = -1;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);

    while (fd >= 0 && ARRAY_RESERVE(text, room, used + READ_BYTES) &&
           (n = read(fd, text + used, room - used - 1)) > 0)
        used += (size_t)n;
    if (fd >= 0)
        close(fd);
    if (text != NULL && n == 0)
        text[used] = '\0';
    *n_bytes = n == 0 ? used : 0;
    return text;
}

/* The argument after this one, NULL after the last. */
static const char *next(const char *argument, const char *end)
{
    argument += strlen(argument) + 1;
    return argument < end ? argument : NULL;
}

static const char *skip(const char *argument, unsigned n, const char *end)
{
    while (n-- > 0 && argument != NULL)
        argument = next(argument, end);
    return argument;
}

static bool is_own_plugin(const char *option)
{
    return strstr(option, "armpmu-qemu") != NULL || strstr(option, ",ring=") != NULL;
}

/* The text after the plugin's option. */
static void learn_program(const char *at, const char *end)
{
    own.sysroot = "";
    at = skip(at, 3, end); /* the option, -0, the name */
    while (at != NULL && strcmp(at, "-E") == 0)
        at = skip(at, 2, end);
    if (at != NULL && strcmp(at, "-L") == 0 && next(at, end) != NULL) {
        own.sysroot = skip(at, 1, end);
        at = skip(at, 2, end);
    }
    if (at == NULL || realpath(at, own.program) == NULL)
        own.program[0] = '\0';
}

void exec_follow_start(bool is_a64)
{
    size_t n_bytes;

    own.is_a64 = is_a64;
    own.text = read_all("/proc/self/cmdline", &n_bytes);
    if (n_bytes == 0)
        return;
    const char *const end = own.text + n_bytes;
    for (const char *at = own.text; at != NULL; at = next(at, end)) {
        const char *const after = next(at, end);
        if (!ARRAY_RESERVE(own.options, own.room, own.n_options + 1))
            return;
        own.options[own.n_options++] = at;
        if (after != NULL && strcmp(at, "-plugin") == 0 && is_own_plugin(after)) {
            own.plugin = after;
            learn_program(after, end);
            return;
        }
    }
}

const char *exec_follow_name(void)
{
    const char *const slash = strrchr(own.program, '/');

    return slash != NULL ? slash + 1 : own.program;
}

/* ---- the program's memory ----------------------------------------------------------------------
 */

void exec_follow_code(uint64_t address, const void *host)
{
    if (host == NULL)
        return;
    atomic_store_explicit(&own.base, (uintptr_t)host - address, memory_order_relaxed);
    atomic_store_explicit(&own.knows_base, true, memory_order_release);
}

bool exec_follow_read(uint64_t address, void *to, size_t n_bytes)
{
    const struct iovec local = {to, n_bytes},
                       remote = {(void *)(uintptr_t)(own.base + address), n_bytes};

    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)n_bytes;
}

/* Up to the end of each page, since the next may not be there. NULL where it is not readable. */
static char *read_string(uint64_t address)
{
    char *text = NULL;
    size_t room = 0, used = 0;

    while (used < STRING_BYTES_MAX && ARRAY_RESERVE(text, room, used + READ_BYTES)) {
        const size_t n = READ_BYTES - (address + used) % READ_BYTES;
        if (!exec_follow_read(address + used, text + used, n))
            break;
        if (memchr(text + used, '\0', n) != NULL)
            return text;
        used += n;
    }
    free(text);
    return NULL;
}

/* An array of strings, ended by NULL. */
struct strings {
    char **items;
    size_t n, room;
};

static void free_strings(struct strings *strings)
{
    ARRAY_FREE_EACH(strings->items, strings->n);
}

static bool read_pointer(uint64_t address, uint64_t *pointer)
{
    *pointer = 0;
    return exec_follow_read(address, pointer, own.is_a64 ? 8 : 4); /* both are little-endian */
}

static bool read_strings(uint64_t address, struct strings *out)
{
    uint64_t pointer = 0;

    for (size_t at = 0;; at += own.is_a64 ? 8 : 4) {
        if (!ARRAY_RESERVE(out->items, out->room, out->n + 1))
            return false;
        out->items[out->n] = NULL;
        if (address == 0) /* Linux takes no array as an empty one */
            return true;
        if (!read_pointer(address + at, &pointer))
            return false;
        if (pointer == 0)
            return true;
        if ((out->items[out->n] = read_string(pointer)) == NULL)
            return false;
        out->n++;
    }
}

/* ---- the new QEMU ------------------------------------------------------------------------------
 */

/* The file that the name means in another process: /proc/self/exe is QEMU there, and a descriptor
 * may be closed by exec. */
static const char *resolve(const char *path, char *resolved)
{
    char self[32];

    snprintf(self, sizeof self, "/proc/%d/exe", getpid());
    if (strcmp(path, "/proc/self/exe") == 0 || strcmp(path, self) == 0)
        return own.program;
    if (strncmp(path, "/proc/self/fd/", 14) != 0 && strncmp(path, "/dev/fd/", 8) != 0)
        return path;
    return realpath(path, resolved) != NULL ? resolved : path;
}

static const char *sysroot_for(const char *interpreter)
{
    const struct sysroot *const debian = sysroot_of_debian(interpreter);

    if (interpreter[0] == '\0' || debian == NULL || sysroot_holds("", interpreter) ||
        (own.sysroot[0] != '\0' && sysroot_holds(own.sysroot, interpreter)))
        return own.sysroot;
    return debian->folder;
}

/* The plugin's option of this QEMU with another ring. What an earlier exec has added goes. */
static char *new_option(int ring, uint32_t process)
{
    const char *const added = strstr(own.plugin, ",replaces=");
    const int length = added != NULL ? (int)(added - own.plugin) : (int)strlen(own.plugin);
    char *option;

    if (asprintf(&option, "%.*s,replaces=%u,ring=%d", length, own.plugin, process, ring) < 0)
        return NULL;
    return option;
}

/* Variables by which QEMU is told what to do. */
static bool is_qemus(const char *variable)
{
    return strncmp(variable, "QEMU_", 5) == 0;
}

/* They are the program's, and not the new QEMU's: it gets them as arguments, which it gives to the
 * program. It parts those at commas, so that one with a comma is lost. */
static size_t pass_variables(const struct strings *environment, const char **out)
{
    size_t n = 0;

    for (size_t i = 0; i < environment->n; i++) {
        if (!is_qemus(environment->items[i]) || strchr(environment->items[i], ',') != NULL)
            continue;
        out[n++] = "-E";
        out[n++] = environment->items[i];
    }
    return n;
}

static const char **new_arguments(const struct exec_target *target, const struct strings *argv,
                                  const struct strings *environment, const char *option)
{
    const char *const sysroot = sysroot_for(target->interpreter);
    const char **const out =
        calloc(own.n_options + 8 + target->n_before + argv->n + 2 * environment->n, sizeof *out);
    size_t n = 0;

    if (out == NULL)
        return NULL;
    for (; n < own.n_options; n++)
        out[n] = own.options[n];
    out[n++] = option;
    out[n++] = "-0";
    out[n++] = target->n_before > 0 ? target->before[0] : argv->n > 0 ? argv->items[0] : "";
    n += pass_variables(environment, out + n);
    if (sysroot[0] != '\0') {
        out[n++] = "-L";
        out[n++] = sysroot;
    }
    out[n++] = target->program;
    for (size_t i = 1; i < target->n_before; i++)
        out[n++] = target->before[i];
    for (size_t i = 1; i < argv->n; i++)
        out[n++] = argv->items[i];
    return out;
}

/* The file that this process runs: QEMU, also where a script has started it. */
static bool find_qemu(char *path)
{
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

    path[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static bool signal_waits(void)
{
    uint64_t mask = 0;

    return syscall(SYS_rt_sigprocmask, 0, NULL, &mask, sizeof mask) == 0 &&
           (mask >> (SIGNAL_OF_LIBC - 1) & 1) != 0;
}

static char **without_qemus(const struct strings *environment)
{
    char **const kept = calloc(environment->n + 1, sizeof *kept);
    size_t n = 0;

    for (size_t i = 0; kept != NULL && i < environment->n; i++)
        if (!is_qemus(environment->items[i]))
            kept[n++] = environment->items[i];
    return kept;
}

static void become(const struct exec_target *target, const struct strings *argv,
                   const struct strings *environment, const char *option)
{
    char qemu[PATH_MAX];
    const char **const arguments =
        option != NULL ? new_arguments(target, argv, environment, option) : NULL;
    char **const kept = without_qemus(environment);

    if (arguments != NULL && kept != NULL && find_qemu(qemu) && !signal_waits())
        execve(qemu, (char *const *)arguments, kept);
    free(kept);
    free(arguments);
}

static void follow(const char *path, const struct strings *argv, const struct strings *environment,
                   int ring, uint32_t process)
{
    char resolved[PATH_MAX];
    struct exec_target *const target = malloc(sizeof *target);
    char *const option = new_option(ring, process);

    if (target != NULL &&
        exec_target_find(resolve(path, resolved), own.sysroot, own.is_a64, target)) {
        if (ring >= 0)
            fcntl(ring, F_SETFD, 0);
        become(target, argv, environment, option);
        if (ring >= 0)
            fcntl(ring, F_SETFD, FD_CLOEXEC);
    }
    free(option);
    free(target);
}

bool exec_follow_is_exec(int64_t number, bool is_a64)
{
    return number == (is_a64 ? 221 : 11);
}

void exec_follow(const uint64_t *arguments, int ring, uint32_t process)
{
    struct strings argv = {NULL, 0, 0}, environment = {NULL, 0, 0};

    if (own.plugin == NULL || !atomic_load_explicit(&own.knows_base, memory_order_acquire))
        return;
    char *const path = read_string(arguments[0]);
    if (path != NULL && path[0] != '\0' && strlen(path) < PATH_MAX &&
        read_strings(arguments[1], &argv) && read_strings(arguments[2], &environment))
        follow(path, &argv, &environment, ring, process);
    free_strings(&argv);
    free_strings(&environment);
    free(path);
}
