"""irc: one connection to an IRC server that comes back by itself (RFC 1459, RFC 2812).

What is to be said waits in an outbox, and leaves it when the server has answered a PING that was sent after it. What
has had no such answer when a connection breaks is sent again on the next one. So no line is lost; twice goes only a
line whose fate is unknown, because the connection broke between its sending and the answer.
"""
import asyncio
import contextlib
import logging
import random
import re
import ssl
import time
from dataclasses import dataclass

from arbiter import BROKEN, backoff

TEXT_BYTES = 340     # what the longest prefix, channel name and command leave of the 512 bytes of a line
LINE_BYTES = 8192    # of a line that is read; servers keep to 512, and 8191 with tags
BURST_LINES = 5      # RFC 1459, 8.10: a client may be ten seconds ahead,
INTERVAL_S = 2.0     # and each line costs two
UNCONFIRMED_MAX = 5  # lines in a row before the server is asked whether they have arrived
QUIET_S = 60         # without a word from the server: it is asked, and after as long again given up
TEND_S = 30          # between two tries to join a channel, or to have one's own name

log = logging.getLogger("irc")

COLOURS = re.compile("\x03(\\d{1,2}(,\\d{1,2})?)?|\x04[0-9A-Fa-f]{0,6}")
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def clean(text):
    """`text` as one line without control characters, so that nothing in it can be a command or a colour."""
    return CONTROLS.sub(" ", COLOURS.sub("", text))


def wrap(text, size=TEXT_BYTES):
    """`text` in parts of at most `size` bytes of UTF-8, divided at blanks where there are any."""
    parts = []
    while len(text.encode()) > size:
        head = text.encode()[:size].decode("utf-8", "ignore")
        whole = text[len(head)] == " " or " " not in head.strip()
        cut = len(head) if whole else head.rfind(" ")
        parts.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return parts + [text] if text else parts


@dataclass(frozen=True)
class Message:
    nick: str  # who sent it; the server's name, or empty
    command: str
    params: list


def parse(line):
    """RFC 1459, 2.3.1; message tags are passed over. None: no message."""
    if line.startswith("@"):
        line = line.partition(" ")[2]
    prefix = ""
    if line.startswith(":"):
        prefix, _, line = line[1:].partition(" ")
    middle, colon, trailing = line.lstrip(" ").partition(" :")
    words = middle.split(" ")
    params = [word for word in words[1:] if word] + ([trailing] if colon else [])
    return Message(prefix.partition("!")[0], words[0].upper(), params) if words[0] else None


class Pace:
    """Lets lines pass as fast as a server bears them."""

    def __init__(self, burst, interval, now=time.monotonic):
        self.burst, self.interval, self.now = burst, interval, now
        self.free_at = now()  # when all that was sent is paid for

    def spend(self):
        self.free_at = max(self.free_at, self.now()) + self.interval

    def wait(self):
        """Seconds until the next line may go."""
        return max(0.0, self.free_at - self.now() - (self.burst - 1) * self.interval)


@dataclass
class Settings:
    host: str
    port: int
    nick: str
    channels: list
    tls: bool = False
    password: str | None = None
    burst: int = BURST_LINES
    interval: float = INTERVAL_S


class Irc:
    """`listener` hears heard(channel, nick, text), renamed(old, new), and said(numbers) when lines of the outbox have
    arrived. The outbox is a list of {"n", "to", "text", "later"}; wake() tells that there is more in it. Lines are
    sent in order of n, those for later after the others."""

    waits = (2, 60)  # seconds: the first pause after a connection has broken, and the longest

    def __init__(self, settings, outbox, listener):
        self.settings, self.outbox, self.listener = settings, outbox, listener
        self.session = None
        self.mapping = "rfc1459"

    def wake(self):
        if self.session:
            self.session.more.set()

    def fold(self, name):
        """Names that differ in this no more are the same to the server."""
        name = name.lower()
        return name if self.mapping == "ascii" else name.translate(str.maketrans("[]\\^", "{}|~"))

    @property
    def nick(self):
        return self.session.nick if self.session else self.settings.nick

    async def run(self):
        waits = backoff(*self.waits)
        while True:
            try:
                async with asyncio.timeout(30):
                    reader, writer = await asyncio.open_connection(
                        self.settings.host, self.settings.port, limit=LINE_BYTES,
                        ssl=ssl.create_default_context() if self.settings.tls else None)
                self.session = Session(self, reader, writer)
                await self.session.run()
            except BROKEN as error:
                reason = "the connection was closed" if isinstance(error, EOFError) else error or type(error).__name__
                log.warning("%s:%d: %s", self.settings.host, self.settings.port, reason)
            if self.session and self.session.welcome:
                waits = backoff(*self.waits)
            self.session = None
            await asyncio.sleep(next(waits))


