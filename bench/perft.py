"""Move generation against Stockfish, where it is installed: ten positions, one thread, in turns.

Seconds are those of the processor, ours and Stockfish's: what else runs on the machine does not count against either.
"""
import glob
import os
import platform
import shutil
import statistics
import subprocess

from servers import Failure
from tables import table

# Names of tests/data/perft.txt, whose counts these are.
STANDARD = ['first position', 'kiwipete', 'rook endgame with en passant pins', 'promotions and captures on home squares',
            'check by discovered knight', 'symmetrical middlegame']
CHESS960 = ['chess960 three in the corner', 'chess960 middle 1', 'chess960 king moved', 'chess960 castling across']
POSITIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tests/data/perft.txt')

# what is told, options of bench/perft, most nodes
KINDS = [('in bulk', [], 200_000_000),
         *([('in bulk, without PEXT', ['popcnt'], 200_000_000)] if platform.machine() == 'x86_64' else []),
         ('in bulk, any processor', ['portable'], 200_000_000),
         ('every leaf made', ['leaves'], 20_000_000)]


class Position:
    def __init__(self, line):
        self.name, is_chess960, self.fen, counts = (field.strip() for field in line.split(';'))
        self.is_chess960 = is_chess960 == '1'
        self.counts = {int(depth): int(nodes) for depth, nodes in (pair.split(':') for pair in counts.split())}

    def depth(self, most):
        return max(depth for depth, nodes in self.counts.items() if nodes <= most)


def read_positions():
    with open(POSITIONS, encoding='utf-8') as file:
        positions = [Position(line) for line in file if line.strip() and not line.startswith('#')]
    by_name = {position.name: position for position in positions}
    return [by_name[name] for name in STANDARD + CHESS960]


class Stockfish:
    """An engine that counts."""

    @staticmethod
    def find():
        """Its path; None: it is not installed."""
        return shutil.which('stockfish') or shutil.which('/usr/games/stockfish')

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.name = ''
        self._say('uci')
        self._read('uciok')

    def _say(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()

    def _read(self, start):
        for line in self.process.stdout:
            if line.startswith('id name '):
                self.name = line[len('id name '):].strip()
            if line.startswith(start):
                return line
        raise Failure('stockfish has ended')

    def _cpu_s(self):
        total_ns = 0
        for task in glob.glob(f'/proc/{self.process.pid}/task/*'):
            with open(f'{task}/schedstat', encoding='utf-8') as file:
                total_ns += int(file.read().split()[0])
        return total_ns / 1e9

    def rate(self, position, depth):
        self._say(f"setoption name UCI_Chess960 value {'true' if position.is_chess960 else 'false'}")
        self._say(f'position fen {position.fen}')
        self._say('isready')
        self._read('readyok')
        begun = self._cpu_s()
        self._say(f'go perft {depth}')
        nodes = int(self._read('Nodes searched').split(':')[1])
        self._say('isready')
        self._read('readyok')
        return check(position, depth, nodes) / (self._cpu_s() - begun)

    def stop(self):
        self._say('quit')
        self.process.wait()


def check(position, depth, nodes):
    if nodes != position.counts[depth]:
        raise Failure(f'{position.name}, depth {depth}: {nodes} nodes instead of {position.counts[depth]}')
    return nodes


def our_rate(kit, position, depth, options):
    command = [kit.program('perft'), str(depth), '1' if position.is_chess960 else '0', position.fen, *options]
    nodes, seconds = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return check(position, depth, int(nodes)) / float(seconds)


def measure(kit, engine, position, kind, rounds):
    """Million nodes a second; and how many times Stockfish's, or None."""
    _, options, most = kind
    depth = position.depth(most)
    rates, ratios = [], []
    for _ in range(rounds):
        rates.append(our_rate(kit, position, depth, options))
        if engine:
            ratios.append(rates[-1] / engine.rate(position, depth))
    return statistics.median(rates) / 1e6, statistics.median(ratios) if ratios else None


def mean_row(name, found):
    """The geometric mean of rows (rate, ratio)."""
    ratios = [times for _, times in found if times]
    return (name, f'{statistics.geometric_mean(rate for rate, _ in found):.0f}',
            f'{statistics.geometric_mean(ratios):.2f}' if ratios else '')


def print_all(kit, rounds):
    """Prints the tables; returns the rows of means."""
    path = Stockfish.find()
    engine = Stockfish(path) if path else None
    positions = read_positions()
    means = []
    print('### Legal moves\n')
    print(f'Against `go perft` of {engine.name}, which counts in bulk; medians of {rounds} pairs.\n' if engine else
          'Stockfish is not installed (Debian: stockfish), so there are no ratios.\n')
    for kind in KINDS:
        found = [measure(kit, engine, position, kind, rounds) for position in positions]
        rows = [(f'{position.name}, {position.depth(kind[2])}', f'{rate:.0f}', f'{times:.2f}' if times else '')
                for position, (rate, times) in zip(positions, found)]
        count = len(STANDARD)
        kind_means = [mean_row(f'six standard positions, {kind[0]}', found[:count]),
                      mean_row(f'four Chess960 positions, {kind[0]}', found[count:])]
        print(table([f'{kind[0]}: position, depth', 'million nodes/s', '× Stockfish'],
                    rows + [(f'**{name}**', f'**{rate}**', f'**{times}**' if times else '')
                            for name, rate, times in kind_means]) + '\n', flush=True)
        means += kind_means
    if engine:
        engine.stop()
    return means
