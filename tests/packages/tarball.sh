#!/bin/sh
# Runs in an empty Debian: scripts/test-release. Beside it lie the tarball, journey.sh and Debian's busybox for 32-bit
# Arm.
begin=$(date +%s)
tar -C /opt -xzf /srv/armpmu-*-linux-*.tar.gz
ln -s /opt/armpmu-*/bin/armpmu /usr/local/bin/armpmu
armpmu stat -- /srv/busybox true && echo "first number after $(($(date +%s) - begin)) s"
ARMPMU=/usr/local/bin/armpmu
. "$(dirname "$0")/journey.sh"
if command -v cc || command -v qemu-arm; then
    echo "this Debian is not empty"
    exit 1
fi

# Counted, recorded, a page: within a minute.
try 0 armpmu stat -- /srv/busybox sha256sum /srv/busybox
says "^$(sha256sum /srv/busybox | cut -d ' ' -f 1)" ' [0-9,]{8,} +INST_RETIRED +#' ' [0-9,]{8,} +CPU_CYCLES +#'
try 0 armpmu record -q -o busybox.data -- /srv/busybox sha256sum /srv/busybox
try 0 armpmu convert --to html -o page.html -i busybox.data
grep -q '</html>' page.html
seconds=$(($(date +%s) - begin))
echo "a page after $seconds s"
[ $seconds -le 60 ] || exit 1

# All that the default needs is there; the same is counted each time.
try 0 armpmu doctor
says '^ok +qemu-arm +/opt/' '^ok +qemu-aarch64 +/opt/' '^ok +armpmu-qemu.so +/opt/' '^ok +Unicorn +/opt/' '^absent +qemu-system-arm '
try 0 armpmu stat --stable -j -e all -- /srv/busybox sha256sum /srv/busybox
cp said first
try 0 armpmu stat --stable -j -e all -- /srv/busybox sha256sum /srv/busybox
cmp first said
try 0 armpmu report -i busybox.data

# A program that executes another: its QEMU starts QEMU again. And the environment that it sees is the caller's.
try 0 armpmu stat --per-process -e instructions -- /srv/busybox sh -c '/srv/busybox true; exec /srv/busybox true'
says '2 programs? executed|1 program executed'
env -i ONLY=this "$ARMPMU" stat -o counts -- /srv/busybox env >said
[ "$(cat said)" = ONLY=this ] || { cat said; exit 1; }

# Programs with known counts, on QEMU and on Unicorn.
tar -C /opt -xzf /srv/armpmu-*-checks.tar.gz
try 0 armpmu check --core cortex-a8 L1D_CACHE_REFILL
try 0 armpmu check --core cortex-r4f INST_RETIRED

# Moved as a whole, and taken away by one command.
mv /opt/armpmu-* /srv/moved
try 0 /srv/moved/bin/armpmu stat -e instructions -- /srv/busybox true
