
#include "base/error.h"
#include "unicorn/firmware.h"
#include "unicorn/gdb/gdb.h"
#include "unicorn/limits.h"
#include "unicorn/trace_writer.h"
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOOPBACK    "127.0.0.1"
#define POLL_INSNS  16384u /* instructions between two looks for an interrupt of gdb's */
#define INPUT_BYTES 4096u

/* Signals by gdb's numbers, which those of Linux need not be. */
#define GDB_SIGINT  2u
#define GDB_SIGILL  4u
#define GDB_SIGTRAP 5u
#define GDB_SIGABRT 6u
#define GDB_SIGSEGV 11u

static void tell(const struct firmware *fw, const char *sentence)
{
    if (fw->setup->tell != NULL)
        fw->setup->tell(sentence);
}

/* ---- the connection ---- */

/* The program runs on without. */
static void part(struct gdb *gdb, const char *sentence)
{
    close(gdb->fd);
    gdb->fd = -1;
    gdb->mode = GDB_DETACH;
    gdb->session.n_points = 0;
    if (sentence != NULL)
        tell(gdb->fw, sentence);
}

#define GONE "gdb disconnected; the program continues without it"

static void send_bytes(struct gdb *gdb, const char *bytes, size_t n)
{
    while (n > 0 && gdb->fd >= 0 && limits_wait(gdb->fw, gdb->fd, POLLOUT)) {
        const ssize_t sent = send(gdb->fd, bytes, n, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            part(gdb, GONE);
            return;
        }
        bytes += sent > 0 ? sent : 0;
        n -= sent > 0 ? (size_t)sent : 0;
    }
}

static void send_answer(struct gdb *gdb)
{
    gdb->frame_bytes = gdb_frame(&gdb->answer, gdb->frame);
    send_bytes(gdb, gdb->frame, gdb->frame_bytes);
}

static void send_text(struct gdb *gdb, const char *text)
{
    gdb_text_clear(&gdb->answer);
    gdb_text_add(&gdb->answer, "%s", text);
    send_answer(gdb);
}

/* A packet: the program stays stopped, or continues. */
static enum gdb_action take_packet(struct gdb *gdb, bool too_long)
{
    struct gdb_reader *const reader = &gdb->reader;
    const bool acks = !gdb->session.without_acks;

    if (acks)
        send_bytes(gdb, "+", 1);
    if (too_long) {
        send_text(gdb, "E1b");
        return GDB_STAY;
    }
    const enum gdb_action action =
        gdb_session_take(&gdb->session, reader->data, reader->n, &gdb->answer);
    if (action == GDB_STAY || action == GDB_DETACH)
        send_answer(gdb);
    return action;
}

static enum gdb_action take_byte(struct gdb *gdb, uint8_t byte)
{
    switch (gdb_reader_take(&gdb->reader, byte)) {
    case GDB_INPUT_NONE:
    case GDB_INPUT_INTERRUPT: /* it is stopped already */
        break;
    case GDB_INPUT_BAD:
        if (!gdb->session.without_acks)
            send_bytes(gdb, "-", 1);
        break;
    case GDB_INPUT_AGAIN:
        send_bytes(gdb, gdb->frame, gdb->frame_bytes);
        break;
    case GDB_INPUT_PACKET:
        return take_packet(gdb, false);
    case GDB_INPUT_TOO_LONG:
        return take_packet(gdb, true);
    }
    return GDB_STAY;
}

/* Byte by byte, so that what follows a packet that continues the program is left for its next
 * stop. Serves until it continues, or the run has ended. */
static enum gdb_action serve(struct gdb *gdb)
{
    enum gdb_action action = GDB_STAY;

    while (action == GDB_STAY && gdb->fd >= 0) {
        uint8_t byte;
        if (!limits_wait(gdb->fw, gdb->fd, POLLIN))
            return GDB_STAY;
        const ssize_t n = recv(gdb->fd, &byte, 1, 0);
        if (n == 1)
            action = take_byte(gdb, byte);
        else if (n == 0 || errno != EINTR)
            part(gdb, GONE);
    }
    return gdb->fd >= 0 ? action : GDB_DETACH;
}

/* ---- stops ---- */

static void go_elsewhere(struct gdb *gdb)
{
    struct firmware *const fw = gdb->fw;
    const enum armpmu_isa isa = cpsr_isa(processor_status(fw));

    gdb->jumps = false;
    trace_writer_jump(fw, gdb->at);
    firmware_disturb(fw);
    gdb->at = isa == ARMPMU_T32 ? gdb->jump_to & ~UINT64_C(1) : gdb->jump_to;
    gdb->starts = fw->starts - 1; /* gdb knows that it is stopped there */
    processor_set_pc(fw, gdb->at, isa);
}

