#!/usr/bin/env bash
# examples/bluetooth-lamp: finds the peripheral, connects it, reads its level and is notified of a change.
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

await_log() { # TEXT COUNT
    local tries
    for ((tries = 0; tries < 60; tries++)); do
        logged=$(mdhost extension logs org.example.bluetooth-lamp)
        [[ $(grep -c "$1" <<<"$logged") -lt $2 ]] || break
        sleep 0.5
    done
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
begun=$SECONDS
await_log "came back" 1
echo "refused: $(grep -o 'no channel: .*' <<<"$logged")"
echo "channel: $(grep -o 'channel [0-9]* is open' <<<"$logged")"
echo "echo: $(grep -o 'a program of .*' <<<"$logged")"
peer tell lamp close
await_log "has closed the channel" 1
echo "closed: $(grep -c 'has closed the channel' <<<"$logged"), $(peer await lamp channel-closed 30 | grep -c channel-closed)"
echo "channel seconds: $((SECONDS - begun))"
peer tell lamp change
await_log "changed its services" 1
echo "length: $(grep -o 'blinks [0-9]* times' <<<"$logged" | tail -n 1)"
echo "changed: $(grep -o 'changed its services.*' <<<"$logged" | tail -n 1)"
peer tell lamp level 40
echo "read anew: $(await_level 0.25)"
# A second channel ends with the connection.
mdhost pair "Bumble Lamp" >/dev/null
await_log "came back" 2
echo "again: $(grep -c 'came back, unchanged' <<<"$logged")"
peer tell lamp disconnect
await_log "has closed the channel" 2
echo "vanished: $(grep -c 'has closed the channel' <<<"$logged")"
# On a busy machine it may have lost the daemon by now.
kill "$watch" 2>/dev/null || true
