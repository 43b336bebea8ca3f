#!/bin/sh
# A Linux developer: why is this program slow, and where?
. "$(dirname "$0")/journey.sh"
needs arm-linux-gnueabihf-gcc qemu-arm

cat >walk.c <<'END'
#include <stdio.h>
#include <armpmu/mark.h>
static volatile int table[256][256];
static int columns(void)
{
    int sum = 0;
    for (int x = 0; x < 256; x++)
        for (int y = 0; y < 256; y++)
            sum += table[y][x];
    return sum;
}
int main(void)
{
    ARMPMU_REGION_BEGIN(walk);
    int sum = columns();
    ARMPMU_REGION_END(walk);
    printf("%d\n", sum);
    return 0;
}
END
try 0 arm-linux-gnueabihf-gcc -O1 -fno-inline -g -static -DARMPMU_MARK -I "$SOURCE/include" walk.c -o walk

# Counted at once, with the place that costs most.
try 0 armpmu stat -- ./walk
says '^0$' 'CPU_CYCLES' 'INST_RETIRED.*insn/cycle' 'Hot spot: columns, [0-9.]+ % of the cycles'
head -n 2 said | tail -n 1 | grep -q '^$' || { echo "no blank line before the report"; exit 1; }

# The region alone; a mistyped event, machine and command are answered with what is near.
try 0 armpmu stat --roi mark:walk -e L1D_CACHE_REFILL,cycles -- ./walk
says ' L1D_CACHE_REFILL +# +[0-9.]+ % of L1D accesses'
try 125 armpmu stat -e L1D_CACHE_REFIL -- ./walk
says 'did you mean .*L1D_CACHE_REFILL'
try 125 armpmu stat --machine cortex-a88 -- ./walk
says 'did you mean .*cortex-a8[, ?]'
try 127 armpmu stat -- ./wakl
says "'./wakl' is not there"

# Which line, and why.
try 0 armpmu record -o walk.data -- ./walk
try 0 armpmu report -i walk.data -s symbol,line -e cycles,L1D_CACHE_REFILL
says 'columns +walk.c:11'
try 0 armpmu annotate -i walk.data columns
says 'sum \+= table\[y\]\[x\]'

# A program that executes another, counted by process.
printf '#include <unistd.h>\nint main(void) { execl("./walk", "walk", (char *)0); return 1; }\n' >start.c
try 0 arm-linux-gnueabihf-gcc -O1 -static start.c -o start
try 0 armpmu stat --per-process -e instructions -- ./start
says 'start-1 ' 'walk-2 ' '1 program executed'
hides 'not counted'
