#!/usr/bin/env bash
# A loudspeaker's level and keys in both directions (AVRCP), the metadata it receives, and the reconnection when it
# disconnects during playback.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=Tests/BluetoothTests/Scenarios/sound-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sound-common.sh"

name="Bumble Speaker"
trap 'peer log speaker | tail -n 8; mdhost sessions --json; mdhost devices' ERR

playback() { mdhost sessions --json | tr -d '\n'; }
shows() { playback | grep --quiet "$1"; }
level() { mdhost devices --json | grep --only-matching '"volume":[^,}]*' | cut -d : -f 2; }
has_level() { [[ $(level) == "$1"* ]]; }
reports() { [[ $(peer log speaker | grep --count "\"event\": \"$1\"") -ge $2 ]]; }

signal flac 120 -metadata title="Two Sweeps" -metadata artist="The Oscillators" >"$HOME/signal.flac"
peer start speaker speaker --controller 1 --capability yesno >/dev/null
look_for "$name"
look_no_more
outcome paired mdhost pair "$name" <<<""
start_sound_server
outcome played mdhost play "$name" "$HOME/signal.flac" --detach
peer await speaker remote-started >/dev/null
await shows '"isPlaying":true'

mdhost volume "$name" 30
tell level-set "$(peer await speaker volume-set 30 '"level": 38')"
peer tell speaker volume 100
await has_level 0.787
tell level-of-speaker "$(level)"

peer tell speaker playing
tell told "$(peer await speaker playing | tr -d '\n')"
peer tell speaker press pause
await shows '"isPlaying":false'
tell key-pause "$(playback | grep --only-matching '"isPlaying":[a-z]*')"
peer tell speaker press play
await shows '"isPlaying":true'
tell key-play "$(playback | grep --only-matching '"isPlaying":[a-z]*')"

peer tell speaker disconnect
await reports remote-started 2
await reports stream-start 2
await shows '"state":"active"'
await shows '"isPlaying":true'
tell called-again "$(playback | grep --only-matching '"state":"[a-z]*"')"
outcome stopped mdhost stop "$name"
