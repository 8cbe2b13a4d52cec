"""Servers that are measured, each in a folder of its own, and the load generator."""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import machine

HERE = os.path.dirname(os.path.abspath(__file__))
READY_S = 120


class Failure(Exception):
    """A measurement that could not be made, or a server that answered wrongly."""


class Program:
    """One that writes its log into a file of its folder; `how` is for subprocess.Popen."""

    def __init__(self, name, command, folder, **how):
        self.name, self.folder = name, folder
        self.log_path = os.path.join(folder, f'{name}.log')
        with open(self.log_path, 'ab') as log:
            self.skipped = log.tell()
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder, **how)
        self.pid = self.process.pid

    def wait_for_line(self, words):
        """The first line of its own with these words; without one it is killed."""
        end = time.monotonic() + READY_S
        while time.monotonic() < end:
            with open(self.log_path, encoding='utf-8', errors='replace') as log:
                log.seek(self.skipped)
                for line in log:
                    if words in line and line.endswith('\n'):
                        return line
            if self.process.poll() is not None:
                break
            time.sleep(0.002)
        self.stop(signal.SIGKILL)
        raise Failure(f'{self.name}: no "{words}", see {self.log_path}')

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Server(Program):
    """One that tells where it listens."""

    def __init__(self, name, command, folder, conf=None):
        begun = time.monotonic()
        super().__init__(name, command, folder)
        self.conf = conf
        self.url = self.wait_for_line('listening on ').split()[-1]
        self.ready_s = time.monotonic() - begun


class Foreign:
    """A server that somebody else has started: NAME=URL[,CONF[,PID]]."""

    def __init__(self, text):
        self.name, _, rest = text.partition('=')
        parts = rest.split(',')
        self.url = parts[0]
        self.conf = os.path.abspath(parts[1]) if len(parts) > 1 and parts[1] else None
        self.pid = int(parts[2]) if len(parts) > 2 else 0
        if not self.url:
            raise Failure(f'{text}: NAME=URL[,CONF[,PID]] is wanted')

    def stop(self):
        pass


class Kit:
    """The programs of one build, and a folder for what they write."""

    def __init__(self, build):
        self.build = os.path.abspath(build)
        folder = os.path.abspath(os.environ.get('BENCH_FOLDER', self.build))
        self.root = tempfile.mkdtemp(prefix='arbiter-bench-', dir=folder)
        self.sizes = None

    def program(self, name):
        return os.path.join(self.build, 'arbiterd' if name == 'arbiterd' else f'bench/{name}')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)

    def folder(self):
        """A new one."""
        return tempfile.mkdtemp(dir=self.root)

    def games(self, plies, count=200, form='uci'):
        """The path of a file with games of so many half-moves."""
        path = os.path.join(self.root, f'games-{count}x{plies}.{form}')
        if not os.path.exists(path):
            with open(path, 'wb') as file:
                subprocess.run([self.program('games'), form, str(count), str(plies)], stdout=file, check=True)
        return path

    def arbiterd(self, folder=None, *options):
        folder = folder or self.folder()
        return Server('arbiterd', [self.program('arbiterd'), '--listen', '127.0.0.1:0', '--db',
                                   f'sqlite:{folder}/arbiter.db', *options], folder)

    def anchor(self):
        """Its answers are as long as Arbiter's: these are asked for once."""
        if self.sizes is None:
            with self.arbiterd() as server:
                figures = self.load(server, 'mix', seconds=0.7, warmup=0, connections=4)
            self.sizes = [str(round(figures[kind]['bytes'])) for kind in ('create', 'move', 'legal', 'game')]
        folder = self.folder()
        return Server('anchor', [self.program('anchor'), f'{folder}/anchor.db', *self.sizes], folder,
                      os.path.join(HERE, 'anchor.conf'))

    def load_command(self, server, scenario, plies_a_game=80, **options):
        command = [self.program('load'), scenario, '--url', server.url, '--games', self.games(plies_a_game)]
        if server.conf:
            command += ['--conf', server.conf]
        if server.pid:
            command += ['--pid', str(server.pid)]
        for name, value in options.items():
            command += [f'--{name}'] if value is True else [f'--{name}', str(value)]
        return command

    def load(self, server, scenario, **options):
        """What the load generator found; an answer that was wrong is a failure."""
        with machine.Others([server.pid] if server.pid else []) as others:
            run = subprocess.run(self.load_command(server, scenario, **options), capture_output=True, text=True,
                                 check=False)
        if run.returncode != 0:
            raise Failure(f'{server.name}, {scenario}: {run.stderr.strip()} {run.stdout.strip()}')
        figures = json.loads(run.stdout)
        figures['others'] = others.cores
        return figures


def raise_descriptors():
    """As many as the system gives, here and in all that is started."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main(run):
    """Ends the program as the bench did."""
    try:
        run()
    except Failure as failure:
        sys.exit(f'bench: {failure}')
    except KeyboardInterrupt:
        sys.exit(130)
