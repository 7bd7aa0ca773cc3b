# shellcheck shell=bash
# The life of the packages: installed, used, upgraded, removed, purged. Sourced by scripts/package-check.
# shellcheck disable=SC2154 # what scripts/package-check sets

# The MPD without a password.
port=6601

lifecycle() { # FOLDER [NEXT]
    local folder=$1 next=${2:-} package left
    start_debian "$folder"
    if [[ -n $next ]]; then
        mkdir "$root/next"
        cp "$next"/*.deb "$root/next/"
    fi
    ffmpeg -v error -f lavfi -i sine=frequency=440:duration=600 -ar 44100 -ac 2 "$root/home/anna/long.wav"
    chmod 644 "$root/home/anna/long.wav"
    files_before=$(inside find / -xdev -name '*mdhost*' -not -path '/proc/*' -not -path '/debs/*' -not -path '/next/*')

    say "installing"
    inside bash -c 'apt-get install --yes --no-install-recommends /debs/mdhost*_*.deb' >"$directory/install.log" 2>&1 ||
        { tail -n 20 "$directory/install.log" >&2; fail 1 "apt-get install failed"; }
    grep --quiet 'Setting up mdhost ' "$directory/install.log" || fail 1 "mdhost wasn't set up"
    inside loginctl enable-linger anna
    await 20 "anna's service manager runs" user_manager is-active --quiet default.target
    expect "its socket waits" user_manager is-active --quiet mdhost.socket
    expect "the daemon doesn't run before it is needed" bash -c "! $(declare -f inside as_anna user_manager); system=$system
        ! user_manager is-active --quiet mdhost.service"

    say "discovering"
    as_anna mdhost discover | tee "$work/devices"
    for package in "Living Room" "Open Room" "MPD Room" "Shair Room"; do
        expect "$package is found" grep --quiet "$package" "$work/devices"
    done
    expect "systemd started the daemon" user_manager is-active --quiet mdhost.service
    expect "no extension has failed" bash -c "$(declare -f inside as_anna); system=$system
        ! as_anna mdhost extension list --json | grep --quiet 'cannot be'"
    expect "extensions are confined as far as anywhere" bash -c "$(declare -f inside as_anna); system=$system
        as_anna mdhost extension info DLNA --json | grep --quiet system-calls"
    as_anna busctl --user introspect org.mdhost /org/mdhost org.mdhost.Manager1 | head -n 4

    say "playing"
    # Files of this computer, so that the daemon is needed for every byte; longer than any player's buffer.
    as_anna mdhost play "Living Room" /home/anna/long.wav --detach
    as_anna mdhost play "Open Room" /home/anna/long.wav --detach
    as_anna mdhost sessions
    first=$(user_manager show --property MainPID --value mdhost.service)

    if [[ -n $next ]]; then
        say "upgrading while it plays"
        follow_playback &
        follower=$!
        inside bash -c 'apt-get install --yes --no-install-recommends /next/mdhost*_*.deb' >"$directory/upgrade.log" 2>&1 ||
            { tail -n 20 "$directory/upgrade.log" >&2; fail 1 "the upgrade failed"; }
        await 60 "another daemon has taken over" successor_serves
        sleep 2
        touch "$work/upgraded"
        wait "$follower" || fail 1 "the music stopped during the upgrade"
        as_anna mdhost sessions
        expect "the session is under control" as_anna mdhost pause "Open Room"
        as_anna mdhost resume "Open Room"
        expect "the service is as it was" user_manager is-active --quiet mdhost.service
        expect "its socket, too" user_manager is-active --quiet mdhost.socket
    fi

    say "logging out and in"
    inside systemctl stop user@1000.service
    inside systemctl start user@1000.service
    await 20 "the socket waits again" user_manager is-active --quiet mdhost.socket
    expect "devices are found" bash -c "$(declare -f inside as_anna); system=$system; as_anna mdhost discover | grep --quiet 'Living Room'"

    say "removing while it plays"
    as_anna mdhost play "Living Room" "http://10.77.0.4:8099/tone.mp3" --detach
    inside bash -c 'apt-get remove --yes "mdhost*"' >"$directory/remove.log" 2>&1 ||
        { tail -n 20 "$directory/remove.log" >&2; fail 1 "removal failed"; }
    expect "no process is left" bash -c "$(declare -f inside); system=$system; ! inside pgrep --list-full mdhost"
    expect "configuration is left" inside test -e /etc/ufw/applications.d/mdhost

    say "purging"
    inside bash -c 'apt-get purge --yes "mdhost*"' >"$directory/purge.log" 2>&1 ||
        { tail -n 20 "$directory/purge.log" >&2; fail 1 "purging failed"; }
    left=$(inside find / -xdev -name '*mdhost*' -not -path '/proc/*' -not -path '/debs/*' -not -path '/next/*' \
        -not -path '/home/*' -not -path '/var/cache/apt/*' -not -path '/sys/*')
    [[ $left == "$files_before" ]] || { printf 'left:\n%s\n' "$left" >&2; fail 1 "purging left something"; }
    echo "    ok: nothing is left outside of homes"
    echo "    in anna's home:"
    inside find /home/anna -name 'mdhost' -printf '        %p\n'
}

# Whether the process of the service is another one, of the installed program, and answers.
successor_serves() {
    local now
    now=$(user_manager show --property MainPID --value mdhost.service)
    [[ $now != "$first" && $now != 0 ]] || return 1
    [[ $(inside readlink "/proc/$now/exe") == /usr/bin/mdhost ]] || return 1
    [[ $(as_anna mdhost status --json | grep --only-matching '"processID":[0-9]*' | head -n 1) == *":$now" ]]
}

# Until the upgrade is over: the player plays all the time, and never falls behind. Its clock is its own, and may be fast.
follow_playback() {
    local result=0
    # shellcheck disable=SC2016
    "$scripts/lab" in c bash -c '
        while [[ ! -e $1 ]]; do
            exec 3<>"/dev/tcp/127.0.0.1/$2"
            printf "status\nclose\n" >&3
            awk -v now="$(date +%s.%N)" "/^state: / { state = \$2 } /^elapsed: / { at = \$2 }
                END { printf \"%s %.3f %.3f\n\", state, at, now - at }" <&3
            exec 3>&-
            sleep 0.1
        done' _ "$work/upgraded" "$port" >"$work/places"
    awk '$1 != "play" { print "    the player is in state " $1 " after " last " s"; exit 1 }
        least == "" || $3 < least { least = $3 }
        $3 - least > most { most = $3 - least }
        { last = $2; if (first == "") first = $2 }
        END {
            printf "    played from %.1f s to %.1f s, at most %.2f s late, in %d looks\n", first, last, most, NR
            exit !(most < 0.5 && NR > 10)
        }' "$work/places" || result=1
    return "$result"
}
