/* Opens and counts each event it is given, around a bit of everything.
 *
 * usage: every_event NUMBER...
 *
 * Prints: opened event=0xNN count=N, or refused event=0xNN reason=ERRNO */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "window.h"
#include "work.h"

static void count(unsigned event)
{
    struct perf_event_attr attributes = ooo_attributes(event);
    uint64_t value = 0;
    const int fd = ooo_event_open(&attributes, -1);

    if (fd < 0) {
        printf("refused event=0x%02x reason=%s\n", event, strerrorname_np(-fd));
        return;
    }
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    work_mixed();
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    if (read(fd, &value, sizeof value) == sizeof value)
        printf("opened event=0x%02x count=%llu\n", event, (unsigned long long)value);
    close(fd);
}

int main(int argc, char **argv)
{
    work_prepare();
    for (int i = 1; i < argc; i++)
        count((unsigned)strtoul(argv[i], NULL, 16));
    return 0;
}
