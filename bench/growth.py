#!/usr/bin/env python3
"""make bench-growth: what becomes of speed where there is much of something. A table each.

GROWTH_GAMES (1000000) is the largest store, GROWTH_CLIENTS (10000) the idle connections and streams, GROWTH_SECONDS (3)
the time of a measurement; GROWTH_PARTS ("connections stored plies idle streams") names some of the tables."""
import argparse
import contextlib
import os
import random
import sqlite3
import subprocess
import time

import machine
import servers
from tables import number, table

CONNECTIONS = [1, 8, 32, 256, 2000]
ANCHOR_TRIES = 3
STORED = [100, 10000]  # and GROWTH_GAMES
STORED_PLIES = 20
STORED_READ = 20000  # games of a store that are read
PLIES = [20, 200, 2000]
DEEP_GAMES = 32
DISTINCT = 1000  # games of which a store is made, again and again


def say(text=''):
    print(text, flush=True)


def cells(figures, kind):
    """How many a second, and two quantiles of their times in ms."""
    if kind not in figures:
        raise servers.Failure(f'no {kind} in {figures["seconds"]} s: GROWTH_SECONDS is too short for this machine')
    return [number(figures[kind]['per_s']), f"{figures[kind]['p50_us'] / 1e3:.2f}", f"{figures[kind]['p99_us'] / 1e3:.2f}"]


HEAD = ['per s', 'p50 ms', 'p99 ms']


def head(first, *works):
    return [first] + [f'{work}, {what}' for work in works for what in HEAD]


