#!/usr/bin/env python3
"""make soak: mixed load at half of full speed for a long time, with restarts. Flat or not?

Two clients: bench/load plays games, each move with its reads, as an open loop at half of what it gets in a closed one;
people.py does everything else that users do, and holds each answer against those before. The daemon gets its socket handed
over and is replaced SOAK_RESTARTS times, at the beginning and at the end of the run: by one that waits already, by one
after kill -9, and by one after the other, in turns; its clients go on. Every SOAK_EVERY seconds it is looked at. At the end
everything acknowledged has to be in the store, `arbiterd check` finds nothing, and what flat.py says of each figure decides:
exit status 1 where one is not flat.

SOAK_SECONDS       3600
SOAK_RESTARTS      10
SOAK_EVERY         5
SOAK_RATE          requests a second of bench/load; half of full speed, which is looked for
SOAK_PEOPLE_RATE   100 a second, of all people together
SOAK_MEMORY        1MiB for live games, so that most of them rest in the store soon
SOAK_SEED          1
SOAK_SAMPLES       a file for all samples, a line of JSON each
BENCH_FOLDER       where the store is made: an hour takes a gigabyte or two"""
import argparse
import collections
import contextlib
import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import threading
import time

import machine
import people
import servers
from soak_report import Interval, Report, Restart, say

PERSONS, WATCHERS = 8, 4
FULL_S = 4              # full speed is looked for
CONNECTIONS = 32
KINDS = ('takeover', 'kill', 'in turn')
# Small, so that they are full soon.
CACHES = ['--limit-answer-cache-bytes', '1048576', '--limit-picture-cache-bytes', '131072']
EDGE = 0.3              # of the run, at either end: with restarts
Target = collections.namedtuple('Target', 'url conf pid')


def plan(restarts):
    """At which shares of the run: half of them early and half late, so that there is a long life in the middle, and the
    first third and the last one are alike."""
    early, late = (restarts + 1) // 2, restarts // 2
    return [EDGE * (i + 1) / early for i in range(early)] + [1 - EDGE + EDGE * i / late for i in range(late)]


class Daemon(servers.Program):
    """With the socket handed over, as a service manager does it."""

    def __init__(self, soak, count):
        command = [soak.kit.program('arbiterd'), '--db', f'sqlite:{soak.store}', '--memory', soak.memory, '--log-level', 'warn',
                   '--log-format', 'json', *CACHES]
        inherited = soak.socket.fileno()
        super().__init__(f'arbiterd-{count}', ['sh', '-c', 'LISTEN_PID=$$ exec "$@"', 'sh', *command], soak.folder,
                         env={**os.environ, 'LISTEN_FDS': '1'}, pass_fds=(3,),
                         preexec_fn=lambda: os.dup2(inherited, 3))  # and nothing more: there are other threads

    def log(self):
        with open(self.log_path, encoding='utf-8', errors='replace') as log:
            return log.read().splitlines()

    def complaints(self):
        return [line for line in self.log() if '"level":"error"' in line]


