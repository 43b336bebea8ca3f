/* Preloaded: the computer calls itself an Arm board, for what armpmu does on one alone. */
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

__attribute__((visibility("default"))) int uname(struct utsname *system)
{
    const int status = (int)syscall(SYS_uname, system);

    strcpy(system->machine, "aarch64");
    strcpy(system->release, "6.1.21-v8+");
    return status;
}
