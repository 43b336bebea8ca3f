# Sourced by what fetches packages from Debian without touching the system's own state.
#
#   private_apt_in FOLDER ARCHITECTURE TYPE   prepares; TYPE is deb or deb-src
#   private_apt ARGUMENTS                     runs apt-get with that state
#   check_pins ARCHIVE...                     compares archives, or the .dsc of sources, with scripts/pins
#   unpack ARCHIVE FOLDER [MEMBER...]         takes files out of one
#   find_mirror                               sets $mirror to the archive of Debian to fetch from
#
# Packages are those of the release in $release, on whatever system: the same programs are counted everywhere. Where
# $suite is another one, such as bookworm-backports, it has pins of its own.
# They come from the mirror in the system's own list of sources (ARMPMU_DEBIAN_MIRROR overrides
# it) and are verified with Debian's archive keys, whatever the system's apt would let pass: of its
# configuration only the way to the network counts. The caller defines fail MESSAGE.
#
# scripts/pins has the version and the hash of each package that tests rest on. Debian's archive keeps
# no old versions, so what is newer there is taken with a warning, as it is signed; STRICT_PINS=1 ends
# there. What is older than pinned, or differs at the same version, is never taken. PINS_OUT=FILE gets
# a row for each package and nothing is compared: scripts/update-pins.
pins=${ARMPMU_PINS:-$(pwd)/scripts/pins}
suite=

# The first active source that is a Debian archive.
system_mirror() {
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources; do
        [ -r "$list" ] || continue
        grep -E '^(deb|URIs:)[[:space:]]' "$list" | grep -oE '[a-z]+://[^[:space:]]+/debian/?' || :
    done | head -n 1
}

find_mirror() {
    mirror=${ARMPMU_DEBIAN_MIRROR:-$(system_mirror)}
    [ -n "$mirror" ] ||
        fail "no Debian archive in /etc/apt/sources.list*; name one: ARMPMU_DEBIAN_MIRROR=URL"
}

# What the system's apt knows of proxies and the like.
network_settings() {
    apt-config dump | grep -E '^Acquire::(Retries|ForceIPv[46]|https?::(Proxy|CAInfo)[^ ]*) ' || :
}

private_apt_in() {
    apt=$1
    architecture=$2
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg

    command -v apt-get >/dev/null || fail "this system has no apt-get"
    [ -r $keyring ] || fail "$keyring is missing; scripts/setup installs debian-archive-keyring"
    find_mirror

    mkdir -p "$apt/lists/partial" "$apt/archives/partial"
    : >"$apt/status"
    echo "$3 [signed-by=$keyring] $mirror $release main" >"$apt/sources.list"
    # Read first, this file keeps apt from reading the system's. A proxy may have a password.
    : >"$apt/apt.conf"
    chmod 600 "$apt/apt.conf"
    {
        network_settings
        for setting in Parts Main Preferences PreferencesParts SourceParts; do
            echo "Dir::Etc::$setting \"/dev/null\";"
        done
        for setting in APT::Get::AllowUnauthenticated Acquire::AllowInsecureRepositories \
            Acquire::AllowWeakRepositories Acquire::AllowDowngradeToInsecureRepositories; do
            echo "$setting \"false\";"
        done
    } >"$apt/apt.conf"
}

private_apt() {
    LC_ALL=C APT_CONFIG="$apt/apt.conf" apt-get -qq -o APT::Architecture="$architecture" \
        -o APT::Architectures="$architecture" \
        -o Dir::State="$apt" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt" \
        -o Dir::Etc::SourceList="$apt/sources.list" \
        -o APT::Sandbox::User= -o APT::Install-Recommends=false "$@" </dev/null >&2
}

# One archive; $moved and $unpinned gather what is to be said.
check_pin() {
    case $1 in
    *.dsc)
        set="$release/source"
        package=$(sed -n 's/^Source: //p' "$1")
        version=$(sed -n 's/^Version: //p' "$1")
        ;;
    *)
        set="${suite:-$release}/$architecture"
        package=$(dpkg-deb --show --showformat='${Package}' "$1")
        version=$(dpkg-deb --show --showformat='${Version}' "$1")
        ;;
    esac
    hash=$(sha256sum <"$1")
    hash=${hash%% *}
    if [ -n "${PINS_OUT:-}" ]; then
        echo "$set $package $version $hash" >>"$PINS_OUT"
        return
    fi
    pin=$(awk -v set="$set" -v package="$package" \
        '$1 == set && $2 == package { print $3, $4 }' "$pins")
    pinned=${pin% *}
    if [ -z "$pin" ]; then
        unpinned="$unpinned
    $package $version"
    elif [ "$pinned" = "$version" ]; then
        [ "$pin" = "$version $hash" ] || fail "$package $version is not the one in scripts/pins: its" \
            "SHA256 is $hash there should be ${pin#* }. Nothing of it is used; try another mirror" \
            "(ARMPMU_DEBIAN_MIRROR) and report it"
    elif dpkg --compare-versions "$version" lt "$pinned"; then
        fail "$package $version is older than $pinned in scripts/pins: an archive does not go back." \
            "Nothing of it is used; try another mirror (ARMPMU_DEBIAN_MIRROR)"
    else
        moved="$moved
    $package $pinned is pinned, the archive has $version"
    fi
}

check_pins() {
    moved=''
    unpinned=''
    for file in "$@"; do
        check_pin "$file"
    done
    [ -n "$moved$unpinned" ] || return 0
    text=''
    [ -z "$moved" ] || text="the archive of Debian ($release/$architecture) has moved on:$moved
"
    [ -z "$unpinned" ] || text="${text}not in scripts/pins ($release/$architecture):$unpinned
"
    [ "${STRICT_PINS:-0}" != 1 ] || fail "${text}STRICT_PINS=1 takes none of it. Without, what Debian has signed" \
        "is taken; scripts/update-pins writes a table of what the archive has now"
    echo "$0: WARNING: ${text}Debian has signed them: taken. Figures may differ from those written down;" \
        "scripts/update-pins writes a table of what the archive has now" >&2
}

# As the caller's own files, without set-user-ID and set-group-ID bits.
unpack() {
    unpacked=$1 into=$2
    shift 2
    dpkg-deb --fsys-tarfile "$unpacked" |
        tar -x --no-same-owner --no-same-permissions --keep-directory-symlink -C "$into" "$@"
}
