#include "unicorn/gdb/session.h"

#include <string.h>

#define MEMORY_BYTES   (GDB_PACKET_BYTES / 2) /* in an answer of digits */
#define ERROR_PACKET   "E01"                  /* what was sent makes no sense */
#define ERROR_ADDRESS  "E0e"                  /* no memory is there, or a device */
#define ERROR_REGISTER "E02"
#define ERROR_ROOM     "E1c"

#define SUPPORTED "PacketSize=%x;qXfer:features:read+;QStartNoAckMode+;vContSupported+"

static bool starts(const char *packet, const char *word)
{
    return strncmp(packet, word, strlen(word)) == 0;
}

/* "ADDRESS,LENGTH" */
static bool read_range(const char **at, uint64_t *address, uint64_t *n)
{
    if (!gdb_hex_number(at, address) || *(*at)++ != ',')
        return false;
    return gdb_hex_number(at, n);
}

/* ---- registers ---- */

static void add_register(const struct gdb_session *session, unsigned number,
                         struct gdb_text *answer)
{
    const struct gdb_target *const target = &session->target;
    const unsigned n = target->register_bytes(number);
    const uint64_t value = target->read_register(target->user, number);
    uint8_t bytes[8];

    for (unsigned i = 0; i < n; i++)
        bytes[i] = (uint8_t)(value >> 8 * (target->big_endian ? n - 1 - i : i));
    gdb_text_add_hex(answer, bytes, n);
}

static bool set_register(const struct gdb_session *session, unsigned number, const char **at)
{
    const struct gdb_target *const target = &session->target;
    const unsigned n = target->register_bytes(number);
    uint64_t value = 0;
    uint8_t bytes[8];

    if (n == 0 || gdb_hex_bytes(at, bytes, n) != n)
        return false;
    for (unsigned i = 0; i < n; i++)
        value |= (uint64_t)bytes[i] << 8 * (target->big_endian ? n - 1 - i : i);
    return target->read_register(target->user, number) == value ||
           target->write_register(target->user, number, value);
}

static void read_all(const struct gdb_session *session, struct gdb_text *answer)
{
    for (unsigned i = 0; i < session->target.n_registers; i++)
        add_register(session, session->target.numbers[i], answer);
}

static const char *write_all(const struct gdb_session *session, const char *at)
{
    bool all = true;

    for (unsigned i = 0; i < session->target.n_registers; i++)
        all = set_register(session, session->target.numbers[i], &at) && all;
    return all && *at == '\0' ? "OK" : ERROR_REGISTER;
}

static void read_one(const struct gdb_session *session, const char *at, struct gdb_text *answer)
{
    uint64_t number;

    if (gdb_hex_number(&at, &number) && number < 256 &&
        session->target.register_bytes((unsigned)number) > 0)
        add_register(session, (unsigned)number, answer);
    else
        gdb_text_add(answer, ERROR_REGISTER);
}

static const char *write_one(const struct gdb_session *session, const char *at)
{
    uint64_t number;

    if (!gdb_hex_number(&at, &number) || number >= 256 || *at++ != '=')
        return ERROR_PACKET;
    return set_register(session, (unsigned)number, &at) && *at == '\0' ? "OK" : ERROR_REGISTER;
}

/* ---- memory ---- */

static void read_memory(const struct gdb_session *session, const char *at, struct gdb_text *answer)
{
    uint8_t bytes[MEMORY_BYTES];
    uint64_t address, n;

    if (!read_range(&at, &address, &n) || *at != '\0')
        gdb_text_add(answer, ERROR_PACKET);
    else if (session->target.read_memory(session->target.user, address, bytes,
                                         n = n < sizeof bytes ? n : sizeof bytes))
        gdb_text_add_hex(answer, bytes, n);
    else
        gdb_text_add(answer, ERROR_ADDRESS);
}

