#!/usr/bin/env bash
# Sound for a loudspeaker, by way of a real PulseAudio: a file to its end, and streams of another program. Prints the audio that the
# loudspeaker received, for comparison with the signal. First without a sound server.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=Tests/BluetoothTests/Scenarios/sound-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sound-common.sh"

name="Bumble Speaker"
signal flac 4 >"$HOME/signal.flac"
peer start speaker speaker --controller 1 --capability yesno >/dev/null
look_for "$name"
look_no_more
outcome paired mdhost pair "$name" <<<""
outcome headless mdhost play "$name" "$HOME/signal.flac"
start_sound_server
outcome played mdhost play "$name" "$HOME/signal.flac"
tell_sound played-sound
signal wav 4 >"$HOME/signal.wav"
outcome streamed mdhost stream "$name" <"$HOME/signal.wav"
tell_sound streamed-sound
# As a program makes it. An emulated processor needs a second of it ahead.
signal s16le 4 >"$HOME/signal.raw"
outcome live mdhost stream "$name" --format s16le --latency 1000 <"$HOME/signal.raw"
tell_sound live-sound
