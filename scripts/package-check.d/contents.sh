# shellcheck shell=bash
# What is in the packages, and whether the programs run where they are installed. Sourced by scripts/package-check.
# shellcheck disable=SC2154 # what scripts/package-check sets

contents() { # FOLDER
    local folder=$1 package file path
    say "what is in the packages"
    for package in "${packages[@]}"; do
        file=$(compgen -G "$folder/${package}_*.deb") || fail 1 "there is no $package in $folder"
        dpkg-deb --extract "$file" "$work/root"
        printf '    %-20s %6d kB packed %7d kB installed\n' "$package" $(($(stat --format=%s "$file") / 1024)) \
            "$(dpkg-deb --field "$file" Installed-Size)"
    done
    # Without them, packaging takes a third of the time (DEB_BUILD_OPTIONS=noautodbgsym).
    if compgen -G "$folder/mdhost-dbgsym_*.deb" >/dev/null; then
        for package in "${packages[@]:0:7}"; do
            compgen -G "$folder/${package}-dbgsym_*.deb" >/dev/null || fail 1 "$package has no debug symbols"
        done
        echo "    ok: debug symbols"
    fi
    expect "checksums hold" bash -c "cd '$folder' && sha256sum --quiet --check SHA256SUMS"
    while IFS= read -r -d '' file; do
        file --brief "$file" | grep --quiet ELF || continue
        path=$(readelf --dynamic "$file" | sed -nE 's/.*R(UN)?PATH.*\[(.*)\]/\2/p')
        [[ -z $path || $path == /usr/lib/mdhost/runtime ]] || fail 1 "${file#"$work/root"} has the RUNPATH $path"
        file --brief "$file" | grep --quiet 'not stripped' && fail 1 "${file#"$work/root"} is not stripped"
        if strings --all "$file" | grep --max-count=1 --fixed-strings -- "$tree/"; then
            fail 1 "${file#"$work/root"} tells where it was built"
        fi
    done < <(find "$work/root/usr/bin" "$work/root/usr/lib" -type f -print0)
    # Stripped programs still have the names of their Swift modules, and BoringSSL those of its files.
    if strings --all "$work/root/usr/bin/mdhost" |
        grep --max-count=1 --extended-regexp '^(AsyncHTTPClient|NIOHPACK|NIOHTTP2|NIOSSL|NIOTLS|X509)$|BoringSSL'; then
        fail 1 "the daemon and the command have TLS or HTTP/2"
    fi
    echo "    ok: no TLS and no HTTP/2 in the daemon and the command"
    echo "    ok: no search path outside of the package, no symbols, no path of this machine"
    for path in usr/lib/systemd/user/mdhost.{service,socket} usr/share/dbus-1/services/org.mdhost.service \
        usr/share/dbus-1/interfaces/org.mdhost.Manager1.xml usr/share/man/man1/mdhost.1.gz \
        usr/share/bash-completion/completions/mdhost usr/share/zsh/vendor-completions/_mdhost \
        usr/share/fish/vendor_completions.d/mdhost.fish usr/lib/mdhost/play-on usr/share/doc/mdhost/copyright \
        usr/share/doc/mdhost/third-party/swift-nio/NOTICE.txt usr/share/mdhost/sdk/Package.swift; do
        [[ -s $work/root/$path ]] || fail 1 "/$path is missing"
    done
    echo "    ok: units, bus files, interfaces, completions, manual pages and notices are there"
    if command -v systemd-analyze >/dev/null; then
        PATH=$work/root/usr/bin:$PATH unit_check "$work/root/usr/lib/systemd/user/mdhost.service"
    fi
    say "lintian"
    local checked=()
    mapfile -t checked < <(find "$folder" -name "*.deb" -not -name "*-dbgsym_*")
    lintian --tag-display-limit 0 --fail-on error,warning "${checked[@]}"
    echo "    ok: no error and no warning that isn't explained"
    say "the programs, where they are installed"
    if unshare --mount --user --map-root-user true 2>/dev/null; then
        run_installed
    else
        echo "    skipped: there are no namespaces here"
    fi
}

unit_check() { # UNIT
    local said
    said=$(systemd-analyze --user verify "$1" 2>&1 | grep "${1##*/}" | grep --invert-match 'not executable' || true)
    [[ -z $said ]] || fail 1 "systemd says: $said"
    echo "    ok: systemd understands the unit"
}

# With the packages' /usr over this machine's, and nothing of this machine's toolchain.
run_installed() {
    mkdir -p "$work/home"
    # shellcheck disable=SC2016
    unshare --mount --user --map-root-user bash -euc '
        mount --types overlay --options "lowerdir=$1/root/usr:/usr" overlay /usr
        export HOME=$1/home PATH=/usr/bin:/bin MDHOST_RUNTIME_DIRECTORY=$1/home/run
        unset LD_LIBRARY_PATH XDG_RUNTIME_DIR XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME DBUS_SESSION_BUS_ADDRESS
        cd "$HOME"
        mdhost --version
        mdhost discover --timeout 3 >/dev/null 2>&1
        mdhost extension list --json >extensions.json
        mdhost extension new Kitchen >/dev/null
        mdhost daemon --quit
        grep --quiet "path: \"/usr/share/mdhost/sdk\"" Kitchen/Package.swift
    ' _ "$work" || fail 1 "the installed programs do not work"
    expect "the daemon runs 8 extensions from /usr/lib/mdhost" test "$(grep --only-matching \
        '"path":"[^"]*"' "$work/home/extensions.json" | sed 's|\\\\/|/|g' | grep --count '"/usr/lib/mdhost/extensions/')" == 8
}