class Session:
    """One connection, and what is true no longer than it lasts."""

    def __init__(self, irc, reader, writer):
        self.irc, self.reader, self.writer = irc, reader, writer
        self.nick = irc.settings.nick
        self.welcome = False
        self.joined = set()  # channels, folded
        self.sent = set()    # numbers of lines that no answer to a PING has covered yet
        self.asked = None    # those that the PING which is out will cover
        self.pace = Pace(irc.settings.burst, irc.settings.interval)
        self.more = asyncio.Event()

    async def run(self):
        """Until the connection breaks, which is one of BROKEN."""
        settings = self.irc.settings
        if settings.password:
            self.send(f"PASS :{settings.password}")
        self.send(f"NICK {self.nick}")
        self.send(f"USER {self.nick} 0 * :chess by Arbiter")
        tasks = [asyncio.create_task(task()) for task in (self.listen, self.speak, self.tend)]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            done.pop().result()
        finally:
            for task in tasks:
                task.cancel()
            with contextlib.suppress(*BROKEN):
                self.send("QUIT")
            self.writer.close()

    def send(self, line):
        self.pace.spend()
        self.writer.write(line.encode()[:510] + b"\r\n")

    # ---- what is said

    async def speak(self):
        while True:
            await asyncio.sleep(self.pace.wait())
            line = self.next_line()
            if line and len(self.sent) < UNCONFIRMED_MAX:
                self.send(f"PRIVMSG {line['to']} :{line['text']}")
                self.sent.add(line["n"])
            elif self.sent and self.asked is None:
                self.ask()
            else:
                self.more.clear()
                await self.more.wait()
            await self.writer.drain()

    def next_line(self):
        ready = (line for line in self.irc.outbox
                 if line["n"] not in self.sent and self.irc.fold(line["to"]) in self.joined)
        return min(ready, key=lambda line: (line["later"], line["n"]), default=None)

    def ask(self):
        self.asked = set(self.sent)
        self.send(f"PING :{max(self.asked, default=0)}")

    # ---- what is heard

    async def listen(self):
        while True:
            try:
                async with asyncio.timeout(QUIET_S):
                    line = await self.reader.readuntil(b"\n")
            except TimeoutError:
                if self.asked is not None:
                    raise
                self.ask()
                continue
            message = parse(line.decode("utf-8", "replace").rstrip("\r\n"))
            if message and re.match("ERROR|[45][0-9][0-9]", message.command):
                log.warning("%s", clean(" ".join((message.command, *message.params))))
            params, handler = message and self.HANDLERS.get(message.command) or (0, None)
            if handler and len(message.params) >= params:
                handler(self, message)

    def on_ping(self, message):
        self.send(f"PONG :{message.params[-1]}")

    def on_pong(self, message):
        if self.asked is None or message.params[-1] != str(max(self.asked, default=0)):
            return
        numbers, self.asked = self.asked, None
        self.sent -= numbers
        self.irc.listener.said(numbers)
        self.more.set()

    def on_welcome(self, message):
        self.welcome, self.nick = True, message.params[0]
        log.info("connected as %s", self.nick)
        self.join()

    def on_support(self, message):
        for word in message.params:
            if word.startswith("CASEMAPPING="):
                self.irc.mapping = word.partition("=")[2]

    def on_nick_in_use(self, message):
        if not self.welcome:
            self.nick = f"{self.irc.settings.nick[:7]}{random.randint(10, 99)}"
            self.send(f"NICK {self.nick}")

    def on_join(self, message):
        if self.is_me(message.nick):
            self.joined.add(self.irc.fold(message.params[0]))
            self.more.set()

    def on_part(self, message):
        if self.is_me(message.nick):
            self.joined.discard(self.irc.fold(message.params[0]))

    def on_kick(self, message):
        if self.is_me(message.params[1]):
            self.joined.discard(self.irc.fold(message.params[0]))

    def on_nick(self, message):
        if self.is_me(message.nick):
            self.nick = message.params[0]
        else:
            self.irc.listener.renamed(message.nick, message.params[0])

    def on_quit(self, message):
        """The nick that was in use is free: often it was our own connection that the server had not missed yet."""
        if not self.is_me(message.nick):
            self.take_nick(message.nick)

    def on_text(self, message):
        channel, text = message.params[0], clean(message.params[-1]).strip()
        if self.irc.fold(channel) in self.joined and not self.is_me(message.nick):
            self.irc.listener.heard(channel, message.nick, text)

    # By command: how many parameters it must have, and what is done.
    HANDLERS = {
        "PING": (1, on_ping), "PONG": (1, on_pong), "001": (1, on_welcome), "005": (1, on_support),
        "433": (1, on_nick_in_use), "437": (1, on_nick_in_use), "JOIN": (1, on_join), "PART": (1, on_part),
        "KICK": (2, on_kick), "NICK": (1, on_nick), "QUIT": (0, on_quit),
        "PRIVMSG": (2, on_text),
    }

    def is_me(self, nick):
        return self.irc.fold(nick) == self.irc.fold(self.nick)

    # ---- what is tried again

    async def tend(self):
        while True:
            await asyncio.sleep(TEND_S)
            if self.welcome:
                self.join()
                self.take_nick(self.irc.settings.nick)

    def take_nick(self, nick):
        """If it is the one that we want and have not."""
        wanted = self.irc.settings.nick
        if self.irc.fold(nick) == self.irc.fold(wanted) and not self.is_me(wanted):
            self.send(f"NICK {wanted}")

    def join(self):
        for channel in self.irc.settings.channels:
            if self.irc.fold(channel) not in self.joined:
                self.send(f"JOIN {channel}")