/* A client that has just connected asks why the program is stopped. */
static void stop(struct gdb *gdb)
{
    gdb->jumps = false;
    if (gdb->waits)
        send_text(gdb, gdb->session.stop);
    gdb->mode = serve(gdb);
    gdb->waits = true;
    if (gdb->mode == GDB_DETACH && gdb->fd >= 0)
        part(gdb, NULL);
    if (gdb->mode == GDB_KILL) {
        gdb->fw->interrupted = SIGKILL;
        firmware_stop(gdb->fw, ENGINE_FIRMWARE_INTERRUPTED, "killed by gdb");
    }
    if (gdb->jumps && gdb->fw->request != REQUEST_END)
        go_elsewhere(gdb);
}

static void say_why(struct gdb *gdb, unsigned signal, const char *more)
{
    snprintf(gdb->session.stop, sizeof gdb->session.stop, "T%02xthread:1;%s", signal, more);
}

/* gdb sends the byte 3 while the program runs, or it has gone. */
static bool is_interrupted(struct gdb *gdb)
{
    struct pollfd file = {.fd = gdb->fd, .events = POLLIN};
    uint8_t byte = 0;

    if (poll(&file, 1, 0) <= 0)
        return false;
    if (recv(gdb->fd, &byte, 1, 0) == 1)
        return gdb_reader_take(&gdb->reader, byte) == GDB_INPUT_INTERRUPT;
    part(gdb, GONE);
    return false;
}

void gdb_watch(struct firmware *fw, uint64_t address, unsigned size, bool write)
{
    static const char *const names[] = {
        [GDB_WATCH_WRITE] = "watch", [GDB_WATCH_READ] = "rwatch", [GDB_WATCH_ACCESS] = "awatch"};
    struct gdb *const gdb = fw->gdb;
    const struct gdb_point *const point =
        gdb->fd >= 0 ? gdb_session_watches(&gdb->session, address, size, write) : NULL;

    if (point == NULL || gdb->watched[0] != '\0')
        return;
    snprintf(gdb->watched, sizeof gdb->watched, "%s:%" PRIx64 ";", names[point->kind], address);
}

/* Returns whether the library was started again at this instruction, which did not execute. */
static bool is_again(struct gdb *gdb, uint64_t address)
{
    const bool again = address == gdb->at && gdb->fw->starts != gdb->starts && gdb->looked;

    gdb->at = address;
    gdb->starts = gdb->fw->starts;
    gdb->looked = true;
    return again;
}

static bool has_reason(struct gdb *gdb)
{
    if (gdb->watched[0] != '\0') {
        say_why(gdb, GDB_SIGTRAP, gdb->watched);
        gdb->watched[0] = '\0';
    } else if (gdb->mode == GDB_STEP || gdb_session_breaks(&gdb->session, gdb->at)) {
        say_why(gdb, GDB_SIGTRAP, "");
    } else {
        if (++gdb->since_poll < POLL_INSNS)
            return false;
        gdb->since_poll = 0;
        say_why(gdb, GDB_SIGINT, "");
        return is_interrupted(gdb);
    }
    return true;
}

bool gdb_is_there(const struct firmware *fw)
{
    return fw->gdb != NULL && fw->gdb->fd >= 0;
}

void gdb_look(struct firmware *fw, uint64_t address)
{
    struct gdb *const gdb = fw->gdb;

    if (gdb->fd < 0 || is_again(gdb, address) || !has_reason(gdb))
        return;
    stop(gdb);
}

static void on_instruction(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    struct firmware *const fw = user;

    (void)uc, (void)size;
    if (fw->stepping == STEPPING_NONE && !firmware_is_stopping(fw))
        gdb_look(fw, address);
}

/* ---- the beginning ---- */

/* "[HOST]:PORT" in its parts; false where it is none. */
static bool read_place(const char *place, char *host, size_t size, const char **port)
{
    const char *const colon = strrchr(place, ':');
    const char *const first = place + (place[0] == '[');

    if (colon == NULL || colon[1] == '\0' || strspn(colon + 1, "0123456789") != strlen(colon + 1) ||
        strlen(colon + 1) > 5 || strtoul(colon + 1, NULL, 10) > UINT16_MAX)
        return false;
    const size_t n = (size_t)(colon - first) - (first > place && colon > first);
    if (colon < first || n >= size || (first > place && colon[-1] != ']'))
        return false;
    snprintf(host, size, "%.*s", (int)n, n > 0 ? first : LOOPBACK);
    if (n == 0)
        snprintf(host, size, "%s", LOOPBACK);
    *port = colon + 1;
    return true;
}

static int listen_at(const struct addrinfo *at)
{
    const int on = 1;
    const int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);

    if (fd < 0)
        return -1;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, 1) == 0)
        return fd;
    const int cause = errno;
    close(fd);
    errno = cause;
    return -1;
}

static enum armpmu_status open_port(const char *place, int *fd, struct armpmu_error *err)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    char host[256];
    const char *port;

    if (!read_place(place, host, sizeof host, &port))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--gdb '%.80s': must be HOST:PORT or :PORT, with a port of at most 65535, like "
                    ":1234",
                    place);
    const int problem = getaddrinfo(host, port, &wanted, &found);
    if (problem != 0)
        return fail(err, ARMPMU_BAD_CONFIG, "--gdb '%.80s': %s: name this computer, or :PORT",
                    place, gai_strerror(problem));
    *fd = listen_at(found);
    const int cause = errno;
    freeaddrinfo(found);
    return *fd >= 0 ? ARMPMU_OK
                    : fail(err, ARMPMU_BAD_CONFIG, "--gdb '%.80s': %s: choose another port, or 0",
                           place, strerror(cause));
}

