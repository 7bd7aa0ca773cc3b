#!/usr/bin/env bash
# The cost of 500 peripherals during discovery: processor and memory, beside bluetoothd's.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Peripherals that bluetoothd has heard by now; it notes the name of each in a file, and asking it takes longer than they do.
known() { find /var/lib/bluetooth -path '*/cache/C0:00:00:*' -printf '%f\n' | sort --unique | wc --lines; }

program() { # PATTERN
    pgrep --full "$1" | head -n 1
}

# Hundredths of a second of processor time so far.
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

memory() { awk '/^VmRSS/ { printf "%d", $2 / 1024 }' "/proc/$1/status"; }

await_daemon
peer start crowd crowd --controller 1 --count 500 --sound-every 10 >/dev/null
mdhost discover --watch --json >"$HOME/watch" 2>/dev/null &
watching=$!
most=0
for ((polls = 0; polls < 60; polls++)); do
    count=$(known)
    ((count <= most)) || most=$count
    ((most < 480)) || break
    sleep 1
done
tell known "$most"
declare -A before
programs=(bluetoothd daemon extension)
declare -A process=([bluetoothd]=$(program libexec/bluetooth/bluetoothd) [daemon]=$(program 'mdhost daemon')
    # As the kernel cuts its name.
    [extension]=$(pgrep --exact mdhost-bluetoot | head -n 1))
for each in "${programs[@]}"; do before[$each]=$(ticks "${process[$each]}"); done
peer await crowd round 120 >/dev/null
sleep 30
for each in "${programs[@]}"; do
    tell "$each" "$(($(ticks "${process[$each]}") - before[$each])) ticks, $(memory "${process[$each]}") MB"
done
# The peripherals that accept sound; those without a signal are removed again.
tell listed "$(grep --only-matching '"name":"Bumble [0-9]*"' "$HOME/watch" | sort --unique | wc --lines)"
kill "$watching"
