# Sourced by what runs in a Debian of its own, with nothing in it but debootstrap's smallest set of packages.
#
#   bare_needs_root            ends unless root runs this
#   bare_root                  makes a folder, $root, that goes when the script ends
#   bare_install RELEASE       installs Debian there, from the system's own archive or ARMPMU_DEBIAN_MIRROR
#   inside COMMAND...          runs a command there, as root, with /proc, /dev and devpts of its own
#
# The caller sources scripts/private_apt.sh first and defines fail MESSAGE.

bare_needs_root() {
    [ "$(id -u)" -eq 0 ] || fail "debootstrap needs root: sudo $0"
}

bare_root() {
    root=$(mktemp -d)
    chmod 755 "$root"
    trap 'rm -rf "$root"' EXIT
    trap 'exit 130' INT TERM HUP
}

bare_install() {
    find_mirror
    debootstrap --variant=minbase --keyring=/usr/share/keyrings/debian-archive-keyring.gpg "$1" "$root" "$mirror" &&
        network_settings >"$root/etc/apt/apt.conf.d/90network" &&
        echo "127.0.0.1 localhost" >"$root/etc/hosts" &&
        rm -rf "$root"/var/cache/apt/archives/*.deb
}

# All of it in a namespace for mounts, so nothing stays mounted whatever ends the command.
inside() {
    # shellcheck disable=SC2016 # expanded by the shell in the namespace
    unshare --mount --pid --fork --mount-proc sh -c '
        root=$1
        shift
        mount -t proc proc "$root/proc" &&
            mount -t tmpfs -o mode=755 dev "$root/dev" &&
            for node in null zero full random urandom tty; do
                : >"$root/dev/$node" && mount --bind "/dev/$node" "$root/dev/$node" || exit 1
            done &&
            mkdir "$root/dev/pts" "$root/dev/shm" &&
            mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$root/dev/pts" &&
            mount -t tmpfs -o mode=1777 shm "$root/dev/shm" &&
            ln -s pts/ptmx "$root/dev/ptmx" &&
            ln -s /proc/self/fd "$root/dev/fd" &&
            ln -s fd/0 "$root/dev/stdin" && ln -s fd/1 "$root/dev/stdout" && ln -s fd/2 "$root/dev/stderr" || exit 1
        exec chroot "$root" env -i LC_ALL=C HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            DEBIAN_FRONTEND=noninteractive "$@"
    ' sh "$root" "$@"
}