/* Where it listens: port 0 has become a number. */
static void tell_place(const struct firmware *fw, int fd)
{
    struct sockaddr_storage at;
    socklen_t n = sizeof at;
    char host[256] = "", port[16] = "", sentence[512];

    (void)getsockname(fd, (struct sockaddr *)&at, &n);
    (void)getnameinfo((struct sockaddr *)&at, n, host, sizeof host, port, sizeof port,
                      NI_NUMERICHOST | NI_NUMERICSERV);
    const char *const open = at.ss_family == AF_INET6 ? "[" : "", *const close =
                                                                      at.ss_family == AF_INET6 ? "]"
                                                                                               : "";
    snprintf(sentence, sizeof sentence, "waiting for gdb: target remote %s%s%s:%s", open, host,
             close, port);
    tell(fw, sentence);
}

static enum armpmu_status add_hook(struct firmware *fw, struct armpmu_error *err)
{
    uc_hook hook;

    if (fw->lib->hook_add(fw->uc, &hook, UC_HOOK_CODE, (void *)(uintptr_t)on_instruction, fw,
                          (uint64_t)0, FIRMWARE_TRAMPOLINE - 1) == UC_ERR_OK)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "the Unicorn library cannot stop at instructions for --gdb");
}

enum armpmu_status gdb_begin(struct firmware *fw, struct armpmu_error *err)
{
    struct gdb *const gdb = calloc(1, sizeof *gdb);
    const int on = 1;
    int fd = -1;

    fw->gdb = gdb;
    if (gdb == NULL)
        return fail_no_memory(err, "--gdb");
    *gdb = (struct gdb){.fw = fw, .fd = -1, .mode = GDB_STEP};
    gdb_processor_target(gdb, &gdb->session.target);
    enum armpmu_status status = open_port(fw->setup->gdb, &fd, err);
    if (status == ARMPMU_OK)
        status = add_hook(fw, err);
    if (status == ARMPMU_OK)
        tell_place(fw, fd);
    if (status == ARMPMU_OK && limits_wait(fw, fd, POLLIN))
        gdb->fd = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
    if (gdb->fd >= 0) /* packets are short, and each is waited for */
        (void)setsockopt(gdb->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (fd >= 0)
        close(fd);
    return status;
}

/* ---- the end ---- */

static unsigned signal_of(const struct firmware *fw)
{
    switch (fw->exception) {
    case EXCEPTION_UNDEFINED:
        return GDB_SIGILL;
    case EXCEPTION_PREFETCH_ABORT:
    case EXCEPTION_DATA_ABORT:
        return GDB_SIGSEGV;
    case EXCEPTION_SVC:
    case EXCEPTION_SMC:
    case EXCEPTION_SYNCHRONOUS:
    case EXCEPTION_IRQ:
    case EXCEPTION_FIQ:
        break;
    }
    return GDB_SIGABRT;
}

/* A line on gdb's console, while the program counts as running. */
static void print_reason(struct gdb *gdb)
{
    const char *const parts[] = {"armpmu: ", gdb->fw->result->reason, "\n"};

    gdb_text_clear(&gdb->answer);
    gdb_text_add(&gdb->answer, "O");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        gdb_text_add_hex(&gdb->answer, parts[i], strlen(parts[i]));
    send_answer(gdb);
}

/* The run is over, so that limits_wait ends at once; here gdb looks at what is left of it. */
static void show_fault(struct gdb *gdb)
{
    struct firmware *const fw = gdb->fw;

    fw->request = REQUEST_NONE;
    print_reason(gdb);
    gdb->at = processor_pc(fw);
    say_why(gdb, signal_of(fw), "");
    send_text(gdb, gdb->session.stop);
    gdb->over = true;
    gdb->mode = serve(gdb);
    fw->request = REQUEST_END;
}

void gdb_end(struct firmware *fw)
{
    struct gdb *const gdb = fw->gdb;
    const struct firmware_end *const result = fw->result;

    if (gdb == NULL)
        return;
    if (gdb->fd >= 0 && result->end == ENGINE_FIRMWARE_FAULT)
        show_fault(gdb);
    if (gdb->fd >= 0 && (gdb->mode == GDB_STEP || gdb->mode == GDB_CONTINUE)) {
        gdb_text_clear(&gdb->answer);
        gdb_text_add(&gdb->answer, result->end == ENGINE_FIRMWARE_EXIT ? "W%02x" : "X%02x",
                     result->end == ENGINE_FIRMWARE_EXIT ? (unsigned)result->status : GDB_SIGABRT);
        gdb->frame_bytes = gdb_frame(&gdb->answer, gdb->frame);
        (void)send(gdb->fd, gdb->frame, gdb->frame_bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    if (gdb->fd >= 0)
        close(gdb->fd);
    free(gdb);
    fw->gdb = NULL;
}
