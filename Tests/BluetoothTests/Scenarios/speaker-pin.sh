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
outcome wrong mdhost pair "$name" <<<1111
tell wrong-bond "$(bond "$speaker")"
outcome right mdhost pair "$name" <<<4321
tell right-bond "$(bond "$speaker")"
