"""What came of a soak (soak.py): tables, and whether it was flat."""
import contextlib
import json
import sqlite3
import statistics
import subprocess

import flat
from tables import number, table

PARTS = 10
TERM_S = 5                # SIGTERM to the end
RESTART_S = 1             # a client may learn so late that its connection is gone
LOG_LIMIT = 2 * 17301504  # bytes: storage/sqlite_write.c moves the log at half of that, or else when it is twice as long
CLOSING = 8               # connections that clients have closed and the daemon has not yet
READERS = 4               # descriptors: of two threads that read, each opens a database when the other is busy with its own
DUE = 0.99                # of the requests
BUSY_CORES = 0.25         # where other programs take more, what is slow is not our fault
SMALL_BYTES = 10 << 20    # a database that has not grown by more tells little of an action
KINDS = ('create', 'move', 'legal', 'game')


def say(text=''):
    print(text, flush=True)


class Interval:
    """What bench/load tells of one, and people's times in it."""

    def __init__(self, begun, ended, figures, people_ms):
        self.begun, self.ended, self.figures, self.people_ms = begun, ended, figures, people_ms

    def actions(self):
        return sum(self.figures[kind]['count'] for kind in ('create', 'move') if kind in self.figures)

    def ms(self, member):
        """Of the slowest kind of request."""
        return max((self.figures[kind][member] for kind in KINDS if kind in self.figures), default=0) / 1e3


class Restart:
    def __init__(self, kind, begun):
        self.kind, self.begun, self.stopped, self.ready, self.exit_status = kind, begun, begun, begun, 0

    def excuses(self, moment):
        """Connections may be lost then."""
        return self.begun <= moment <= self.ready + RESTART_S

    def disturbs(self, interval):
        """Requests that waited are made up for as fast as it goes, which is at twice the usual speed."""
        return interval.begun <= 2 * self.ready - self.begun + RESTART_S and interval.ended >= self.begun

    def is_bad_end(self):
        return self.kind != 'kill' and (self.exit_status != 0 or self.stopped - self.begun > TERM_S)


