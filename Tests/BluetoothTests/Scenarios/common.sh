# shellcheck shell=bash
# What scenarios share.

# Lines `NAME: VALUE` are what a test reads.
tell() { printf '%s: %s\n' "$1" "$2"; }

# Has BlueZ look around until it knows the device. It looks for LE first and for five seconds, and may miss one.
discover() { # ADDRESS
    local tries
    for ((tries = 0; tries < 3; tries++)); do
        timeout 30 bluetoothctl --timeout 15 scan on >/dev/null 2>&1 &
        local scan=$! polls
        for ((polls = 0; polls < 40; polls++)); do
            if busctl --system get-property org.bluez "/org/bluez/hci0/dev_${1//:/_}" org.bluez.Device1 Address \
                >/dev/null 2>&1; then
                kill "$scan" 2>/dev/null || true
                wait "$scan" || true
                return 0
            fi
            sleep 0.4
        done
        wait "$scan" || true
    done
    echo "bluetoothctl does not find $1"
    return 1
}

# What BlueZ says about a device, one property a line.
properties() { # ADDRESS
    bluetoothctl info "$1" | sed 's/^[[:space:]]*//'
}

# Has bluetoothctl pair, as an agent that consents to whatever needs no answer.
pair() { # ADDRESS CAPABILITY
    local orders=$HOME/orders result=$HOME/result tries
    rm -f "$orders" "$result"
    mkfifo "$orders"
    timeout 90 bluetoothctl --agent "$2" <"$orders" >"$result" 2>&1 &
    exec 4>"$orders"
    for ((tries = 0; tries < 100; tries++)); do
        ! grep --quiet 'Agent registered' "$result" || break
        sleep 0.2
    done
    echo "pair $1" >&4
    for ((tries = 0; tries < 300; tries++)); do
        ! grep --quiet 'Pairing successful\|Failed to pair' "$result" || break
        sleep 0.2
    done
    echo quit >&4
    exec 4>&-
    wait "$!" || true
    grep --quiet 'Pairing successful' "$result" || {
        tail -n 20 "$result"
        return 1
    }
}
