#!/usr/bin/env bash
# Failed pairings: no answer at the device, the device disconnects, bluetoothd is restarted. Each is followed by one that
# succeeds. And no scanning without discovery.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name="Bumble Speaker"
trap 'tail -n 5 "$HOME"/{silent,gone,restarted} 2>/dev/null; peer log speaker | tail -n 8' ERR

asked() { [[ $(peer log speaker | grep --count '"event": "\(compare\|confirm\)"') -ge $1 ]]; }

# With the answer that a person would give at once.
begin() { # NAME
    (outcome "$1" mdhost pair "$name" <<<"") &
    pairing=$!
}

is_discovering() { busctl --system get-property org.bluez "/org/bluez/$1" org.bluez.Adapter1 Discovering; }
is_quiet() { [[ $(is_discovering hci0) == "b false" && $(is_discovering hci2) == "b false" ]]; }

btmon --write "$HOME/btsnoop" >/dev/null 2>&1 &
monitor=$!
speaker=$(peer start speaker speaker --controller 1 --capability yesno)
outcome discovered mdhost discover
tell bluetoothctl "$(bluetoothctl info "$speaker" | tr -s '\n\t' ' ')"
# Scanning ends a while after discovery.
await is_quiet
kill "$monitor"
wait "$monitor" || true
tell looks "$(btmon --read "$HOME/btsnoop" 2>/dev/null | awk '/MGMT Event: Discovering/ { who = $(NF - 1) }
    /^ *Discovery: / && who { printf "%s %s; ", who, $2; who = "" }')"
timeout 10 btmon >"$HOME/idle" 2>&1 || true
grep --quiet "Bluetooth monitor" "$HOME/idle"
tell idle-scans "$(grep --count --extended-regexp 'Discovering|HCI Command: (Inquiry|LE Set.* Sca)' "$HOME/idle" || true)"

peer tell speaker answer never
begin silent
await asked 1
wait "$pairing"
tell silent-bond "$(bond "$speaker")"

begin gone
await asked 2
peer tell speaker disconnect
wait "$pairing"
tell gone-bond "$(bond "$speaker")"

begin restarted
await asked 3
kill -KILL "$(pgrep --full libexec/bluetooth/bluetoothd)"
wait "$pairing"
/usr/libexec/bluetooth/bluetoothd --nodetach >/run/bluetooth-lab/bluetoothd.again 2>&1 &
# A hardware controller gives up by itself without an answer.
peer tell speaker disconnect
peer tell speaker answer accept
look_for "$name"
look_no_more
attempt at-last "$name" "$speaker" <<<""