class Soak:
    def __init__(self, kit, seconds, restarts, every):
        self.kit, self.seconds, self.every = kit, seconds, every
        self.memory = os.environ.get('SOAK_MEMORY', '1MiB')
        self.folder = kit.folder()
        self.store = os.path.join(self.folder, 'arbiter.db')
        self.socket = socket.create_server(('127.0.0.1', 0), backlog=1024)
        self.port = self.socket.getsockname()[1]
        self.planned = [seconds * share for share in plan(restarts)]
        self.restarts, self.samples, self.intervals, self.daemons = [], [], [], []
        self.daemon = self.people = self.load = None
        self.rate = 0
        self.load_errors = ''

    # ---- the daemons -------------------------------------------------------------------------------------------------

    def _start(self):
        daemon = Daemon(self, len(self.daemons))
        self.daemons.append(daemon)
        return daemon

    def _end(self, restart):
        self.daemon.stop(signal.SIGKILL if restart.kind == 'kill' else signal.SIGTERM)
        restart.stopped, restart.exit_status = time.monotonic(), self.daemon.process.returncode

    def restart(self, kind):
        following = None
        if kind == 'takeover':
            following = self._start()
            following.wait_for_line('another arbiterd has the store')
        restart = Restart(kind, time.monotonic())
        self._end(restart)
        self.daemon = following or self._start()
        self.daemon.wait_for_line('listening on ')
        restart.ready = time.monotonic()
        self.restarts.append(restart)
        self.people.restarted()
        say(f'soak: {kind}: ended after {1000 * (restart.stopped - restart.begun):.0f} ms, the next one ready after '
            f'{1000 * (restart.ready - restart.stopped):.0f} ms')

    # ---- what is looked at -------------------------------------------------------------------------------------------

    def _metrics(self):
        with contextlib.closing(http.client.HTTPConnection('127.0.0.1', self.port, timeout=servers.READY_S)) as connection:
            connection.request('GET', '/metrics', headers={'Connection': 'close'})
            lines = connection.getresponse().read().decode().splitlines()
        return {name: float(value) for name, value in (line.rsplit(' ', 1) for line in lines if line[0] != '#')}

    def _pages(self):
        with contextlib.closing(sqlite3.connect(f'file:{self.store}?mode=ro', uri=True)) as store:
            return store.execute('PRAGMA page_count').fetchone()[0] * store.execute('PRAGMA page_size').fetchone()[0]

    def _acted(self):
        """Versions that were acknowledged so far."""
        return sum(interval.actions() for interval in self.intervals) + self.people.tally.versions

    def _threads(self):
        return len(os.listdir(f'/proc/{self.daemon.pid}/task'))

    def sample(self, begun):
        told = self._metrics()
        self.samples.append({
            't': time.monotonic() - begun, 'life': len(self.restarts), 'acted': self._acted(), 'threads': self._threads(),
            'resident': machine.resident_kib(self.daemon.pid), 'games': told['arbiter_games_live'],
            'games_kib': told['arbiter_games_memory_bytes'] / 1024, 'connections': told['arbiter_http_connections'],
            'descriptors': told['process_open_fds'] - told['arbiter_http_connections'],
            'loads': told['arbiter_games_loads_total'], 'log': os.path.getsize(f'{self.store}-wal'), 'store': self._pages(),
            'others': machine.busy_s() - machine.own_s() - machine.process_s(self.load.pid) - machine.process_s(self.daemon.pid)})

    def _read_load(self):
        ended = time.monotonic()
        for line in self.load.stdout:
            begun, ended = ended, time.monotonic()
            self.intervals.append(Interval(begun, ended, json.loads(line), self.people.tally.take_times()))

    # ---- the course --------------------------------------------------------------------------------------------------

    def full_speed(self):
        """Requests a second in a closed loop, of another daemon."""
        with self.kit.arbiterd(None, '--log-level', 'warn') as server:
            figures = self.kit.load(server, 'mix', seconds=FULL_S, warmup=1, connections=CONNECTIONS)
        return figures['requests'] / figures['seconds']

    def run(self, people_rate, seed):
        with open(self.kit.games(80), encoding='ascii') as file:
            scripts = [line.split('\t')[0].split() for line in file]
        self.people = people.People(self.port, scripts, people_rate, PERSONS, WATCHERS, seed)
        self.daemon = self._start()
        self.daemon.wait_for_line('listening on ')
        target = Target(f'http://127.0.0.1:{self.port}', os.path.join(servers.HERE, 'soak.conf'), 0)
        command = self.kit.load_command(target, 'mix', rate=self.rate, seconds=self.seconds, warmup=0, every=self.every,
                                        connections=CONNECTIONS, patient=True)
        begun = time.monotonic()
        with open(os.path.join(self.folder, 'load.log'), 'w', encoding='utf-8') as log:
            self.load = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        reader = threading.Thread(target=self._read_load)
        reader.start()
        self.people.begin()
        try:
            self._watch(begun)
            reader.join()
            self.load.wait()
            say('soak: over; it is looked at once more')
            self.people.end()
            self.sample(begun)
        finally:
            self.people.is_over.set()
            self.load.kill()
            for daemon in self.daemons:
                daemon.stop()
        with open(log.name, encoding='utf-8') as file:
            self.load_errors = file.read()

    def _watch(self, begun):
        following = self.every
        while self.load.poll() is None:
            now = time.monotonic() - begun
            if self.planned and now >= self.planned[0]:
                self.planned.pop(0)
                self.restart(KINDS[len(self.restarts) % len(KINDS)])
            elif now >= following:
                following = now + self.every
                self.sample(begun)
            else:
                time.sleep(0.05)
            if self.daemon.process.poll() is not None:
                words = '\n'.join(self.daemon.log()[-20:])
                raise servers.Failure(f'arbiterd has ended by itself, exit status {self.daemon.process.returncode}\n{words}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build/release')
    options = parser.parse_args()
    seconds = float(os.environ.get('SOAK_SECONDS', '3600'))
    with servers.Kit(options.build) as kit:
        soak = Soak(kit, seconds, int(os.environ.get('SOAK_RESTARTS', '10')), float(os.environ.get('SOAK_EVERY', '5')))
        say(f'Machine: {machine.describe()}\n')
        soak.rate = float(os.environ.get('SOAK_RATE', '0')) or soak.full_speed() / 2
        say(f'soak: {soak.rate:,.0f} requests a second for {seconds:g} s')
        soak.run(float(os.environ.get('SOAK_PEOPLE_RATE', '100')), int(os.environ.get('SOAK_SEED', '1')))
        report = Report(soak, CONNECTIONS + PERSONS + WATCHERS + 1)
        if os.environ.get('SOAK_SAMPLES'):
            report.keep_samples(os.environ['SOAK_SAMPLES'])
        report.print()
        if not report.judge():
            raise SystemExit(1)


if __name__ == '__main__':
    servers.main(main)
