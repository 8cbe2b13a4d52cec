#!/usr/bin/env python3
"""make bench: Arbiter against the limit of its stack, and whatever else is given, in turns.

A round starts every server afresh and measures one work after the other, each with all servers in turns; what counts are
the ratios of a round, of which the median is told. BENCH_ROUNDS (5), BENCH_SECONDS (4), BENCH_PARTS
("speed memory instructions perft winnable") and BENCH_GAMES (100000, the most live games) shorten it. BENCH_BEFORE
is an older arbiterd, whose instructions are told beside."""
import argparse
import os
import shutil
import statistics
import subprocess
import sys

import instructions
import machine
import perft
import servers
from tables import number, table

# name, scenario, kind of request that counts, further options of the load generator
WORKS = [
    ('play: durable moves', 'play', 'move', {}),
    ('game reads', 'game', 'game', {}),
    ('legal-moves reads', 'legal', 'legal', {}),
    ('mix: moves, each with both reads', 'mix', 'move', {}),
    ('a lone client, moves', 'play', 'move', {'connections': 1}),
    ('open loop, 600 moves/s', 'play', 'move', {'rate': 600}),
]
# half-moves, games
MEMORY = [(10, 10000), (10, 100000), (80, 10000)]
MEMORY_WARM = 20000  # so that what is bounded, caches, is full


def say(text=''):
    print(text, flush=True)


def ratio(ours, theirs, member):
    """Median, lowest and highest of the ratios of the rounds."""
    ratios = [a[member] / b[member] for a, b in zip(ours, theirs)]
    return statistics.median(ratios), min(ratios), max(ratios)


class Speed:
    def __init__(self, kit, rounds, seconds, targets):
        self.kit, self.rounds, self.seconds, self.targets = kit, rounds, seconds, targets
        self.found = {}  # (work, server) -> figures of the rounds
        self.others = {}

    def _measure(self, server, work):
        name, scenario, kind, options = work
        is_quiet = machine.wait_until_quiet()
        figures = self.kit.load(server, scenario, seconds=self.seconds, warmup=max(1, self.seconds / 4), **options)
        self.found.setdefault((name, server.name), []).append(figures[kind])
        self.others.setdefault(name, []).append(figures['others'])
        print(f"  {name}, {server.name}: {number(figures[kind]['per_s'])}/s, p99 {figures[kind]['p99_us'] / 1e3:.2f} ms, "
              f"others {figures['others']:.2f} cores{'' if is_quiet else ', not quiet'}", file=sys.stderr, flush=True)

    def run(self):
        for turn in range(self.rounds):
            print(f'round {turn + 1} of {self.rounds}', file=sys.stderr, flush=True)
            running = [self.kit.arbiterd(), self.kit.anchor(), *self.targets]
            try:
                for i, work in enumerate(WORKS):
                    first = (turn + i) % len(running)
                    for server in running[first:] + running[:first]:
                        self._measure(server, work)
            finally:
                for server in running:
                    server.stop()

    def _row(self, work, other):
        ours, theirs = self.found[work, 'arbiterd'], self.found[work, other]
        cells = [work]
        for member, scale in (('per_s', 1), ('p50_us', 1e3), ('p99_us', 1e3)):
            median, low, high = ratio(ours, theirs, member)
            cells += [number(statistics.median(f[member] for f in figures) / scale) for figures in (ours, theirs)]
            cells.append(f'**{median:.2f}** ({low:.2f}–{high:.2f})')
        return cells + [f'{statistics.median(self.others[work]):.2f}']

    def print(self):
        for other in ['anchor'] + [target.name for target in self.targets]:
            head = ['work']
            for what in ('per s', 'p50 ms', 'p99 ms'):
                head += [f'{what}, Arbiter', other, 'ratio (range)']
            say(f'### Arbiter and {other}, {self.rounds} rounds of {self.seconds:g} s, 32 connections\n')
            if other == 'anchor':
                say(f"The anchor's answers have {', '.join(self.kit.sizes)} bytes (create, move, legal moves, game).\n")
            say(table(head + ['others, cores'], [self._row(work[0], other) for work in WORKS]) + '\n')

    def readme_rows(self):
        for work, _, _, _ in WORKS:
            ours, theirs = self.found[work, 'arbiterd'], self.found[work, 'anchor']
            yield [work, f"{number(statistics.median(f['per_s'] for f in ours))}/s",
                   f"{ratio(ours, theirs, 'per_s')[0]:.2f}",
                   f"{statistics.median(f['p99_us'] for f in ours) / 1e3:.1f} ms",
                   f"{ratio(ours, theirs, 'p99_us')[0]:.2f}"]


def measure_memory(kit, games_max):
    """Rows: what so many more live games take."""
    rows = []
    with kit.arbiterd() as server:
        rows.append(['an empty server', f'{machine.resident_kib(server.pid) / 1024:.1f} MiB', ''])
    for plies, count in MEMORY:
        if count > games_max:
            continue
        with kit.arbiterd() as server:
            kit.load(server, 'create', plies=plies, count=MEMORY_WARM, seconds=600)
            before = machine.resident_kib(server.pid)
            kit.load(server, 'create', plies=plies, count=count, seconds=3000)
            after = machine.resident_kib(server.pid)
        rows.append([f'{count:,} more games of {plies} half-moves', f'{after / 1024:.1f} MiB',
                     f'{(after - before) * 1024 / count:.0f} bytes'])
    return rows


def print_winnable(kit):
    for what in ('ordinary', 'games'):
        run = subprocess.run([kit.program('winnable'), kit.games(80), what], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise servers.Failure(f'winnable: {run.stderr} {run.stdout}')
        say(f'    $ winnable GAMES {what}')
        say(''.join(f'    {line}\n' for line in run.stdout.splitlines()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build/release')
    parser.add_argument('--target', action='append', default=[], metavar='NAME=URL[,CONF[,PID]]',
                        help='a server that is running at a loopback address; CONF as load_target.h tells')
    options = parser.parse_args()
    rounds = int(os.environ.get('BENCH_ROUNDS', '5'))
    seconds = float(os.environ.get('BENCH_SECONDS', '4'))
    parts = os.environ.get('BENCH_PARTS', 'speed memory instructions perft winnable').split()
    readme = []
    say(f'Machine: {machine.describe()}\n')
    with servers.Kit(options.build) as kit:
        if 'speed' in parts:
            speed = Speed(kit, rounds, seconds, [servers.Foreign(text) for text in options.target])
            speed.run()
            speed.print()
            readme = list(speed.readme_rows())
        if 'memory' in parts:
            memory = measure_memory(kit, int(os.environ.get('BENCH_GAMES', '100000')))
            say(f'### Memory\n\nBeyond {MEMORY_WARM:,} live games that are there before.\n\n' + table(['', 'the whole daemon', 'each of them'], memory) + '\n')
            readme += [[row[0], row[2] or row[1], '', '', ''] for row in memory]
        if 'instructions' in parts and shutil.which('valgrind'):
            instructions.print_all(kit)
        if 'perft' in parts:
            readme += [[row, f'{mean} million/s', f'{times} (Stockfish)' if times else '', '', '']
                       for row, mean, times in perft.print_all(kit, rounds)]
        if 'winnable' in parts:
            say('### Winnability\n')
            print_winnable(kit)
    say(f'### For README\n\n{machine.describe()}\n')
    say(table(['', '', '× the limit of the stack', 'p99', '× its'], readme))


if __name__ == '__main__':
    servers.main(main)