/* M has digits, X the bytes themselves. */
static const char *write_memory(const struct gdb_session *session, const char *packet, size_t n)
{
    const char *at = packet + 1;
    uint8_t digits[MEMORY_BYTES];
    const uint8_t *bytes = digits;
    uint64_t address, wanted;

    if (!read_range(&at, &address, &wanted) || *at++ != ':')
        return ERROR_PACKET;
    uint64_t got = (uint64_t)(packet + n - at);
    if (packet[0] == 'X') {
        bytes = (const uint8_t *)at;
    } else {
        got = gdb_hex_bytes(&at, digits, sizeof digits);
        if (*at != '\0')
            return ERROR_PACKET;
    }
    if (got != wanted)
        return ERROR_PACKET;
    return got == 0 ||
                   session->target.write_memory(session->target.user, address, bytes, (size_t)got)
               ? "OK"
               : ERROR_ADDRESS;
}

/* ---- breakpoints and watchpoints ---- */

static struct gdb_point *find_point(struct gdb_session *session, const struct gdb_point *wanted)
{
    for (unsigned i = 0; i < session->n_points; i++) {
        struct gdb_point *const point = &session->points[i];
        if (point->kind == wanted->kind && point->address == wanted->address &&
            point->n_bytes == wanted->n_bytes)
            return point;
    }
    return NULL;
}

/* "Z0,ADDRESS,KIND": what KIND means depends on the first digit; for breakpoints nothing here. */
static const char *change_point(struct gdb_session *session, const char *packet)
{
    const char *at = packet + 3;
    struct gdb_point wanted = {.kind = (enum gdb_point_kind)(packet[1] - '0')};

    if (packet[1] < '0' || packet[1] >= '0' + GDB_POINT_KINDS)
        return "";
    if (packet[2] != ',' || !read_range(&at, &wanted.address, &wanted.n_bytes))
        return ERROR_PACKET;
    if (*at == ';') /* conditions, which gdb was not told of */
        return ERROR_PACKET;
    if (wanted.kind < GDB_WATCH_WRITE)
        wanted.n_bytes = 1;
    struct gdb_point *const known = find_point(session, &wanted);
    if (packet[0] == 'z' && known != NULL)
        *known = session->points[--session->n_points];
    if (packet[0] == 'z' || known != NULL)
        return "OK";
    if (session->n_points == GDB_POINTS_MAX)
        return ERROR_ROOM;
    session->points[session->n_points++] = wanted;
    return "OK";
}

bool gdb_session_breaks(const struct gdb_session *session, uint64_t address)
{
    bool breaks = false;

    for (unsigned i = 0; i < session->n_points; i++)
        breaks = breaks || (session->points[i].kind < GDB_WATCH_WRITE &&
                            session->points[i].address == address);
    return breaks;
}

const struct gdb_point *gdb_session_watches(const struct gdb_session *session, uint64_t address,
                                            uint64_t n_bytes, bool write)
{
    for (unsigned i = 0; i < session->n_points; i++) {
        const struct gdb_point *const point = &session->points[i];
        if (point->kind >= GDB_WATCH_WRITE &&
            point->kind != (write ? GDB_WATCH_READ : GDB_WATCH_WRITE) &&
            (address - point->address < point->n_bytes || point->address - address < n_bytes))
            return point;
    }
    return NULL;
}

/* ---- questions ---- */

/* "qXfer:features:read:target.xml:OFFSET,LENGTH" */
static void read_description(const struct gdb_session *session, const char *at,
                             struct gdb_text *answer)
{
    static const char name[] = "target.xml:";
    const size_t whole = strlen(session->target.description);
    const char *range = at + strlen(name);
    uint64_t offset, n;

    if (!starts(at, name) || !read_range(&range, &offset, &n)) {
        gdb_text_add(answer, "E00");
        return;
    }
    n = n < MEMORY_BYTES ? n : MEMORY_BYTES;
    const size_t left = offset < whole ? whole - (size_t)offset : 0;
    gdb_text_add(answer, "%c%.*s", left > n ? 'm' : 'l', (int)(left < n ? left : n),
                 session->target.description + (whole - left));
}