class Report:
    """Of a soak that has ended. `clients`: connections that there should be."""

    def __init__(self, soak, clients):
        self.soak, self.clients = soak, clients
        self.samples = soak.samples[:-1]  # the last one is that without load
        self.tally, self.load = soak.people.tally, soak.intervals[-1].figures
        self.begun = soak.intervals[0].begun
        self.quiet = [i for i in soak.intervals if not any(restart.disturbs(i) for restart in soak.restarts)]

    # ---- figures -----------------------------------------------------------------------------------------------------

    def _lives(self, value):
        lives = [[] for _ in range(len(self.soak.restarts) + 1)]
        for sample in self.samples:
            lives[sample['life']].append((sample['t'], value(sample)))
        return lives

    def _times(self, member):
        return [(interval.ended - self.begun, interval.ms(member)) for interval in self.quiet]

    def _others(self):
        """Cores that other programs took, from sample to sample."""
        return [(b['t'], (b['others'] - a['others']) / (b['t'] - a['t'])) for a, b in zip(self.samples, self.samples[1:])]

    def _bytes_an_action(self):
        """In each part of the run."""
        steps, width = [], self.soak.seconds / PARTS
        for part in range(PARTS):
            samples = [s for s in self.samples if part * width <= s['t'] <= (part + 1) * width]
            if samples and samples[-1]['acted'] > samples[0]['acted']:
                first, last = samples[0], samples[-1]
                steps.append((last['t'], (last['store'] - first['store']) / (last['acted'] - first['acted'])))
        return steps

    def _lost(self):
        """Connections, at moments that no restart excuses."""
        lost = sum(not any(restart.excuses(moment) for restart in self.soak.restarts) for moment in self.tally.lost)
        before = 0
        for interval in self.soak.intervals:
            so_far = interval.figures['again'] + interval.figures['reopened']
            lost += (so_far - before) * (interval in self.quiet)
            before = so_far
        return lost

    def _versions(self):
        """Those that are stored, those that were acknowledged, and how many more there may be: a request is acted on,
        and its connection or the load ends before the answer."""
        with contextlib.closing(sqlite3.connect(f'file:{self.soak.store}?mode=ro', uri=True)) as store:
            stored = store.execute('SELECT sum(version) FROM heads').fetchone()[0] or 0
        told = sum(interval.actions() for interval in self.soak.intervals) + self.soak.people.acknowledged()
        return stored, told, self.load['again'] + self.clients

    # ---- verdicts ----------------------------------------------------------------------------------------------------

    def _memory(self):
        own = self._lives(lambda sample: sample['resident'] - sample['games_kib'])
        yield flat.judge_growth('memory, but for games in it', own, self.soak.seconds)
        yield flat.judge_levels('memory, from life to life', own)

    def _things(self):
        yield flat.judge_same('descriptors, but for connections', self._lives(lambda sample: sample['descriptors']), READERS)
        yield flat.judge_at_most('connections', [sample['connections'] for sample in self.samples], self.clients + CLOSING)
        yield flat.judge_same('threads', self._lives(lambda sample: sample['threads']), 0)

    def _disk(self):
        yield flat.judge_at_most('log of the database, bytes', [sample['log'] for sample in self.samples], LOG_LIMIT)
        verdict = flat.judge_thirds('database', self._bytes_an_action(), flat.DISK_RATIO, ' bytes an action')
        if self.samples[-1]['store'] < SMALL_BYTES:
            verdict.excuse = 'not judged, it is small'
        yield verdict

    def _speed(self):
        others = statistics.fmean(cores for _, cores in self._others())
        excuse = f'not judged, other programs took {others:.2f} cores' if others > BUSY_CORES else None
        verdict = flat.judge_thirds('p99 of an interval', self._times('p99_us'), flat.TIME_RATIO, ' ms')
        verdict.excuse = excuse
        yield verdict
        asked, due = sum(interval.figures['requests'] for interval in self.soak.intervals), self.soak.rate * self.soak.seconds
        yield flat.Verdict('requests that were due', asked >= DUE * due, f'{asked:,} of {due:,.0f}',
                           f'at least {DUE:.0%} sent and answered', excuse)

    def _trust(self):
        stored, told, more = self._versions()
        yield flat.judge_none('acknowledged and missing', max(0, told - stored), f'versions, of {told:,} acknowledged')
        yield flat.judge_none('stored and not acknowledged', max(0, stored - told - more),
                              f'versions, beyond {more:,} requests whose answers may have been lost')
        check = subprocess.run([self.soak.kit.program('arbiterd'), 'check', '--db', f'sqlite:{self.soak.store}'],
                               capture_output=True, check=False)
        yield flat.Verdict('arbiterd check', check.returncode == 0, f'exit status {check.returncode}', 'exit status 0')
        yield flat.judge_none('wrong answers', sum(self.load['wrong'].values()) + self.tally.wrongs,
                              'statuses, versions, positions, moves, events')
        yield flat.judge_none('connections lost', self._lost(), 'but at restarts')
        yield flat.judge_none('bad ends', sum(restart.is_bad_end() for restart in self.soak.restarts),
                              f'after SIGTERM, later than {TERM_S} s or with another exit status than 0')
        yield flat.judge_none('errors in the log', len(self._complaints()), 'lines')

    def _complaints(self):
        return [line for daemon in self.soak.daemons for line in daemon.complaints()]

    def judge(self):
        """Prints the verdicts; whether all are good."""
        verdicts = [*self._memory(), *self._things(), *self._disk(), *self._speed(), *self._trust()]
        say(table(['', 'verdict', 'figures', 'rule'], [[v.name, v.words(), v.figures, v.rule] for v in verdicts]))
        return all(verdict.is_good or verdict.excuse for verdict in verdicts)

    # ---- tables ------------------------------------------------------------------------------------------------------

    HEAD = ['until, min', 'requests/s', 'p50 ms', 'p99 ms', 'people, p99 ms', 'memory, MiB', 'of it games', 'these, MiB',
            'descriptors + connections', 'threads', 'log at most, MiB', 'database, MiB', 'others, cores']

    def _row(self, part):
        """None: too little was seen then."""
        width = self.soak.seconds / PARTS
        begun, ended = part * width, (part + 1) * width
        intervals = [i for i in self.soak.intervals if begun < (i.begun + i.ended) / 2 - self.begun <= ended]
        quiet = [i for i in intervals if i in self.quiet]
        samples = [s for s in self.samples if begun <= s['t'] < ended]
        others = [cores for t, cores in self._others() if begun <= t < ended]
        if not quiet or not samples or not others:
            return None
        middle = {name: statistics.median(sample[name] for sample in samples) for name in samples[0]}
        people = sorted(ms for interval in quiet for ms in interval.people_ms)
        return [f'{ended / 60:.1f}',
                number(sum(i.figures['requests'] for i in intervals) / sum(i.ended - i.begun for i in intervals)),
                f"{statistics.median(i.ms('p50_us') for i in quiet):.2f}",
                f"{statistics.median(i.ms('p99_us') for i in quiet):.2f}",
                f'{people[len(people) * 99 // 100]:.1f}' if people else '',
                f"{middle['resident'] / 1024:.1f}", f"{middle['games']:,.0f}", f"{middle['games_kib'] / 1024:.2f}",
                f"{middle['descriptors']:.0f} + {middle['connections']:.0f}", f"{middle['threads']:.0f}",
                f"{max(s['log'] for s in samples) / 1048576:.1f}", f"{samples[-1]['store'] / 1048576:.1f}",
                f'{statistics.fmean(others):.2f}']

    def _print_counts(self):
        tally, load = self.tally, self.load
        say(f"Load: {load['games_created']:,} games, {load['games_finished']:,} of them played out; {load['again']:,} requests "
            f"sent again, {load['reopened']:,} connections opened anew at rest.\n")
        answers = ', '.join(f'{n:,} × {status}' for status, n in sorted(tally.statuses.items()))
        deeds = ', '.join(f'{n:,} {deed}' for deed, n in sorted(tally.deeds.items()))
        say(f'People: {answers}; {len(tally.lost):,} connections lost, {tally.events:,} events seen; {deeds}.\n')
        for kind in sorted({restart.kind for restart in self.soak.restarts}):
            these = [restart for restart in self.soak.restarts if restart.kind == kind]
            say(f'{len(these)} × {kind}: ended within {max(r.stopped - r.begun for r in these):.2f} s, ready within '
                f'{max(r.ready - r.stopped for r in these):.2f} s after that.\n')

    def print(self):
        say(f'### Soak: {self.soak.seconds:g} s at {self.soak.rate:,.0f} requests/s, and people\n')
        say('Times are medians of intervals that no restart disturbs, of the slowest kind of request.\n')
        say(table(self.HEAD, [row for row in map(self._row, range(PARTS)) if row]) + '\n')
        self._print_counts()
        for line in [*self.tally.complaints, *self.soak.load_errors.splitlines(), *self._complaints()][:40]:
            say(f'    {line}')
        say()

    def keep_samples(self, path):
        with open(path, 'w', encoding='ascii') as file:
            file.writelines(json.dumps(sample) + '\n' for sample in self.soak.samples)
