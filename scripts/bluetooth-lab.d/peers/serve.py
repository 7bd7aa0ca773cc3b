"""Starts peers on request, so that Bumble is loaded once a run: that takes longer than all that a peer does.

Reads lines from a pipe, `NAME ROLE OPTION...` each, and makes a process for each. See ../peer, which writes them.
"""

import importlib
import os
import shlex
import signal
import sys
import traceback

import common
import crowd
import peripheral
import speaker

ROLES = {"speaker": speaker, "peripheral": peripheral, "crowd": crowd}


def become(name: str, role: str, options: list[str]) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log = os.open(common.path(name, "log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for descriptor in (1, 2):
        os.dup2(log, descriptor)
    with open(common.path(name, "pid"), "w") as file:
        file.write(f"{os.getpid()}\n")
    try:
        common.run(ROLES[role].make, name, options)
    except BaseException as error:
        traceback.print_exc()
        common.report("failed", reason=f"{type(error).__name__}: {error}")
        sys.stdout.flush()
        os._exit(1)
    os._exit(0)


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    requests = os.path.join(common.FOLDER, "requests")
    # Open for writing too, so that it does not end with its first writer.
    with os.fdopen(os.open(requests, os.O_RDWR)) as lines:
        with open(os.path.join(common.FOLDER, "serving"), "w"):
            pass
        for line in lines:
            name, role, *options = shlex.split(line)
            if os.fork() == 0:
                become(name, role, options)


if __name__ == "__main__":
    # What Bumble loads late, every peer would have to load for itself.
    for module in ("bumble.transport.hci_socket", "bumble.keys", "json"):
        importlib.import_module(module)
    main()
