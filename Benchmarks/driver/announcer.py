"""Announces so many services through Avahi, as many devices would, and answers on a port of its own for each.

    announcer.py PREFIX COUNT FIRST-PORT

Prints `published N of COUNT` when Avahi has published them and `refused …` for what its limits refuse, and ends with its
standard input.
"""

import selectors
import socket
import sys

from wire import CallFailed, Connection

AVAHI = "org.freedesktop.Avahi"
SYSTEM_BUS = "/run/dbus/system_bus_socket"
TYPE = "_mdhost-bench._tcp"
ANY = -1
GROUP_ESTABLISHED = 2
# `entries-per-entry-group-max`: how many services Avahi takes in a group.
GROUP_SIZE = 32


def main():
    prefix, count, port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    selector = selectors.DefaultSelector()
    selector.register(sys.stdin, selectors.EVENT_READ)
    for number in range(count):
        listener = socket.create_server(("", port + number), family=socket.AF_INET6, dualstack_ipv6=True, backlog=8)
        listener.setblocking(False)
        selector.register(listener, selectors.EVENT_READ)
    bus = Connection(SYSTEM_BUS, greets=True)
    published, refused = publish(bus, prefix, count, port)
    for reason in sorted(refused):
        print(f"refused {refused[reason]}: {reason}", flush=True)
    print(f"published {published} of {count}", flush=True)
    while True:
        for key, _ in selector.select():
            if key.fileobj is sys.stdin:
                return
            try:
                key.fileobj.accept()[0].close()
            except OSError:
                pass


def publish(bus, prefix, count, port):
    """How many were published, and how often what was refused."""
    groups, refused, added = [], {}, 0
    for number in range(count):
        if number % GROUP_SIZE == 0:
            (group,) = bus.call("/", AVAHI + ".Server", "EntryGroupNew", to=AVAHI)
            groups.append(group)
        try:
            bus.call(groups[-1], AVAHI + ".EntryGroup", "AddService", "iiussssqaay", ANY, ANY, 0,
                     f"{prefix} {number:04}", TYPE, "", "", port + number, [b"fn=%d" % number], to=AVAHI)
            added += 1
        except CallFailed as error:
            refused[error.args[0]] = refused.get(error.args[0], 0) + 1
    for group in groups:
        bus.call(group, AVAHI + ".EntryGroup", "Commit", to=AVAHI, timeout=120)
    for group in groups:
        # Avahi has its hands full meanwhile.
        while bus.call(group, AVAHI + ".EntryGroup", "GetState", to=AVAHI, timeout=120)[0] < GROUP_ESTABLISHED:
            bus.next_signal(0.2)
    return added, refused


if __name__ == "__main__":
    main()
