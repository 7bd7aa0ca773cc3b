#!/usr/bin/env bash
# A loudspeaker as a person uses it: found, paired by confirmation, known to a daemon that is started anew, forgotten,
# and paired again.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name="Bumble Speaker"
speaker=$(peer start speaker speaker --controller 1 --capability yesno)
look_for "$name"
tell listed "$(mdhost devices --json | tr -d '\n')"
tell bluetoothctl "$(bluetoothctl info "$speaker" | tr -s '\n\t' ' ')"
look_no_more
attempt cancelled "$name" "$speaker" </dev/null
peer tell speaker answer reject
attempt refused "$name" "$speaker" <<<""
peer tell speaker answer accept
attempt confirmed "$name" "$speaker" <<<""
mdhost daemon --quit
# Known without discovery, and paired: only a sound server is missing.
outcome after-restart mdhost pair "$name" </dev/null
outcome forgotten mdhost forget "$name"
tell forgotten-bond "$(bond "$speaker")"
look_for "$name"
look_no_more
attempt again "$name" "$speaker" <<<""
