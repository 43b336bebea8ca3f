/* Loads the bytes of the file and checks them before SQLite sees them. */
#include "profile/profile_file_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "profile/profile_file.h"

#define HEADER_BYTES 100

static enum armpmu_status cannot(struct file_reader *r, const char *doing)
{
    const enum armpmu_status status = errno == ENOENT || errno == ENOTDIR ? ARMPMU_NOT_FOUND
                                      : errno == EACCES                   ? ARMPMU_NOT_ALLOWED
                                                                          : ARMPMU_IO;

    return fail(r->err, status, "cannot %s '%s': %s%s", doing, r->path, strerror(errno),
                status == ARMPMU_NOT_FOUND ? "; 'armpmu record' writes it" : "");
}

static enum armpmu_status load_bytes(struct file_reader *r, int fd)
{
    size_t n = 0;

    r->bytes = malloc(r->n_bytes);
    if (r->bytes == NULL)
        return fail(r->err, ARMPMU_NO_MEMORY, "out of memory for '%s'", r->path);
    while (n < r->n_bytes) {
        const ssize_t part = TEMP_FAILURE_RETRY(read(fd, r->bytes + n, r->n_bytes - n));
        if (part < 0)
            return cannot(r, "read");
        if (part == 0)
            break;
        n += (size_t)part;
    }
    r->n_bytes = n;
    return ARMPMU_OK;
}

static enum armpmu_status load_open(struct file_reader *r, int fd)
{
    struct stat info;

    if (fstat(fd, &info) != 0)
        return cannot(r, "read");
    if (!S_ISREG(info.st_mode))
        return fail(r->err, ARMPMU_BAD_INPUT,
                    "'%s' is not a regular file; give one that 'armpmu record' wrote", r->path);
    if (info.st_size == 0)
        return fail(r->err, ARMPMU_BAD_INPUT, "'%s' is empty; " RECORD_AGAIN, r->path);
    r->n_bytes = (size_t)info.st_size;
    return load_bytes(r, fd);
}

enum armpmu_status profile_load_file(struct file_reader *r)
{
    const int fd = TEMP_FAILURE_RETRY(open(r->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));

    if (fd < 0)
        return cannot(r, "open");
    const enum armpmu_status status = load_open(r, fd);
    close(fd);
    return status;
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Source: sqlite.org/fileformat.html, the database header. */
enum armpmu_status profile_check_file_header(struct file_reader *r)
{
    if (r->n_bytes < HEADER_BYTES || memcmp(r->bytes, "SQLite format 3", 16) != 0)
        return fail(
            r->err, ARMPMU_BAD_INPUT,
            "'%s' is not a profile: not an SQLite database; give a file that 'armpmu record' wrote",
            r->path);
    const uint32_t version = big_endian(r->bytes + 60), application = big_endian(r->bytes + 68);
    if (application != PROFILE_FILE_APPLICATION_ID)
        return fail(r->err, ARMPMU_BAD_INPUT,
                    "'%s' is not a profile: an SQLite database of another program (application_id "
                    "0x%x); give a file that 'armpmu record' wrote",
                    r->path, application);
    if (version > PROFILE_FILE_VERSION)
        return fail(r->err, ARMPMU_BAD_INPUT,
                    "'%s' has schema version %u, this armpmu reads up to %u; use the armpmu that "
                    "wrote it, or " RECORD_AGAIN,
                    r->path, version, PROFILE_FILE_VERSION);
    if (version == 0)
        return fail(r->err, ARMPMU_BAD_INPUT, "'%s' is damaged: schema version %u; " RECORD_AGAIN,
                    r->path, version);
    r->version = version;
    r->bytes[18] = r->bytes[19] = 1; /* a database that was in WAL mode is read without its WAL */
    return ARMPMU_OK;
}