class Growth:
    def __init__(self, kit, seconds, games_max, clients):
        self.kit, self.seconds, self.games_max, self.clients = kit, seconds, games_max, clients

    def load(self, server, scenario, **options):
        machine.wait_until_quiet(5)
        return self.kit.load(server, scenario, **{'seconds': self.seconds, 'warmup': 1, **options})

    # ---- connections -------------------------------------------------------------------------------------------------

    def times_the_limit(self, play, **options):
        """Where exactly 128 connections are ready, the library of the anchor, which runs by itself, waits for more before it
        looks at them (MHD_epoll of 0.9.75): with 256 clients soon forever. arbiterd never lets it wait."""
        for _ in range(ANCHOR_TRIES):
            with self.kit.anchor() as anchor:
                limit = self.load(anchor, 'play', **options)
            if 'move' in limit:
                return f"{play['move']['per_s'] / limit['move']['per_s']:.2f}"
        return 'the anchor stands still'

    def connections(self):
        rows = []
        for count in CONNECTIONS:
            with self.kit.arbiterd() as server:
                warm = {'connections': count, 'warmup': 1 + count / 500}
                play = self.load(server, 'play', **warm)
                game = self.load(server, 'game', **warm)
                rows.append([f'{count:,}', *cells(play, 'move'), self.times_the_limit(play, **warm), *cells(game, 'game')])
        names = head('connections', 'moves', 'game reads')
        say('### Connections\n\n' + table(names[:4] + ['× the anchor'] + names[4:], rows) + '\n')

    # ---- stored games ------------------------------------------------------------------------------------------------

    def fill_store(self, folder, count):
        """Imports so many games; returns the seconds that it took."""
        with open(self.kit.games(STORED_PLIES, min(DISTINCT, count), 'pgn'), 'rb') as file:
            text = file.read()
        begun = time.monotonic()
        command = [self.kit.program('arbiterd'), 'import', '--db', f'sqlite:{folder}/arbiter.db', '-']
        with open(os.path.join(folder, 'import.log'), 'wb') as log:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)
        with process.stdin as pipe:
            for _ in range(max(1, count // DISTINCT)):
                pipe.write(text)
        if process.wait() != 0:
            raise servers.Failure(f'import of {count} games: see {folder}/import.log')
        return time.monotonic() - begun

    @staticmethod
    def write_ids(folder, count):
        """A file with the ids of so many games of the store, in random order."""
        path = os.path.join(folder, 'ids')
        with contextlib.closing(sqlite3.connect(f'file:{folder}/arbiter.db?mode=ro', uri=True)) as database:
            ids = [row[0] for row in database.execute('SELECT id FROM games')]
        random.Random(1).shuffle(ids)
        with open(path, 'w', encoding='ascii') as file:
            file.writelines(f'{id}\n' for id in ids[:count])
        return path, min(count, len(ids))

    def stored_row(self, count):
        folder = self.kit.folder()
        seconds = self.fill_store(folder, count)
        ids, read = self.write_ids(folder, STORED_READ)
        size = os.path.getsize(f'{folder}/arbiter.db') / 1048576
        is_cold = machine.drop_page_cache()
        with self.kit.arbiterd(folder) as server:
            ready = [server.ready_s]
            cold = self.load(server, 'game', ids=ids, pool=read, requests=read, seconds=600)
            warm = self.load(server, 'game', ids=ids, pool=read, requests=read, seconds=600)
            play = self.load(server, 'play')
        with self.kit.arbiterd(folder) as server:
            ready.append(server.ready_s)
        return [f'{count:,}', f'{size:.1f}', f'{seconds:.1f}', *(f'{1000 * s:.0f}' for s in ready),
                *cells(cold, 'game'), *cells(warm, 'game'), *cells(play, 'move')], is_cold

    def stored(self):
        rows = [self.stored_row(count) for count in [*(few for few in STORED if few < self.games_max), self.games_max]]
        where = 'and nothing of the file in the memory of the system' if rows[-1][1] else \
            'the file may be in the memory of the system'
        say(f'### Stored games\n\nOf {STORED_PLIES} half-moves each. Cold: the first read of each game after a start, {where}. '
            'Warm: the second. Ready: from the start of the process to listening.\n')
        say(table(['games', 'MiB', 'import, s', 'ready cold, ms', 'ready again, ms',
                   *head('', 'cold reads', 'warm reads', 'moves')[1:]], [row for row, _ in rows]) + '\n')

    # ---- half-moves a game -------------------------------------------------------------------------------------------

    def plies(self):
        rows = []
        for plies in PLIES:
            folder = self.kit.folder()
            deep = {'plies_a_game': plies, 'pool': DEEP_GAMES, 'deep': True}
            with self.kit.arbiterd(folder) as server:
                game = self.load(server, 'game', **deep)
                legal = self.load(server, 'legal', **deep)
            ids, count = self.write_ids(folder, DEEP_GAMES)
            with self.kit.arbiterd(folder) as server:
                first = self.load(server, 'game', ids=ids, pool=count, requests=count, connections=1, seconds=60)
                play = self.load(server, 'play', plies_a_game=plies)
            rows.append([f'{plies:,}', *cells(play, 'move'), *cells(game, 'game'), *cells(legal, 'legal'),
                         *cells(first, 'game')[1:]])
        say('### Half-moves a game\n\nReads are of games at their ends; the first read of a game after a start is by one client.\n')
        say(table(head('half-moves', 'moves', 'game reads', 'legal-moves reads') +
                  ['first read, p50 ms', 'first read, p99 ms'], rows) + '\n')

    # ---- those who wait ----------------------------------------------------------------------------------------------

    @staticmethod
    def wait_for_connections(server, count):
        end = time.monotonic() + 60
        while len(os.listdir(f'/proc/{server.pid}/fd')) < count:
            if time.monotonic() > end:
                raise servers.Failure(f'{count} connections do not come about')
            time.sleep(0.05)

    def idle(self):
        with self.kit.arbiterd(None, '--idle-timeout', '10m') as server:
            empty = machine.resident_kib(server.pid) / 1024
            alone = self.load(server, 'play')
            command = self.kit.load_command(server, 'idle', connections=self.clients, pool=1, seconds=4 * self.seconds + 10)
            resting = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.wait_for_connections(server, self.clients)
            beside = self.load(server, 'play')
            used = machine.process_s(server.pid)
            time.sleep(self.seconds)
            share = (machine.process_s(server.pid) - used) / self.seconds
            resident = machine.resident_kib(server.pid) / 1024
            _, errors = resting.communicate()
            if resting.returncode != 0:
                raise servers.Failure(f'idle: {errors}')
        say(f'### {self.clients:,} idle keep-alive connections\n')
        say(table(['', 'without', 'with them'],
                  [['memory of the daemon, MiB', f'{empty:.1f}', f'{resident:.1f}'],
                   ['moves/s of 32 others', number(alone['move']['per_s']), number(beside['move']['per_s'])],
                   ['p99 ms', f"{alone['move']['p99_us'] / 1e3:.2f}", f"{beside['move']['p99_us'] / 1e3:.2f}"],
                   ['share of a core where nothing happens', '', f'{100 * share:.1f} %']]) + '\n')

    def streams(self):
        columns = []
        for watched in (1, 100):
            with self.kit.arbiterd() as server:
                found = self.load(server, 'streams', connections=self.clients, watched=watched, seconds=2 * self.seconds)
            columns.append([f"{found['streams_rss_kib'] / 1024:.1f}", f"{found['kib_each']:.1f}",
                            f"{100 * found['idle_share']:.1f} %", f"{100 * found['busy_share']:.1f} %",
                            *cells(found, 'move')[1:]])
        names = ['memory of the daemon, MiB', 'for each stream, KiB', 'share of a core where nothing happens',
                 'with a move a second in each game', 'from a move to its last stream, p50 ms', 'p99 ms']
        say(f'### {self.clients:,} event streams\n')
        say(table(['', 'on one game', 'on a hundred games'], list(zip(names, *columns))) + '\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build/release')
    options = parser.parse_args()
    parts = os.environ.get('GROWTH_PARTS', 'connections stored plies idle streams').split()
    servers.raise_descriptors()
    say(f'Machine: {machine.describe()}\n')
    with servers.Kit(options.build) as kit:
        growth = Growth(kit, float(os.environ.get('GROWTH_SECONDS', '3')), int(os.environ.get('GROWTH_GAMES', '1000000')),
                        int(os.environ.get('GROWTH_CLIENTS', '10000')))
        for part in parts:
            getattr(growth, part)()


if __name__ == '__main__':
    servers.main(main)
