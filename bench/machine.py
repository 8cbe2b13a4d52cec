"""The machine under a measurement: what it is, whether it is quiet, and how much of it others took."""
import os
import resource
import time

TICKS = os.sysconf('SC_CLK_TCK')
QUIET_CORES = 0.15
SUPERUSER = os.geteuid() == 0


def busy_s():
    """Seconds that all processors together have worked since the start of the system."""
    with open('/proc/stat', encoding='ascii') as stat:
        times = [int(word) for word in stat.readline().split()[1:9]]
    idle_and_waiting = times[3] + times[4]
    return (sum(times) - idle_and_waiting) / TICKS


def process_s(pid):
    try:
        with open(f'/proc/{pid}/stat', encoding='utf-8') as stat:
            fields = stat.read().rpartition(')')[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    except (OSError, IndexError):
        return 0.0


def resident_kib(pid):
    with open(f'/proc/{pid}/status', encoding='utf-8') as status:
        for line in status:
            if line.startswith('VmRSS:'):
                return int(line.split()[1])
    return 0


def own_s():
    """This process and those of its children that have ended."""
    return sum(usage.ru_utime + usage.ru_stime for usage in
               (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)))


class Others:
    """with Others([pid of each server]) as others: ...; then others.cores is what all other programs took."""

    def __init__(self, pids):
        self.pids = pids
        self.cores = 0.0

    def _used(self):
        return busy_s() - own_s() - sum(process_s(pid) for pid in self.pids)

    def __enter__(self):
        self.begun, self.used = time.monotonic(), self._used()
        return self

    def __exit__(self, *_):
        self.cores = max(0.0, (self._used() - self.used) / (time.monotonic() - self.begun))


def others_now(seconds=0.5):
    with Others([]) as others:
        time.sleep(seconds)
    return others.cores


def wait_until_quiet(limit_s=20.0):
    """At most so long. Whether it is."""
    end = time.monotonic() + limit_s
    while others_now() > QUIET_CORES:
        if time.monotonic() > end:
            return False
    return True


def drop_page_cache():
    """Whether it was possible: for the superuser it is."""
    os.sync()
    try:
        with open('/proc/sys/vm/drop_caches', 'w', encoding='ascii') as file:
            file.write('3')
        return True
    except OSError:
        return False


def _value(path, name, separator):
    with open(path, encoding='utf-8') as file:
        for line in file:
            if line.startswith(name):
                return line.split(separator, 1)[1].strip().strip('"')
    return 'unknown'


def describe():
    """One line for the head of a table."""
    memory_gib = int(_value('/proc/meminfo', 'MemTotal', ':').split()[0]) / 1048576
    return (f"{os.cpu_count()} cores ({_value('/proc/cpuinfo', 'model name', ':')}), {memory_gib:.0f} GiB, "
            f"{_value('/etc/os-release', 'PRETTY_NAME', '=')}, {time.strftime('%Y-%m-%d')}")
