# Sourced by what fetches packages from Debian without touching the system's own state.
#
#   private_apt_in FOLDER ARCHITECTURE TYPE   prepares; TYPE is deb or deb-src
#   private_apt ARGUMENTS                     runs apt-get with that state
#
# Packages come from the mirror in the system's own list of sources (ARMPMU_DEBIAN_MIRROR overrides
# it) and are verified with Debian's archive keys. The caller defines fail MESSAGE.

# The first active source that is a Debian archive.
system_mirror() {
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources; do
        [ -r "$list" ] || continue
        grep -E '^(deb|URIs:)[[:space:]]' "$list" | grep -oE '[a-z]+://[^[:space:]]+/debian/?' || :
    done | head -n 1
}

# The release this system is, if it is Debian.
system_suite() {
    (. /etc/os-release && [ "$ID" = debian ] && echo "${VERSION_CODENAME:-}") || :
}

private_apt_in() {
    apt=$1
    architecture=$2
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg

    command -v apt-get >/dev/null || fail "this system has no apt-get"
    [ -r $keyring ] || fail "$keyring is missing; scripts/setup installs debian-archive-keyring"
    mirror=${ARMPMU_DEBIAN_MIRROR:-$(system_mirror)}
    [ -n "$mirror" ] ||
        fail "no Debian archive in /etc/apt/sources.list*; name one: ARMPMU_DEBIAN_MIRROR=URL"
    suite=$(system_suite)

    mkdir -p "$apt/lists/partial" "$apt/archives/partial"
    : >"$apt/status"
    echo "$3 [signed-by=$keyring] $mirror ${suite:-bookworm} main" >"$apt/sources.list"
}

private_apt() {
    LC_ALL=C apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o Dir::State="$apt" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt" \
        -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=- \
        -o APT::Sandbox::User= -o APT::Install-Recommends=false "$@" </dev/null >&2
}
