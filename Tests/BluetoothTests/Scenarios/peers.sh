#!/usr/bin/env bash
# The lab itself: Bumble's devices as an independent program, bluetoothctl, sees them.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

lamp=$(peer start lamp peripheral --controller 1 --charge 64)
speaker=$(peer start speaker speaker --controller 2)
tell lamp "$lamp"
tell speaker "$speaker"
discover "$lamp"
discover "$speaker"
properties "$lamp" | sed 's/^/lamp /'
properties "$speaker" | sed 's/^/speaker /'

# Pairing by consent alone; the bond brings the battery.
pair "$lamp" NoInputNoOutput
peer await lamp pairing 20 >/dev/null
for _ in $(seq 20); do
    battery=$(properties "$lamp" | sed -n 's/^Battery Percentage: //p')
    [[ -z $battery ]] || break
    sleep 0.5
done
tell battery "$battery"
