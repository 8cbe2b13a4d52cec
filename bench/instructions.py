"""Instructions, as callgrind counts them: they do not move with the load of the machine."""
import os
import re
import signal

import servers
from tables import table

VALGRIND = ['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null']
KINDS = [('a durable move', 'play'), ('a game created', 'create'), ('a game read', 'game'), ('legal moves read', 'legal')]
REQUESTS = 1000


def collected(text):
    """What callgrind has counted."""
    found = re.search(r'Collected : (\d+)', text)
    if not found:
        raise servers.Failure(f'callgrind has counted nothing: {text[-2000:]}')
    return int(found.group(1))


def of_daemon(kit, scenario, requests, program=None, **options):
    """From its start to its end, with so many requests of one client: each is an answer, and a commit, of its own."""
    folder = kit.folder()
    server = servers.Server('arbiterd', [*VALGRIND, program or kit.program('arbiterd'), '--listen', '127.0.0.1:0', '--db',
                                         f'sqlite:{folder}/arbiter.db'], folder)
    try:
        if requests:
            kit.load(server, scenario, connections=1, requests=requests, seconds=300, **options)
    finally:
        server.stop(signal.SIGTERM)
    with open(server.log_path, encoding='utf-8', errors='replace') as log:
        return collected(log.read())


def of_request(kit, scenario, program):
    """One request of the many; reads are of a game of 80 half-moves."""
    few, many = (of_daemon(kit, scenario, requests, program, pool=1, deep=True) for requests in (1, 1 + REQUESTS))
    return (many - few) / REQUESTS


def print_all(kit):
    """Beside those of the program $BENCH_BEFORE, where it is given."""
    before = os.environ.get('BENCH_BEFORE')
    programs = [os.path.abspath(before)] if before else []
    rows = [[name, *(f'{of_request(kit, scenario, program):,.0f}' for program in [*programs, None])]
            for name, scenario in KINDS]
    print('### Instructions of a request, one client\n')
    print(table(['', *(['before'] if before else []), 'now'], rows) + '\n', flush=True)
