#!/usr/bin/env bash
# Failed pairings with an LE device: cancelled at the computer and at the device, no answer, the device
# disconnects. Each leaves nothing behind, and the pairing after them succeeds.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name="Bumble Earbuds"
trap 'tail -n 5 "$HOME"/{cancelled,refused,silent,gone} 2>/dev/null; peer log earbuds | tail -n 8' ERR

earbuds=$(peer start earbuds peripheral --controller 1 --audio --name "$name" --capability yesno)
look_for "$name"
look_no_more

asked() { [[ $(peer log earbuds | grep --count '"event": "compare"') -ge $1 ]]; }

attempt cancelled "$name" "$earbuds" </dev/null

peer tell earbuds answer reject
attempt refused "$name" "$earbuds" <<<""

peer tell earbuds answer never
attempt silent "$name" "$earbuds" <<<""

before=$(peer log earbuds | grep --count '"event": "compare"')
(outcome gone mdhost pair "$name" <<<"") &
pairing=$!
await asked $((before + 1))
peer tell earbuds disconnect
wait "$pairing"
tell gone-bond "$(bond "$earbuds")"

peer tell earbuds answer accept
attempt at-last "$name" "$earbuds" <<<""
