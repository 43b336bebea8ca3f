#!/bin/sh
# Runs in a Debian in which the packages were just installed: scripts/test-deb. Beside it lie journey.sh and
# Debian's busybox for 32-bit Arm.
ARMPMU=/usr/bin/armpmu
. "$(dirname "$0")/journey.sh"
as_nobody() {
    setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
}
chmod 711 "$folder"

# Everything that the packages recommend is found, and it is small.
try 0 armpmu doctor
says '^ok +qemu-arm ' '^ok +qemu-aarch64 ' '^ok +armpmu-qemu.so +/usr/' '^ok +Unicorn ' '^absent +qemu-system-arm '
try 0 dpkg-query -W -f '${Installed-Size}\n' armpmu
[ "$(cat said)" -lt 8192 ] || { echo "more than 8 MB"; exit 1; }

# Busybox is counted, for a user without rights, the same each time.
try 0 as_nobody armpmu stat -- /srv/busybox sha256sum /srv/busybox
says "^$(sha256sum /srv/busybox | cut -d ' ' -f 1)" ' [0-9,]{8,} +INST_RETIRED +#' ' [0-9,]{8,} +CPU_CYCLES +#'
try 0 as_nobody armpmu stat -j -e all -- /srv/busybox echo once
cp said first
try 0 as_nobody armpmu stat -j -e all -- /srv/busybox echo once
cmp first said

# Programs with known counts, on QEMU and, in privileged states, on Unicorn.
try 0 armpmu check --core cortex-a8 L1D_CACHE_REFILL
try 0 armpmu check --core cortex-r4f INST_RETIRED

# Pages, documents, completion.
try 0 man -w armpmu armpmu-stat libarmpmu armpmu_pmu.h armpmu_create
try 0 test -s /usr/share/doc/armpmu/docs/install.md -o -s /usr/share/doc/armpmu/docs/install.md.gz
try 0 bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader armpmu; complete -p armpmu'
says '_armpmu'

# The libraries, by pkg-config.
try 0 sh -c 'cc /usr/share/doc/armpmu/examples/emulator_loop.c -o loop $(pkg-config --cflags --libs libarmpmu)'
try 0 ./loop
cat >machines.c <<'END'
#include <stdio.h>
#include <armpmu/machine.h>
int main(void)
{
    for (size_t i = 0; armpmu_machine_built_in(i) != NULL; i++)
        puts(armpmu_machine_built_in(i));
    return 0;
}
END
try 0 sh -c 'cc machines.c -o machines $(pkg-config --cflags --libs libarmpmu-sim)'
try 0 ./machines
says '^cortex-a8$' '^pxa255$'
