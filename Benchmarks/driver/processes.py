"""What the kernel knows of a process: memory, time on the processor, wake-ups."""

import dataclasses
import glob
import os


@dataclasses.dataclass
class Memory:
    """All in bytes."""

    resident: int
    anonymous: int
    proportional: int


def memory(pid):
    values = _fields(f"/proc/{pid}/status")
    return Memory(values["VmRSS"], values["RssAnon"], _fields(f"/proc/{pid}/smaps_rollup")["Pss"])


def _fields(path):
    values = {}
    with open(path) as file:
        for line in file:
            name, _, rest = line.partition(":")
            if rest.endswith(" kB\n"):
                values[name] = int(rest.split()[0]) * 1024
    return values


def processor_seconds(pid):
    """Time on a processor of the threads that there are, to the nanosecond."""
    return sum(int((_read(f"{task}/schedstat") or "0").split()[0]) for task in _tasks(pid)) / 1e9


def whole_seconds(pid):
    """Time on a processor of all its threads, those that ended too, to a hundredth of a second."""
    fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def activity(pid):
    """For each thread: nanoseconds on a processor, and how often it was woken or pushed off it."""
    found = {}
    for task in _tasks(pid):
        switches = [int(line.split()[1]) for line in _read(f"{task}/status").splitlines() if "ctxt_switches" in line]
        found[task] = int((_read(f"{task}/schedstat") or "0").split()[0]), sum(switches)
    return found


def activity_since(pid, before):
    """Seconds on a processor and wake-ups since `before`; a thread that ended meanwhile was woken at least for that."""
    nanoseconds = switches = 0
    after = activity(pid)
    for task, (time, count) in after.items():
        earlier_time, earlier_count = before.get(task, (0, 0))
        nanoseconds += time - earlier_time
        switches += count - earlier_count
    return nanoseconds / 1e9, switches + len(before.keys() - after.keys())


def _tasks(pid):
    return glob.glob(f"/proc/{pid}/task/*")


def children(pid):
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        text = _read(path)
        if text and int(text.rpartition(")")[2].split()[1]) == pid:
            found.append(int(path.split("/")[2]))
    return found


def name(pid):
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    except OSError:
        return "?"


def _read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""
