# shellcheck shell=bash
# The functions that the lab's scripts share: folders, state, and ways into the namespaces. Sourced, never run.

lab_name=${MDHOST_LAB_NAME:-main}
lab_dir=${MDHOST_LAB_DIR:-/tmp/mdhost-lab-$(id -u)/$lab_name}
# shellcheck disable=SC2034
lab_tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export MDHOST_LAB_NAME=$lab_name MDHOST_LAB_DIR=$lab_dir
# The daemons live in sbin, which is not on everyone's path.
export PATH=$PATH:/usr/sbin:/sbin

fail() { # CODE MESSAGE
    echo "lab: $2" >&2
    exit "$1"
}

[[ $lab_name =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || fail 64 "'$lab_name' is no name for a LAN (MDHOST_LAB_NAME)"

# Tries a command every 20 ms until it succeeds; after SECONDS shows the log and fails.
await() { # SECONDS WHAT LOG COMMAND...
    local seconds=$1 what=$2 log=$3
    shift 3
    local deadline=$((SECONDS + seconds + 1))
    until "$@"; do
        if ((SECONDS >= deadline)); then
            tail -n 20 "$log" >&2 || true
            fail 1 "waited ${seconds} s for $what in vain"
        fi
        sleep 0.02
    done
}

# MARK: capabilities of this machine

# Prints root or user: how namespaces can be made here.
namespace_mode() {
    if [[ $(id -u) == 0 ]] && unshare --net --mount --pid --fork --mount-proc true 2>/dev/null; then
        echo root
    else
        echo user
    fi
}

# Exits with 77 and the reason if the lab can't run here.
require_lab() {
    local tool missing=() namespaces=() reason
    for tool in ip nsenter unshare setpriv setsid pgrep flock hostname dbus-daemon avahi-daemon; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    [[ ${#missing[@]} -eq 0 ]] ||
        fail 77 "skipped: not installed: ${missing[*]} (packages: iproute2 util-linux procps hostname dbus avahi-daemon)"
    [[ $(namespace_mode) == user ]] && namespaces=(--user --map-root-user)
    reason=$(unshare "${namespaces[@]}" --net --mount --pid --fork --mount-proc sh -c \
        'ip link add probe0 type bridge && ip link add probe1 type veth peer name probe2' 2>&1) ||
        fail 77 "skipped: no namespaces with bridge and veth here (${reason//$'\n'/; }); run it as root, or allow unprivileged user namespaces"
}

# MARK: the LAN

# Inside `lab at` the LAN's own process numbers are in view and no way in is needed.
inside_lan() { [[ ${MDHOST_LAB_INSIDE:-} == "$lab_name" ]]; }

remember_lan() { # PID
    echo "$1 $(readlink "/proc/$1/ns/pid")" >"$lab_dir/pid"
}

lan_pid() {
    if inside_lan; then echo 1; else cut -d' ' -f1 "$lab_dir/pid"; fi
}

# A process number alone may have been reused since: the namespace must be the recorded one.
lan_is_up() {
    inside_lan && return
    [[ -s $lab_dir/pid ]] || return 1
    local pid namespace
    read -r pid namespace <"$lab_dir/pid"
    [[ $(readlink "/proc/$pid/ns/pid" 2>/dev/null) == "$namespace" ]]
}

lan_is_down() { ! lan_is_up; }

require_lan() {
    lan_is_up || fail 69 "LAN '$lab_name' is not up; start it with: scripts/lab up"
}

# Sets `entrance` to the command prefix that leads to the switch's namespaces. Ending nsenter ends its command.
find_entrance() {
    local pid user=()
    pid=$(lan_pid)
    if inside_lan; then
        entrance=(nsenter --target "$pid" --net --uts --wdns="$PWD" setpriv --pdeathsig TERM --)
        return
    fi
    [[ $(readlink "/proc/$pid/ns/user") == "$(readlink /proc/self/ns/user)" ]] || user=(--user --preserve-credentials)
    entrance=(nsenter --target "$pid" "${user[@]}" --net --mount --uts --ipc --pid --wdns="$PWD"
        setpriv --pdeathsig TERM --)
}

in_lan() { # COMMAND...
    local entrance
    find_entrance
    "${entrance[@]}" "$@"
}

# MARK: hosts

# The number of a host's first process, as the LAN counts.
host_pid() { cat "$lab_dir/$1/pid"; }

host_is_up() {
    [[ -s $lab_dir/$1/pid ]] && in_lan kill -0 "$(host_pid "$1")" 2>/dev/null
}

require_host() { # HOST
    require_lan
    host_is_up "$1" || fail 69 "host '$1' is not up; start it with: scripts/lab up $1"
}

# The environment of a program in a host: that host's buses, its own state, and nothing of the desktop outside.
# What a shell without job control starts in the background ignores SIGINT and SIGQUIT, and so do all its children.
host_environment() { # HOST
    local directory=$lab_dir/$1
    environment=(env --default-signal=INT,QUIT -u DISPLAY -u WAYLAND_DISPLAY -u XAUTHORITY -u SESSION_MANAGER -u MDHOST_LAB_INSIDE
        MDHOST_LAB=1
        "MDHOST_LAB_HOST=$1"
        "XDG_RUNTIME_DIR=/run/user/0"
        "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket"
        "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/0/bus"
        "XDG_STATE_HOME=$directory/state"
        "XDG_DATA_HOME=$directory/data"
        "XDG_CONFIG_HOME=$directory/config")
}

exec_in_host() { # HOST COMMAND...
    local host=$1 entrance environment
    shift
    find_entrance
    host_environment "$host"
    exec "${entrance[@]}" nsenter --target "$(host_pid "$host")" --net --mount --uts --ipc --pid --wdns="$PWD" \
        setpriv --pdeathsig TERM -- "${environment[@]}" "$@"
}

# The host's network, files and buses with the LAN's processes: /proc has to be the LAN's too.
exec_at_host() { # HOST COMMAND...
    local host=$1 entrance environment
    shift
    find_entrance
    host_environment "$host"
    # shellcheck disable=SC2016
    exec "${entrance[@]}" nsenter --target "$(host_pid "$host")" --net --mount --uts --ipc --wdns="$PWD" \
        unshare --mount -- sh -c 'mount -t proc proc /proc && exec "$@"' sh \
        "${environment[@]}" "MDHOST_LAB_INSIDE=$lab_name" "$@"
}
