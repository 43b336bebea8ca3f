# Sourced by each journey, which runs in a folder of its own with armpmu in PATH.
#   ARMPMU SOURCE LIBRARY   the command, the sources, libarmpmu.a
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PATH=$(dirname "$ARMPMU"):$PATH
cd "$folder"

# Runs the command after the expected status; what it says on both streams goes to `said`.
try() {
    wanted=$1
    shift
    status=0
    "$@" >said 2>&1 </dev/null || status=$?
    echo "\$ $*"
    cat said
    [ "$status" -eq "$wanted" ] || { echo "status $status, not $wanted"; exit 1; }
}

# What was said has lines that match each of these.
says() {
    for pattern; do
        grep -Eq -- "$pattern" said || { echo "nothing that matches '$pattern'"; exit 1; }
    done
}

# What was said has no such line.
hides() {
    ! grep -Eq -- "$1" said || { echo "a line matches '$1'"; exit 1; }
}

# The journey needs a program that is not here: status 77 is a skipped test.
needs() {
    for tool; do
        command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 77; }
    done
}
