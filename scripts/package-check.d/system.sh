# shellcheck shell=bash
# A bare Debian 12 in which systemd runs. Sourced by scripts/package-check.
# shellcheck disable=SC2154 # what scripts/package-check sets

directory=${MDHOST_BARE_DIR:-/tmp/mdhost-bare-debian}
archive=$directory/debian-12-systemd.tar

make_debian() {
    [[ $(id -u) == 0 ]] || fail 77 "needs root"
    command -v debootstrap >/dev/null || fail 77 "debootstrap is not installed"
    local root=$directory/debootstrap
    [[ ! -s $archive ]] || return 0
    say "debootstrap (once)"
    mkdir -p "$directory"
    rm -rf "$root"
    debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,iproute2,procps \
        bookworm "$root" http://deb.debian.org/debian >"$directory/debootstrap.log" 2>&1 ||
        fail 1 "debootstrap failed; see $directory/debootstrap.log"
    tar --create --file "$archive.partial" --directory "$root" --numeric-owner .
    mv "$archive.partial" "$archive"
    rm -rf "$root"
}

in_root() { # COMMAND...: before it runs, with this machine's network
    # shellcheck disable=SC2016 # for the shell inside
    unshare --mount --pid --fork --kill-child bash -euc '
        root=$1
        shift
        mount --types proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        exec chroot "$root" env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
    ' _ "$root" "$@"
}

inside() { # COMMAND...: in the running system, as root
    nsenter --target "$system" --pid --mount --uts --ipc --net --cgroup \
        env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 "$@"
}

# As a person who is logged in.
as_anna() { # COMMAND...
    inside setpriv --reuid 1000 --regid 1000 --init-groups env HOME=/home/anna USER=anna XDG_RUNTIME_DIR=/run/user/1000 \
        DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus "$@"
}

boot() {
    local group=$unified/mdhost-package-check-$$
    mkdir "$group"
    # The group first, so that the namespace of groups begins there.
    bash -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' _ "$group" \
        setsid "$scripts/lab" in debian unshare --pid --mount --uts --ipc --cgroup --fork --kill-child \
        "$scripts/package-check.d/boot" "$root" </dev/null >"$directory/boot.log" 2>&1 &
    booting=$!
    cleanup=("kill $booting 2>/dev/null" "${cleanup[@]}")
    await 30 "systemd runs" find_system "$group"
    cleanup=("kill -KILL $system" "sleep 0.5" "find '$group' -depth -type d -exec rmdir {} +" "${cleanup[@]}")
    await 30 "it has started" bash -c "nsenter --target $system --pid --mount systemctl is-system-running 2>/dev/null |
        grep --quiet --extended-regexp 'running|degraded'"
}

find_system() { # GROUP
    system=$(head -n 1 "$1/init.scope/cgroup.procs" 2>/dev/null)
    [[ -n $system ]]
}

user_manager() { # is-active UNIT
    as_anna systemctl --user "$@"
}

# A fresh Debian with systemd running on the lab's LAN of receivers, in whose package cache is what the packages depend on.
start_debian() { # FOLDER PACKAGE...
    local folder=$1
    shift
    unified=$(findmnt --noheadings --output TARGET --types cgroup2 | head -n 1)
    [[ -n $unified && -w $unified ]] || fail 77 "there is no cgroup2 file system"
    export MDHOST_LAB_NAME=${MDHOST_LAB_NAME:-package-check}
    make_debian
    root=$directory/package-root
    say "unpacking a fresh Debian 12"
    rm -rf "$root"
    mkdir -p "$root"
    tar --extract --file "$archive" --directory "$root" --numeric-owner
    cleanup+=("rm -rf '$root'")
    cp --remove-destination /etc/hosts /etc/resolv.conf "$root/etc/"
    mkdir "$root/debs"
    cp "$folder"/*.deb "$root/debs/"
    in_root useradd --create-home --uid 1000 anna
    in_root apt-get update --quiet=2
    # Dependencies come from the mirror; all packages are installed in the running system, without a network.
    in_root bash -c 'apt-get install --quiet=2 --yes --download-only --no-install-recommends "$@" /debs/mdhost*_*.deb' \
        _ avahi-daemon "$@" >"$directory/download.log" 2>&1 ||
        { tail "$directory/download.log" >&2; fail 1 "the dependencies can't be had"; }
    rm -f "$root/etc/resolv.conf"
    "$scripts/lab" down
    "$scripts/lab" up a b c d
    cleanup+=("'$scripts/lab' down")
    "$scripts/lab" receivers start >/dev/null
    "$scripts/lab" up --plain debian
    say "booting it"
    boot
    inside apt-get install --quiet=2 --yes --no-install-recommends avahi-daemon "$@" >"$directory/tools.log" 2>&1
}
