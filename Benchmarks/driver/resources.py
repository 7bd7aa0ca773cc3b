"""What the daemon and its extensions take while nothing happens, and with many devices."""

import os
import subprocess
import time

import processes
from report import Row, Series, number, verdict
from setting import DEVICE, Missing, end, wait_for_device

MEGABYTE = 1024 * 1024


def idle(setting):
    """A daemon before its first need, with a picker open, and 50 s after it was closed."""
    rows = [floor_row(setting)]
    with setting.daemon() as daemon:
        # Idle worker threads end after some seconds, which is none of the daemon's doing.
        time.sleep(15)
        rows += idle_rows(setting, "daemon, never used", daemon.pid)
        with daemon.client():
            # Active scanning ends after 30 s.
            time.sleep(35)
            extensions = processes.children(daemon.pid)
            for pid in extensions:
                rows.append(memory_row(f"extension {processes.name(pid)}, picker open", pid, 15))
            rows.append(activity_row(setting, "picker open, nothing new: daemon and extensions",
                                     [daemon.pid] + extensions, is_budgeted=False))
        # Extensions end 30 s after the last need, worker threads some seconds later.
        time.sleep(50)
        rows += idle_rows(setting, "daemon, after use", daemon.pid)
    try:
        peak = peak_of([setting.peer("atvremote"), "scan"])
        rows.append(Row("peer: `atvremote scan`, peak resident", "-", f"{peak:.0f} MB"))
    except Missing as reason:
        rows.append(Row("peer: `atvremote scan`", "-", str(reason)))
    return rows


def floor_row(setting):
    process = subprocess.Popen([setting.floor, "wait"])
    try:
        time.sleep(15)
        return activity_row(setting, "floor: a program that used Dispatch once", [process.pid], is_budgeted=False)
    finally:
        end(process)


def idle_rows(setting, what, pid):
    return [memory_row(what, pid, 30), activity_row(setting, what, [pid])]


def memory_row(what, pid, budget):
    memory = processes.memory(pid)
    resident, anonymous, proportional = (
        value / MEGABYTE for value in (memory.resident, memory.anonymous, memory.proportional))
    return Row(
        f"{what}: memory",
        f"{resident:.1f} MB resident; {proportional:.1f} MB its share; {anonymous:.1f} MB its own",
        budget=f"<= {budget} MB", verdict=verdict(resident <= budget))


def activity_row(setting, what, pids, is_budgeted=True):
    before = [(pid, processes.activity(pid)) for pid in pids]
    time.sleep(setting.idle_seconds)
    since = [processes.activity_since(pid, earlier) for pid, earlier in before]
    used, woken = (sum(values) for values in zip(*since))
    share = used / setting.idle_seconds * 100
    row = Row(f"{what}: processor and wake-ups",
              f"{share:.3f} %; {woken} wake-ups in {setting.idle_seconds:.0f} s")
    if is_budgeted:
        row.budget, row.verdict = "0 %, 0", verdict(share < 0.005 and woken == 0)
    return row


def peak_of(command):
    """Megabytes."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    _, process.returncode, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss / 1024


def many_devices(setting):
    """An extension reports 1,000 and then, in a fresh daemon, 10,000 devices."""
    rows, per_device = [], {}
    for count in (1000, 10_000):
        measured = [reported(setting, count) for _ in range(max(1, setting.rounds // 3))]
        seconds = Series([time * 1000 for time, _, _ in measured])
        per_device[count] = seconds.median / count
        for what, index in (("daemon", 1), ("extension", 2)):
            grown = Series([values[index] / count / 1024 for values in measured], "KB")
            is_daemon = what == "daemon"
            rows.append(Row(f"{count:,} devices: {what}'s own memory a device", str(grown),
                            budget="<= 2 KB" if is_daemon else "-",
                            verdict=verdict(grown.median <= 2) if is_daemon else "-"))
        rows.append(Row(f"{count:,} devices: reported -> the last one's signal", str(seconds),
                        ratio=f"{per_device[count] * 1000:.0f} us a device"))
    ratio = per_device[10_000] / per_device[1000]
    rows.append(Row("time a device, 10,000 against 1,000", f"{number(ratio)} x", ratio=f"{ratio:.2f} x",
                    budget="linear (<= 1.5 x)", verdict=verdict(ratio <= 1.5)))
    return rows


def reported(setting, count):
    """Seconds, and how many bytes the daemon and the extension grew by."""
    with setting.daemon(with_extension=True) as daemon, daemon.client() as client:
        device = wait_for_device(client, "Benchmark")
        client.call(device, DEVICE, "Activate", "a{sv}", {})
        extension = daemon.extension()
        wait_until_quiet([daemon.pid, extension])
        before = [processes.memory(pid).anonymous for pid in (daemon.pid, extension)]
        begun = time.monotonic()
        client.post(device, DEVICE, "SendData", "ay", b"report %d" % count)
        seen = 0
        while seen < count:
            message = client.next_signal(20)
            if message is None:
                raise Missing(f"only {seen:,} of {count:,} devices came")
            seen += message.member == "InterfacesAdded"
        seconds = message.at - begun
        wait_until_quiet([daemon.pid, extension])
        after = [processes.memory(pid).anonymous for pid in (daemon.pid, extension)]
        return seconds, after[0] - before[0], after[1] - before[1]


def wait_until_quiet(pids, seconds=120):
    """Until they used less than a hundredth of a processor for a second."""
    deadline = time.monotonic() + seconds
    pids = list(pids)
    used = [processes.processor_seconds(pid) for pid in pids]
    while time.monotonic() < deadline:
        time.sleep(1)
        now = [processes.processor_seconds(pid) for pid in pids]
        if sum(now) - sum(used) < 0.01:
            return
        used = now
    raise Missing(f"not quiet after {seconds} s")
