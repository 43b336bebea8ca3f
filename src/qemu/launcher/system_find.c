#include "qemu/launcher/system_find.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "qemu/launcher/program.h"
#include "base/termination.h"

#define ANSWER_SECONDS 30

extern char **environ;

static const char *last_part(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static enum armpmu_status find_file(const char *name, char *path, struct armpmu_error *err)
{
    struct stat file;

    if (strchr(name, '/') == NULL) {
        const enum armpmu_status status = path_search(name, path, FIND_PATH_BYTES);
        if (status == ARMPMU_NOT_ALLOWED)
            return fail(err, status,
                        "'%.200s' is in PATH, but is not an executable file: chmod +x it", name);
        if (status != ARMPMU_OK)
            return fail(err, status,
                        "'%.200s' is not in PATH, and a guest needs version %u or newer: run "
                        "armpmu by scripts/with-qemu11 of its sources, which fetches one",
                        name, SYSTEM_QEMU_MAJOR);
        return ARMPMU_OK;
    }
    if ((unsigned)snprintf(path, FIND_PATH_BYTES, "%s", name) >= FIND_PATH_BYTES)
        return fail(err, ARMPMU_NOT_FOUND, "the name of QEMU has %zu bytes, at most %d",
                    strlen(name), FIND_PATH_BYTES - 1);
    if (stat(path, &file) != 0)
        return fail(err, errno == ENOENT ? ARMPMU_NOT_FOUND : ARMPMU_NOT_ALLOWED,
                    "'%.200s': %s; correct its path", name, strerror(errno));
    if (!S_ISREG(file.st_mode) || access(path, X_OK) != 0)
        return fail(err, ARMPMU_NOT_ALLOWED, "'%.200s' is not an executable file: chmod +x it",
                    name);
    return ARMPMU_OK;
}

/* Reads to the end, or until there is enough or too long nothing. */
static bool read_answer(int from, char *answer)
{
    struct pollfd source = {.fd = from, .events = POLLIN};
    size_t length = 0;
    ssize_t n = 1;

    while (n > 0 && length + 1 < SYSTEM_ANSWER_BYTES) {
        const int ready = poll(&source, 1, ANSWER_SECONDS * 1000);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        n = read(from, answer + length, SYSTEM_ANSWER_BYTES - 1 - length);
        length += n > 0 ? (size_t)n : 0;
    }
    answer[length] = '\0';
    answer[strcspn(answer, "\r\n")] = '\0';
    return true;
}

static int spawn(const char *path, int output, pid_t *pid)
{
    char *const argv[] = {(char *)(uintptr_t)path, (char[]){"--version"}, NULL};
    posix_spawn_file_actions_t actions;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int cause = posix_spawn(pid, path, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return cause;
}

enum armpmu_status system_ask_version(const char *path, char *answer, struct armpmu_error *err)
{
    int ends[2];
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(err, ARMPMU_NO_MEMORY, "cannot make a pipe: %s", strerror(errno));
    const int cause = spawn(path, ends[1], &pid);
    close(ends[1]);
    termination_helper(cause == 0 ? pid : 0);
    const bool answered = cause == 0 && read_answer(ends[0], answer);
    close(ends[0]);
    if (cause == 0) {
        if (!answered)
            kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    termination_helper(0);
    if (cause != 0)
        return fail(err, ARMPMU_NOT_ALLOWED, "cannot start QEMU '%.200s': %s", path,
                    strerror(cause));
    if (!answered)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%.200s' did not answer --version within %d seconds: name qemu-system-arm",
                    path, ANSWER_SECONDS);
    return ARMPMU_OK;
}

static bool is_user_emulation(const char *name)
{
    return strncmp(name, "qemu-", 5) == 0 && strncmp(name, "qemu-system-", 12) != 0;
}

static enum armpmu_status check_answer(const char *path, const char *answer,
                                       struct armpmu_error *err)
{
    static const char system[] = "QEMU emulator version ";
    unsigned major = 0;

    if (strncmp(answer, system, strlen(system)) != 0 ||
        sscanf(answer + strlen(system), "%3u.", &major) != 1) {
        if (is_user_emulation(answer) || is_user_emulation(last_part(path)))
            return fail(err, ARMPMU_BAD_CONFIG,
                        "'%.200s' runs single programs, for which there is 'armpmu stat': name "
                        "qemu-system-arm to run a machine",
                        path);
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%.200s' is not QEMU (--version prints '%.60s'): name qemu-system-arm "
                    "and its arguments",
                    path, answer);
    }
    if (major < SYSTEM_QEMU_MAJOR)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "QEMU '%.160s' is version %.20s; a guest's performance monitor needs %u or "
                    "newer: run armpmu by scripts/with-qemu11 of its sources, which fetches one "
                    "('armpmu stat' works with this version)",
                    path, answer + strlen(system), SYSTEM_QEMU_MAJOR);
    return ARMPMU_OK;
}

enum armpmu_status system_find_qemu(const char *name, char *path, struct armpmu_error *err)
{
    char answer[SYSTEM_ANSWER_BYTES] = "";

    enum armpmu_status status = find_file(name, path, err);
    if (status != ARMPMU_OK)
        return status;
    const char *const called = last_part(path);
    if (strncmp(called, "qemu-system-", 12) == 0 && strcmp(called + 12, "arm") != 0 &&
        strcmp(called + 12, "aarch64") != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "'%.200s' has no machine whose monitor is modelled: use qemu-system-arm, or "
                    "qemu-system-aarch64 for an AArch64 core",
                    called);
    status = system_ask_version(path, answer, err);
    return status == ARMPMU_OK ? check_answer(path, answer, err) : status;
}
