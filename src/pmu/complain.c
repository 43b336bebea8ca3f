#include "pmu/complain.h"

#include <stdarg.h>
#include <stddef.h>

/* A message under construction; what does not fit is cut off. */
struct message {
    char *text;
    size_t length, size;
};

static void put(struct message *message, char c)
{
    if (message->length + 1 < message->size)
        message->text[message->length++] = c;
}

static void put_text(struct message *message, const char *text)
{
    while (*text != '\0')
        put(message, *text++);
}

static void put_number(struct message *message, unsigned number, unsigned base)
{
    char digits[10]; /* of the largest unsigned in decimal */
    unsigned n = 0;

    do {
        digits[n++] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    while (n > 0)
        put(message, digits[--n]);
}

enum armpmu_status complain(struct armpmu_error *error, enum armpmu_status status,
                            const char *format, ...)
{
    va_list args;

    if (error == NULL)
        return status;
    struct message message = {error->message, 0, sizeof error->message};
    va_start(args, format);
    for (const char *c = format; *c != '\0'; c++) {
        if (*c != '%') {
            put(&message, *c);
            continue;
        }
        c++;
        if (*c == 's')
            put_text(&message, va_arg(args, const char *));
        else if (*c == 'u')
            put_number(&message, va_arg(args, unsigned), 10);
        else if (*c == 'x')
            put_number(&message, va_arg(args, unsigned), 16);
        else
            put(&message, '%');
    }
    va_end(args);
    message.text[message.length] = '\0';
    return status;
}
