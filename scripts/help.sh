# Read by scripts: 'SCRIPT --help' prints the comment at the head of SCRIPT, and nothing else happens.
case ${1:-} in
-h | --help)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
