#!/usr/bin/env bash
# A loudspeaker that is switched off and on, with and without a client that watches the list; paired and not.
# Prints how many seconds the list takes to be true again.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name="Bumble Speaker"

switch_on() { speaker=$(peer start speaker speaker --controller 1 --capability yesno); }

# bluetoothd takes the controller back when the peer leaves it, and the other adapters would hear it at the speaker's address.
switch_off() {
    peer stop speaker
    await busctl --system set-property org.bluez /org/bluez/hci1 org.bluez.Adapter1 Powered b false
}

# Its state in the list.
state() { # COMMAND...
    "$@" --json | /usr/bin/python3 -c '
import json, sys
found = [d["availability"] for d in json.load(sys.stdin) if d["name"] == sys.argv[1]]
print(found[0] if found else "absent")' "$name"
}

is_ready() { [[ $(state mdhost devices) == ready ]]; }
is_not_ready() { ! is_ready; }

# Until the condition holds, in seconds; 999 for never.
seconds_until() { # CONDITION SECONDS
    local begin=$SECONDS
    while ! "$1"; do
        if ((SECONDS - begin > $2)); then
            echo 999
            return
        fi
        sleep 0.5
    done
    echo $((SECONDS - begin))
}

switch_on
look_for "$name"
tell unpaired-ready "$(seconds_until is_ready 90)"
switch_off
tell unpaired-gone "$(seconds_until is_not_ready 120)"
switch_on
tell unpaired-back "$(seconds_until is_ready 120)"
look_no_more
attempt paired "$name" "$speaker" <<<""
bluetoothctl disconnect "$speaker" >/dev/null || true
# Neither side of a virtual connection notices that the other is gone: it would count as connected for ever, and so as there.
await is_disconnected "$speaker"
switch_off
# Until the daemon has ended discovery.
await is_not_ready
sleep 1
begin=$SECONDS
tell unwatched-off "$(state mdhost discover)"
tell unwatched-seconds $((SECONDS - begin))