/* "qRcmd,DIGITS" */
static void command(const struct gdb_session *session, const char *at, struct gdb_text *answer)
{
    uint8_t words[256] = {0};
    struct gdb_text lines;

    gdb_text_clear(&lines);
    (void)gdb_hex_bytes(&at, words, sizeof words - 1);
    session->target.monitor(session->target.user, (const char *)words, &lines);
    gdb_text_add_hex(answer, lines.data, lines.n);
}

static void query(struct gdb_session *session, const char *packet, struct gdb_text *answer)
{
    if (starts(packet, "qSupported"))
        gdb_text_add(answer, SUPPORTED, GDB_PACKET_BYTES);
    else if (starts(packet, "qXfer:features:read:"))
        read_description(session, packet + strlen("qXfer:features:read:"), answer);
    else if (starts(packet, "qRcmd,"))
        command(session, packet + strlen("qRcmd,"), answer);
    else if (strcmp(packet, "QStartNoAckMode") == 0)
        gdb_text_add(answer, "OK");
    else if (strcmp(packet, "qAttached") == 0)
        gdb_text_add(answer, "1"); /* gdb leaves it running when it ends */
    else if (strcmp(packet, "qC") == 0)
        gdb_text_add(answer, "QC1");
    else if (strcmp(packet, "qfThreadInfo") == 0)
        gdb_text_add(answer, "m1");
    else if (strcmp(packet, "qsThreadInfo") == 0)
        gdb_text_add(answer, "l");
    session->without_acks = session->without_acks || strcmp(packet, "QStartNoAckMode") == 0;
}

/* ---- going on ---- */

/* "vCont;s:1;c": the first that is for the only thread. Signals have no meaning here. */
static enum gdb_action resume(const char *packet, struct gdb_text *answer)
{
    const char kind = starts(packet, "vCont;") ? packet[strlen("vCont;")] : packet[0];

    if (strcmp(packet, "vCont?") == 0) {
        gdb_text_add(answer, "vCont;c;C;s;S");
        return GDB_STAY;
    }
    if (packet[0] == 'v' && !starts(packet, "vCont;"))
        return GDB_STAY; /* not known: an empty answer */
    if (kind == 's' || kind == 'S')
        return GDB_STEP;
    if (kind == 'c' || kind == 'C')
        return GDB_CONTINUE;
    gdb_text_add(answer, ERROR_PACKET);
    return GDB_STAY;
}

/* "c ADDRESS": from there. */
static bool go_from(const struct gdb_session *session, const char *at)
{
    const struct gdb_target *const target = &session->target;
    uint64_t address;

    if (*at == '\0')
        return true;
    return gdb_hex_number(&at, &address) && *at == '\0' &&
           target->write_register(target->user, target->numbers[target->n_registers - 2], address);
}

enum gdb_action gdb_session_take(struct gdb_session *session, const char *packet, size_t n,
                                 struct gdb_text *answer)
{
    const char *said = "";

    gdb_text_clear(answer);
    switch (packet[0]) {
    case '?':
        said = session->stop;
        break;
    case 'g':
        read_all(session, answer);
        break;
    case 'G':
        said = write_all(session, packet + 1);
        break;
    case 'p':
        read_one(session, packet + 1, answer);
        break;
    case 'P':
        said = write_one(session, packet + 1);
        break;
    case 'm':
        read_memory(session, packet + 1, answer);
        break;
    case 'M':
    case 'X':
        said = write_memory(session, packet, n);
        break;
    case 'Z':
    case 'z':
        said = change_point(session, packet);
        break;
    case 'H':
    case 'T':
        said = "OK"; /* there is one thread */
        break;
    case 'q':
    case 'Q':
        query(session, packet, answer);
        break;
    case 'c':
    case 's':
        if (go_from(session, packet + 1))
            return resume(packet, answer);
        said = ERROR_PACKET;
        break;
    case 'C':
    case 'S':
    case 'v':
        return resume(packet, answer);
    case 'D':
        gdb_text_add(answer, "OK");
        return GDB_DETACH;
    case 'k':
        return GDB_KILL;
    }
    gdb_text_add(answer, "%s", said);
    return GDB_STAY;
}
