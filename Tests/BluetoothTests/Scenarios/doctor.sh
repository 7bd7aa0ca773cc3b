#!/usr/bin/env bash
# The output of `mdhost doctor` if Bluetooth works, is blocked, is off, and without bluetoothd.
set -euo pipefail

findings() { # MOMENT
    mdhost doctor --json | /usr/bin/python3 -c '
import json, sys
for each in json.load(sys.stdin)["findings"]:
    if each["area"] == "bluetooth":
        print(sys.argv[1] + ":", each["code"], each["message"])' "$1" || true
}

# BlueZ may be doing something else still.
power() { # true|false
    local adapter=(org.bluez /org/bluez/hci0 org.bluez.Adapter1 Powered) tries
    for ((tries = 0; tries < 60; tries++)); do
        busctl --system set-property "${adapter[@]}" b "$1" || true
        [[ $(busctl --system get-property "${adapter[@]}") != "b $1" ]] || return 0
        sleep 0.5
    done
    echo "the adapter's power cannot be made $1"
    return 1
}

# Its number is another one where btvirt had to be started more than once.
block=(/sys/class/bluetooth/hci0/rfkill*/soft)
findings working
printf '1' >"${block[0]}"
findings blocked
printf '0' >"${block[0]}"
power true
power false
findings off
power true
pid=$(pidof bluetoothd)
kill "$pid"
for _ in $(seq 100); do
    [[ -e /proc/$pid ]] || break
    sleep 0.1
done
findings without
/usr/libexec/bluetooth/bluetoothd --nodetach &>/dev/null &
for _ in $(seq 100); do
    ! busctl --system get-property org.bluez /org/bluez/hci0 org.bluez.Adapter1 Address &>/dev/null || break
    sleep 0.2
done
findings again
