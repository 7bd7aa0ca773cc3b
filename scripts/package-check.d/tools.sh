# shellcheck shell=bash
# Debian's own tests of packages: autopkgtest and piuparts. Sourced by scripts/package-check.
# shellcheck disable=SC2154 # what scripts/package-check sets

# autopkgtest, in the running system: it installs the packages itself, and runs debian/tests.
tests() { # FOLDER
    local status=0
    # What debian/tests/control wants is there before, as there is no network then.
    start_debian "$1" autopkgtest apt-utils dpkg-dev python3-minimal dbus-daemon
    mkdir "$root/tree"
    git -C "$tree" archive --format=tar HEAD -- debian | tar --extract --directory="$root/tree"
    say "autopkgtest"
    # The running system is the testbed: it is thrown away afterwards.
    inside bash -c 'autopkgtest --no-built-binaries /debs/mdhost*_*.deb /tree -- null' || status=$?
    # 2: passed, with tests skipped; none may be.
    [[ $status == 0 ]] || fail 1 "autopkgtest ended with $status"
}

# piuparts: what is left after installing and purging all packages, and after removing and installing again.
traces() { # FOLDER
    command -v piuparts >/dev/null || fail 77 "piuparts is not installed"
    make_debian
    say "piuparts"
    gzip --stdout --fast "$archive" >"$work/debian.tar.gz"
    local checked=()
    mapfile -t checked < <(find "$1" -name '*.deb' -not -name '*-dbgsym_*' | sort)
    piuparts --distribution bookworm --mirror 'http://deb.debian.org/debian main' --basetgz "$work/debian.tar.gz" \
        --skip-minimize --no-upgrade-test --install-remove-install --log-file "$directory/piuparts.log" \
        "${checked[@]}" >"$work/piuparts" 2>&1 ||
        { tail -n 30 "$work/piuparts" >&2; fail 1 "piuparts found something; all of it is in $directory/piuparts.log"; }
    grep --extended-regexp ' (INFO: PASS|ERROR|WARN)' "$work/piuparts" || true
}
