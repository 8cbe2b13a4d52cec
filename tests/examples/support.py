"""What the tests of examples/ need: the daemon, an IRC server, people in a channel, and programs that are run as a user
runs them. Everything listens on 127.0.0.1 and on ports that were free; every wait has a limit.
"""
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PATIENCE_S = 40


def await_true(condition, what):
    """Looks again and again until it holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"in vain was waited for: {what}")
        time.sleep(0.02)
    return value


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Program:
    """A process of the test's own whose output is kept, and which does not outlive the test."""

    def __init__(self, arguments, **options):
        self.lines = []
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        errors="replace", stdin=subprocess.DEVNULL, **options)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def await_line(self, pattern):
        def found():
            hit = next((hit for line in self.lines if (hit := re.search(pattern, line))), None)
            if not hit and self.process.poll() is not None:
                raise AssertionError(f"{self.process.args[0]} has ended: {self.lines[-20:]}")
            return hit
        return await_true(found, pattern)

    def kill(self, number=signal.SIGKILL):
        """The exit code; a negative one is a signal."""
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        self.reader.join(PATIENCE_S)
        return code

    def close(self):
        if self.process.poll() is None:
            self.kill()
        self.process.stdout.close()


class Case(unittest.TestCase):
    """A test with a folder of its own, and programs that end with it."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="arbiter-examples-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.daemon = None

    def run_program(self, arguments, **options):
        program = Program([str(argument) for argument in arguments], **options)
        self.addCleanup(program.close)
        return program

    def start_daemon(self, *options):
        """The first start finds a free port, and later ones take it again."""
        port = self.port if self.daemon else 0
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ARBITER_")}
        self.daemon = self.run_program(
            [os.environ["ARBITERD"], "--listen", f"127.0.0.1:{port}", "--db", f"sqlite:{self.folder}/arbiter.db",
             *options], env=environment)
        self.port = int(self.daemon.await_line(r"listening on http://127\.0\.0\.1:(\d+)")[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def curl(self, *arguments):
        """What curl prints. It has to succeed."""
        return subprocess.run(["curl", "-sS", *arguments], check=True, capture_output=True, text=True,
                              timeout=PATIENCE_S).stdout


class Ircd:
    """Debian's ngircd."""

    def __init__(self, case):
        self.case, self.port = case, free_port()
        self.config = case.folder / "ngircd.conf"
        self.config.write_text(
            f"[Global]\nName = irc.example.net\nInfo = test\nListen = 127.0.0.1\nPorts = {self.port}\n"
            "MotdPhrase = test\n[Limits]\nMaxConnectionsIP = 0\nMaxNickLength = 9\n"
            "[Options]\nDNS = no\nIdent = no\nPAM = no\n")
        self.config.chmod(0o644)
        case.folder.chmod(0o755)
        self.start()

    def start(self):
        self.program = self.case.run_program(["/usr/sbin/ngircd", "-n", "-f", self.config])
        self.program.await_line("Now listening on")


class Person:
    """Somebody in the channel, whose client keeps every line that it gets."""

    def __init__(self, ircd, nick, channel="#chess"):
        self.ircd, self.nick, self.channel = ircd, nick, channel
        self.lines = []  # (nick, text) of what was said in the channel
        self.raw = []
        self.socket = None
        self.connect()

    def connect(self):
        self.close()
        self.socket = socket.create_connection(("127.0.0.1", self.ircd.port), timeout=PATIENCE_S)
        self.rest = b""
        self.send(f"NICK {self.nick}")
        self.send(f"USER {self.nick} 0 * :{self.nick}")
        self.send(f"JOIN {self.channel}")
        self.await_raw(rf" 366 \S+ {re.escape(self.channel)} ")

    def close(self):
        if self.socket:
            self.socket.close()

    def send(self, line):
        self.socket.sendall(line.encode() + b"\r\n")

    def say(self, text):
        self.send(f"PRIVMSG {self.channel} :{text}")

    def rename(self, nick):
        self.send(f"NICK {nick}")
        self.await_raw(rf"^:{self.nick}!\S+ NICK :?{nick}$")
        self.nick = nick

    def _take(self, line):
        self.raw.append(line)
        text = line.decode("utf-8", "replace")
        if text.startswith("PING"):
            self.send("PONG" + text[4:])
        hit = re.match(r":([^!]+)!\S+ PRIVMSG (\S+) :(.*)", text)
        if hit and hit[2].lower() == self.channel:
            self.lines.append((hit[1], hit[3]))

    def listen(self, seconds):
        """Reads what comes within that time. False: nothing did."""
        if not select.select([self.socket], [], [], seconds)[0]:
            return False
        data = self.socket.recv(65536)
        if not data:
            raise AssertionError(f"{self.nick} was disconnected: {self.raw[-3:]}")
        *lines, self.rest = (self.rest + data).split(b"\r\n")
        for line in lines:
            self._take(line)
        return True

    def await_raw(self, pattern):
        self._await(lambda: any(re.search(pattern, line.decode("utf-8", "replace")) for line in self.raw), pattern)

    def catch_up(self):
        """Everything that was said up to now has been heard then."""
        token = f"caught-up-{len(self.raw)}"
        self.send(f"PING :{token}")
        self.await_raw(rf" PONG \S+ :{token}$")

    def _await(self, condition, what):
        deadline = time.monotonic() + PATIENCE_S
        while not (value := condition()):
            left = deadline - time.monotonic()
            if left <= 0:
                raise AssertionError(f"{self.nick} waits for {what!r} and has heard {self.lines[-12:]}")
            self.listen(left)
        return value

    def hears(self, text, start=0):
        """Waits until a line of the channel has `text` in it; gives the place after that line."""
        def found():
            return next((at + 1 for at, (_, line) in enumerate(self.lines) if at >= start and text in line), 0)
        return self._await(found, text)
