#!/usr/bin/env bash
# examples/bluetooth-lamp: finds the peripheral, connects it, reads its level and is told of another one.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

level() {
    mdhost devices --json | /usr/bin/python3 -c '
import json, sys
for device in json.load(sys.stdin):
    if device["extension"] == "org.example.bluetooth-lamp":
        print(device.get("volume"))'
}

await_level() { # BEGINNING
    local tries found=
    for ((tries = 0; tries < 30; tries++)); do
        found=$(level)
        [[ $found != "$1"* ]] || break
        sleep 0.5
    done
    echo "$found"
}

folder=$XDG_DATA_HOME/mdhost/extensions/Lamp.mdext
mkdir -p "$folder"
cp examples/bluetooth-lamp/Sources/BluetoothLamp/Lamp.mdext/Info.plist "$folder/"
cp "$PROGRAMS/BluetoothLamp" "$folder/"

peer start lamp peripheral --controller 1 >/dev/null
await_daemon
mdhost discover --watch --json >"$HOME/watch" 2>&1 &
watch=$!
echo "connected: $(peer await lamp connected 90 | grep -o '"event": "connected"')"
echo "subscription: $(peer await lamp subscription 60 8E7F0002 | grep -o '"notifies": true')"
echo "read: $(await_level 0.039)"
peer tell lamp level 80
echo "notified: $(await_level 0.50)"
mdhost pair "Bumble Lamp" >/dev/null
echo "blinked: $(peer await lamp blinked 60 | grep -o '"value": "[0-9a-f]*"')"
peer tell lamp change
for ((tries = 0; tries < 60; tries++)); do
    logged=$(mdhost extension logs org.example.bluetooth-lamp)
    [[ $logged != *"changed its services"* ]] || break
    sleep 0.5
done
echo "length: $(grep -o 'blinks [0-9]* times' <<<"$logged" | tail -n 1)"
echo "changed: $(grep -o 'changed its services.*' <<<"$logged" | tail -n 1)"
peer tell lamp level 40
echo "read anew: $(await_level 0.25)"
# On a busy machine it may have lost the daemon by now.
kill "$watch" 2>/dev/null || true
