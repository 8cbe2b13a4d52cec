#!/usr/bin/env python3
"""make check-bench: whether this build has become slower, as far as that can be told on a machine that others use.

Instructions do not move with its load: those of a perft, of a start with its end, and of 1,000 requests (four games, move
by move with the reads of a simple client) are held against bench/bounds.txt. The time of answers is held against that of
the anchor in the same seconds, where nothing else runs; else it is told that it was not. Before that the load generator
has to show that it calls a wrong answer wrong."""
import argparse
import os
import shutil
import subprocess
import sys

import instructions
import machine
import servers

BOUNDS = os.path.join(servers.HERE, 'bounds.txt')
COMPILER = 12  # of GNU: the bounds are those of its code
KIWIPETE = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
KIWIPETE_4 = '4085603'
LOW = 0.9  # of a bound: what lies below could have a lower one
QUIET_CORES = 0.25
PAIRS = [('play', 'move', 'play_ratio'), ('game', 'game', 'game_ratio')]
TRIES = 3


def read_bounds():
    bounds = {}
    with open(BOUNDS, encoding='utf-8') as file:
        for line in file:
            name, equals, value = line.partition('=')
            if equals and not line.startswith('#'):
                bounds[name.strip()] = float(value)
    return bounds


def say(text):
    print(f'check-bench: {text}', flush=True)


# ---- the generator itself --------------------------------------------------------------------------------------------

def exit_status(command):
    return subprocess.run(command, capture_output=True, check=False).returncode


def judge_generator(kit):
    """Whether it calls wrong what is wrong: the anchor knows no chess. And it leaves other machines alone."""
    games = kit.games(80)
    with kit.anchor() as anchor:
        play = [kit.program('load'), 'play', '--url', anchor.url, '--games', games, '--requests', '100']
        good = exit_status([*play, '--conf', anchor.conf])
        wrong = exit_status(play)
    elsewhere = [exit_status([kit.program('load'), 'play', '--url', url, '--games', games])
                 for url in ('http://192.0.2.1:80', 'http://[2001:db8::1]:80', 'http://example.com:80')]
    if (good, wrong, elsewhere) == (0, 1, [2, 2, 2]):
        return True
    say(f'the load generator: {good}, {wrong}, {elsewhere} instead of 0, 1, [2, 2, 2]')
    return False


# ---- instructions ----------------------------------------------------------------------------------------------------

def count_perft(kit, build):
    run = subprocess.run([*instructions.VALGRIND, kit.program('perft'), '4', '0', KIWIPETE, build], capture_output=True, text=True,
                         check=True)
    if run.stdout.split()[0] != KIWIPETE_4:
        raise servers.Failure(f'perft, {build}: {run.stdout}')
    return instructions.collected(run.stderr)


def judge_instructions(kit, bounds):
    """Whether all are within their bounds."""
    found = {'perft_portable': count_perft(kit, 'portable')}
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        has = file.read()
    for build in ('popcnt', 'bmi2'):
        if f' {build} ' in has:
            found[f'perft_{build}'] = count_perft(kit, build)
    found['start_and_end'] = instructions.of_daemon(kit, 'mix', 0)
    found['requests'] = instructions.of_daemon(kit, 'mix', instructions.REQUESTS) - found['start_and_end']
    is_good = True
    for name, count in found.items():
        share = count / bounds[name] if bounds[name] else float('inf')
        words = f'{name}: {count:,} instructions, {100 * share:.1f} % of the bound'
        if share > 1:
            is_good = False
            words += ': TOO MANY'
        elif share < LOW:
            words += '; bench/bounds.txt can be lowered'
        say(words)
    return is_good


def reason_not_to_count(compiler):
    if not shutil.which('valgrind'):
        return 'valgrind is not installed'
    macros = subprocess.run([*compiler.split(), '-dM', '-E', '-x', 'c', '/dev/null'], capture_output=True, text=True,
                            check=True).stdout
    if '__clang__' in macros or f'#define __GNUC__ {COMPILER}\n' not in macros or '__x86_64__' not in macros:
        return f'the bounds are those of gcc {COMPILER} on x86-64'
    return None


# ---- time ------------------------------------------------------------------------------------------------------------

def pair(kit, ours, anchor, scenario, kind):
    """The ratio of what both answer in a second, and how many cores others took meanwhile."""
    figures = [kit.load(server, scenario, seconds=0.8, warmup=0.2, pool=32) for server in (ours, anchor)]
    return figures[0][kind]['per_s'] / figures[1][kind]['per_s'], max(found['others'] for found in figures)


def judge_pair(kit, ours, anchor, work, bounds):
    """Good where one try is: a slow one may be a matter of chance."""
    scenario, kind, bound = work
    for _ in range(TRIES):
        ratio, others = pair(kit, ours, anchor, scenario, kind)
        if others > QUIET_CORES:
            say(f'{scenario}: not judged, other programs took {others:.2f} cores (ratio to the anchor {ratio:.2f})')
            return True
        say(f'{scenario}: {ratio:.2f} of the anchor, at least {bounds[bound]:.2f} wanted')
        if ratio >= bounds[bound]:
            return True
    say(f'{scenario}: TOO SLOW')
    return False


def judge_time(kit, bounds):
    if not machine.wait_until_quiet(2):
        say(f'time: not judged, other programs take {machine.others_now():.2f} cores')
        return True
    with kit.arbiterd() as ours, kit.anchor() as anchor:
        return all([judge_pair(kit, ours, anchor, work, bounds) for work in PAIRS])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build/release')
    parser.add_argument('--compiler', default='cc')
    options = parser.parse_args()
    bounds = read_bounds()
    with servers.Kit(options.build) as kit:
        is_good = judge_generator(kit)
        reason = reason_not_to_count(options.compiler)
        if reason:
            say(f'instructions: not judged, {reason}')
        else:
            is_good = judge_instructions(kit, bounds) and is_good
        is_good = judge_time(kit, bounds) and is_good
    sys.exit(0 if is_good else 1)


if __name__ == '__main__':
    servers.main(main)
