/* Makes the calls of semihosting that its command line names and prints what each returned.
 *
 * A word is NUMBER,FIELD,FIELD,... in hexadecimal digits; a field is a number, @TEXT for the
 * address of a text, or $ for that of a buffer. NUMBER! passes its field itself, not a block of
 * fields.
 * "=" prints the buffer. Each other word is answered by its result and SYS_ERRNO behind it. */
#include <stddef.h>
#include <stdint.h>

#define SYS_WRITE0        0x04
#define SYS_ERRNO         0x13
#define SYS_GET_CMDLINE   0x15
#define SYS_EXIT_EXTENDED 0x20
#define APPLICATION_EXIT  0x20026
#define FIELDS_MAX        8

static char line[1 << 15], buffer[8192];

static intptr_t call(uintptr_t number, const void *argument)
{
#ifdef __aarch64__
    register uintptr_t r0 __asm__("x0") = number;
    register const void *r1 __asm__("x1") = argument;
    __asm__ volatile("hlt #0xf000" : "+r"(r0) : "r"(r1) : "memory");
#else
    register uintptr_t r0 __asm__("r0") = number;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("svc #0x123456" : "+r"(r0) : "r"(r1) : "memory");
#endif
    return (intptr_t)r0;
}

static void print(const char *text)
{
    call(SYS_WRITE0, text);
}

static void print_number(intptr_t number)
{
    char digits[2 * sizeof number + 3];
    char *at = digits + sizeof digits - 1;
    uintptr_t left = number < 0 ? -(uintptr_t)number : (uintptr_t)number;

    *at = '\0';
    do
        *--at = "0123456789abcdef"[left & 15];
    while ((left >>= 4) != 0);
    if (number < 0)
        *--at = '-';
    print(at);
}

static uintptr_t read_number(const char *text)
{
    uintptr_t number = 0;

    for (; *text != '\0' && *text != '!'; text++)
        number = number << 4 | (uintptr_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    return number;
}

/* Cuts a text at the first of a letter; NULL behind the last part. */
static char *cut(char *text, char letter)
{
    while (*text != '\0' && *text != letter)
        text++;
    if (*text == '\0')
        return NULL;
    *text = '\0';
    return text + 1;
}

static uintptr_t field_of(const char *text)
{
    if (text[0] == '@')
        return (uintptr_t)(text + 1);
    return text[0] == '$' ? (uintptr_t)buffer : read_number(text);
}

static void make_call(char *word)
{
    static uintptr_t fields[FIELDS_MAX]; /* those left over are of the call before */
    char *field = cut(word, ',');
    size_t n = 0, at = 0;

    while (field != NULL && n < FIELDS_MAX) {
        char *const next = cut(field, ',');
        fields[n++] = field_of(field);
        field = next;
    }
    while (word[at] != '\0' && word[at] != '!')
        at++;
    const intptr_t result =
        call(read_number(word), word[at] == '!' ? (const void *)fields[0] : fields);
    print_number(result);
    print(" ");
    print_number(call(SYS_ERRNO, NULL));
    print("\n");
}

__attribute__((used)) void run(void)
{
    const uintptr_t room[2] = {(uintptr_t)line, sizeof line};
    const uintptr_t end[2] = {APPLICATION_EXIT, 0};

    call(SYS_GET_CMDLINE, room);
    for (char *word = cut(line, ' '); word != NULL;) {
        char *const next = cut(word, ' ');
        if (word[0] == '=')
            print(buffer);
        else
            make_call(word);
        word = next;
    }
    call(SYS_EXIT_EXTENDED, end);
}

__asm__(".global start\nstart: bl run\n");
