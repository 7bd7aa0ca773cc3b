#!/usr/bin/env bash
# An LE device that takes sound, paired by six digits: that both show, that the device shows, that are typed on the device;
# right and wrong. The device has privacy: only paired hosts know its identity address.
set -euo pipefail
# shellcheck source=Tests/BluetoothTests/Scenarios/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name="Bumble Earbuds"
earbuds=$(peer start earbuds peripheral --controller 1 --audio --private --name "$name" --capability yesno)
trap 'tail -n 5 "$HOME"/{comparison,display,keyboard} 2>/dev/null; peer log earbuds | tail -n 5' ERR
mkfifo "$HOME/answers"
exec 7<>"$HOME/answers"

# The device's last report of this kind.
reported() { # EVENT
    peer log earbuds | grep "^{\"event\": \"$1\"" | tail -n 1 | sed 's/.*"number": "\([0-9]*\)".*/\1/'
}

has_reported() { [[ -n $(reported "$1") ]]; }

# On a terminal, because only there instructions are printed.
begin() { # NAME
    script --quiet --flush --return --command "mdhost pair '$name'" "$HOME/$1" <&7 >/dev/null 2>&1 &
    pairing=$!
}

end() { # NAME
    local status=0
    wait "$pairing" || status=$?
    # Behind a prompt it follows what takes that back.
    tell "$1" "$status $(tr -d '\r' <"$HOME/$1" | grep --only-matching 'Paired with .*' || true)"
    tell "$1-bond" "$(bond "$earbuds")"
}

asks() { grep --quiet "$2" "$HOME/$1"; }

has_lasting_address() { mdhost devices --json | grep --quiet "00-AA-01-01-00-01"; }

again() { # CAPABILITY
    mdhost forget "$name" >/dev/null
    peer tell earbuds capability "$1"
    look_for "$name"
    look_no_more
}

look_for "$name"
tell listed "$(mdhost devices --json | tr -d '\n')"
look_no_more

begin comparison
await asks comparison "Does $name show"
tell comparison-asked "$(grep --only-matching 'show [0-9]*' "$HOME/comparison" | head -n 1)"
await has_reported compare
tell comparison-shown "show $(reported compare)"
echo >&7
end comparison
await has_lasting_address
tell listed-paired "$(mdhost devices --json | tr -d '\n')"

again display
tell listed-again "$(mdhost devices --json | tr -d '\n')"
begin display
await asks display "six digits"
await has_reported display
reported display >&7
end display

again keyboard
begin keyboard
await asks keyboard "Type [0-9]"
peer await earbuds enter 30 >/dev/null
peer tell earbuds enter "$(grep --only-matching 'Type [0-9]*' "$HOME/keyboard" | head -n 1 | cut -d ' ' -f 2)"
end keyboard

again display
attempt wrong "$name" "$earbuds" <<<000001
