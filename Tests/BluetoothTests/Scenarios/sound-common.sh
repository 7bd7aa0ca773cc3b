# shellcheck shell=bash
# The functions that scenarios with sound share: a real PulseAudio, a signal, and the audio that the loudspeaker received.

start_sound_server() {
    pulseaudio -n --daemonize=no --exit-idle-time=-1 --realtime=no --high-priority=no --disable-shm=yes \
        -L module-native-protocol-unix -L module-bluetooth-discover -L module-bluetooth-policy \
        >"$HOME/pulseaudio" 2>&1 &
    # `run-scenarios` ends it: the next scenario has one of its own, and would lose the devices to this one.
    echo "$!" >"$HOME/pulseaudio.pid"
    await pactl info
}

# Left and right are sweeps that meet in no place.
signal() { # FORMAT SECONDS [OPTION...]
    ffmpeg -loglevel error -f lavfi -i \
        "aevalsrc=0.5*sin(2*PI*(300*t+100*t*t))|0.5*sin(2*PI*(2000*t-150*t*t)):s=44100:d=$2" "${@:3}" -f "$1" -
}

sent=0

# All that the loudspeaker was sent since this was asked the last time.
tell_sound() { # NAME
    local sound=/run/bluetooth-lab/speaker.sbc size
    size=$(stat --format=%s "$sound")
    tell "$1" "$(tail --bytes=+$((sent + 1)) "$sound" | head --bytes=$((size - sent)) | base64 --wrap=0)"
    sent=$size
}
