#include "pmu/error_format.h"

#include <stdarg.h>
#include <stdbool.h>
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

static void put_hexadecimal(struct message *message, unsigned number)
{
    unsigned shift = 0;

    while (number >> shift >= 16)
        shift += 4;
    for (; shift > 0; shift -= 4)
        put(message, "0123456789abcdef"[number >> shift & 15]);
    put(message, "0123456789abcdef"[number & 15]);
}

/* Without dividing: many Arm cores cannot, and their compilers would need a library for it. */
static void put_decimal(struct message *message, unsigned number)
{
    static const unsigned powers[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                      10000,      1000,      100,      10,      1};
    bool begun = false;

    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        char digit = '0';
        for (; number >= powers[i]; number -= powers[i])
            digit++;
        begun = begun || digit != '0' || powers[i] == 1;
        if (begun)
            put(message, digit);
    }
}

enum armpmu_status pmu_refuse(struct armpmu_error *error, enum armpmu_status status,
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
            put_decimal(&message, va_arg(args, unsigned));
        else if (*c == 'x')
            put_hexadecimal(&message, va_arg(args, unsigned));
        else
            put(&message, '%');
    }
    va_end(args);
    message.text[message.length] = '\0';
    return status;
}
