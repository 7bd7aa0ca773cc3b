#!/usr/bin/env bash
# A loudspeaker of before 2006, with a PIN code: none given, the wrong one, and the right one.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name="Bumble Speaker"
speaker=$(peer start speaker speaker --controller 1 --pin 4321)
look_for "$name"
look_no_more
outcome cancelled mdhost pair "$name" </dev/null
attempt wrong "$name" "$speaker" <<<1111
attempt right "$name" "$speaker" <<<4321
