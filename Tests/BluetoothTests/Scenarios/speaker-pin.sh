#!/usr/bin/env bash
# A loudspeaker of before 2006, with a PIN code: none given, the wrong one, and the right one, after bluetoothd has
# forgotten the loudspeaker.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name="Bumble Speaker"
speaker=$(peer start speaker speaker --controller 1 --pin 4321)
look_for "$name"
look_no_more
outcome cancelled mdhost pair "$name" </dev/null
attempt wrong "$name" "$speaker" <<<1111
# 30 s after the attempt (TemporaryTimeout).
for _ in 1 2; do ! await is_forgotten "$speaker" || break; done
tell forgotten "$(bond "$speaker")"
attempt right "$name" "$speaker" <<<4321
