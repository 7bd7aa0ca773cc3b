# shellcheck shell=bash
# The functions that scenarios with pairing share.

tell() { printf '%s: %s\n' "$1" "$2"; }

await() { # COMMAND...
    local tries
    for ((tries = 0; tries < 60; tries++)); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.5
    done
    echo "in vain: $*"
    return 1
}

# The daemon is there: where the computer is busy, it takes longer to load than a command waits for it.
await_daemon() {
    local tries
    for ((tries = 0; tries < 6; tries++)); do
        ! mdhost devices >/dev/null 2>&1 || return 0
    done
    echo "the daemon does not start"
    return 1
}

# Whether any adapter has a bond with the device, as BlueZ itself says; `gone` where none knows it.
bond() { # ADDRESS
    local adapter value found=gone
    for adapter in hci0 hci1 hci2; do
        value=$(busctl --system get-property org.bluez "/org/bluez/$adapter/dev_${1//:/_}" org.bluez.Device1 Paired \
            2>/dev/null) || continue
        [[ $found == true ]] || found=${value#b }
    done
    printf '%s' "$found"
}

is_forgotten() { [[ $(bond "$1") == gone ]]; } # ADDRESS

# Whether no adapter has a connection to the device.
is_disconnected() { # ADDRESS
    local adapter
    for adapter in hci0 hci1 hci2; do
        [[ $(busctl --system get-property org.bluez "/org/bluez/$adapter/dev_${1//:/_}" org.bluez.Device1 Connected \
            2>/dev/null) != "b true" ]] || return 1
    done
}

# Somebody looks for devices from now on, and has this one listed. A look around takes seconds, and may miss one.
look_for() { # NAME
    local polls
    await_daemon
    mdhost discover --watch --json >"$HOME/watch" 2>/dev/null &
    watching=$!
    for ((polls = 0; polls < 180; polls++)); do
        ! grep --quiet "$1" "$HOME/watch" || return 0
        sleep 0.5
    done
    echo "mdhost does not find $1"
    return 1
}

look_no_more() {
    kill "$watching" 2>/dev/null || true
    wait "$watching" || true
}

# A pairing, with a person's input, and BlueZ's state of the device afterwards.
attempt() { # NAME DEVICE ADDRESS
    outcome "$1" mdhost pair "$2"
    tell "$1-bond" "$(bond "$3")"
}

# Its exit code and all it said, in a line.
outcome() { # NAME COMMAND...
    local what=$1 status=0
    shift
    timeout 100 "$@" >"$HOME/$what" 2>&1 || status=$?
    tell "$what" "$status $(tr '\n' ' ' <"$HOME/$what")"
}
