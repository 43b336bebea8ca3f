#!/bin/sh
# The author of a CI job: the accepted counts in a file, and a job that fails when they rise.
. "$(dirname "$0")/journey.sh"
needs arm-linux-gnueabihf-gcc qemu-arm

program() {
    printf 'int main(void) { for (volatile int i = 0; i < %s; i++) ; return 0; }\n' "$1" >bench.c
    try 0 arm-linux-gnueabihf-gcc -O1 -static bench.c -o bench
}

program 10000
try 0 armpmu stat --stable --json=1 -e cycles,instructions -o accepted.json -- ./bench

# Nothing changed: another environment and another folder change nothing either.
mkdir elsewhere
cp bench elsewhere/bench
try 0 env ANOTHER=variable armpmu stat --stable --baseline accepted.json --fail-above cycles=0 -- elsewhere/bench

# Slower: status 3, and the event is named.
program 11000
try 3 armpmu stat --stable --baseline accepted.json --fail-above cycles=1 -- ./bench
says 'CPU_CYCLES'
# Within a generous limit, and the program's own failure is not hidden.
try 0 armpmu stat --stable --baseline accepted.json --fail-above cycles=50 -- ./bench
try 126 armpmu stat --stable --baseline accepted.json --fail-above cycles=1 -- "$SOURCE/README.md"

# The same for two recorded runs.
try 0 armpmu record -q -o new.data -- ./bench
program 10000
try 0 armpmu record -q -o old.data -- ./bench
try 3 armpmu diff --fail-above cycles=1 old.data new.data
says 'CPU_CYCLES'
