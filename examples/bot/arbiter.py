"""arbiter: what a chat bot needs of Arbiter's HTTP API: calls that are repeated until they are answered, and events
that are followed across every interruption. HTTP/1.1 over asyncio, nothing beyond Python's own library.
"""
import asyncio
import contextlib
import json
import random
import ssl
from dataclasses import dataclass, field
from urllib.parse import urlsplit

CONNECT_S = 10      # to open a connection
ANSWER_S = 60       # for a whole answer
SILENCE_S = 45      # a stream says something every 15 seconds, if it is only an empty line
HEAD_BYTES = 65536  # of an answer's head, and of a line of a stream
BODY_BYTES = 4 << 20

# The ways in which a connection fails; a TimeoutError is an OSError.
BROKEN = (OSError, EOFError, ValueError, asyncio.LimitOverrunError)


def backoff(first, most):
    """Seconds to wait after each failure in turn: doubled each time, and never quite the same for two clients."""
    while True:
        yield first * random.uniform(0.5, 1.0)
        first = min(2 * first, most)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict = field(default_factory=dict)  # by name in small letters
    body: bytes = b""

    @property
    def ok(self):
        return 200 <= self.status < 300

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    def json(self):
        """The object of the body; an empty one where there is none."""
        try:
            value = json.loads(self.body)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def passes(self):
        """This answer says nothing about the request but that it should be sent again later."""
        return self.status in (429, 502, 503, 504) or self.json().get("code") == "idempotency-in-progress"

    @property
    def retry_after(self):
        text = self.headers.get("retry-after", "")
        return min(int(text), 60) if text.isdecimal() else None


class Gone(Exception):
    """The game is not there any more, or the token does not open it."""


class Arbiter:
    waits = (0.5, 30)  # seconds: the first pause after a failure, and the longest

    def __init__(self, url):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url} is no http or https address")
        self.tls = ssl.create_default_context() if parts.scheme == "https" else None
        self.host, self.port = parts.hostname, parts.port or (443 if self.tls else 80)
        self.authority, self.base = parts.netloc.rpartition("@")[2], parts.path.rstrip("/")

    async def call(self, method, path, token=None, body=None, key=None):
        """One request. Raises one of BROKEN where no whole answer came."""
        async with asyncio.timeout(ANSWER_S), self._exchange(method, path, token, body, key) as (answer, chunks):
            parts, size = [], 0
            async for chunk in chunks:
                parts.append(chunk)
                size += len(chunk)
                if size > BODY_BYTES:
                    raise ValueError("an answer without end")
            return Answer(answer.status, answer.headers, b"".join(parts))

    async def insist(self, method, path, token=None, body=None, key=None):
        """The same request again until there is an answer that counts. With a key it is done once, however often it
        was sent: what the first one was answered is answered again."""
        for wait in backoff(*self.waits):
            try:
                answer = await self.call(method, path, token, body, key)
                if not answer.passes:
                    return answer
                wait = answer.retry_after or wait
            except BROKEN:
                pass
            await asyncio.sleep(wait)

    async def follow(self, game, token, after):
        """Every event of the game after version `after`, each once and in order, until nothing more can come. Raises
        Gone."""
        waits = backoff(*self.waits)
        while True:
            with contextlib.suppress(*BROKEN):
                path = f"/v1/games/{game}/events.ndjson?after={after}"
                async with self._exchange("GET", path, token) as (answer, chunks):
                    if answer.status == 204:
                        return
                    if answer.status in (401, 403, 404, 410):
                        raise Gone
                    if answer.status == 200:
                        async for event in _events(chunks):
                            waits = backoff(*self.waits)
                            after = event.get("id", after)
                            yield event
            await asyncio.sleep(next(waits))

    @contextlib.asynccontextmanager
    async def _exchange(self, method, path, token=None, body=None, key=None):
        """Sends a request; gives the answer's head, and its body piece by piece. A connection for each, so that a
        daemon that was started anew is never met on an old one."""
        async with asyncio.timeout(CONNECT_S):
            reader, writer = await asyncio.open_connection(self.host, self.port, ssl=self.tls, limit=HEAD_BYTES)
        try:
            writer.write(self._head(method, path, token, body, key) + (body or "").encode())
            async with asyncio.timeout(SILENCE_S):
                await writer.drain()
                answer = await _read_head(reader)
            yield answer, _body(reader, answer)
        finally:
            writer.close()

    def _head(self, method, path, token, body, key):
        lines = [f"{method} {self.base}{path} HTTP/1.1", f"Host: {self.authority}", "Connection: close",
                 "User-Agent: arbiter-bot"]
        if token:
            lines.append(f"Authorization: Bearer {token}")
        if key:
            lines.append(f"Idempotency-Key: {key}")
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body.encode())}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


async def _read_head(reader):
    """RFC 9112, sections 4 and 5; interim answers are passed over."""
    while True:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        version, _, rest = first.partition(" ")
        if not version.startswith("HTTP/1.") or not rest[:3].isdecimal():
            raise ValueError("no HTTP")
        status = int(rest[:3])
        if status >= 200:
            break
    pairs = (line.partition(":") for line in lines if line)
    return Answer(status, {name.strip().lower(): value.strip() for name, _, value in pairs})


async def _patient(reading):
    async with asyncio.timeout(SILENCE_S):
        return await reading


async def _body(reader, answer):
    """RFC 9112, section 6: the body in pieces as they come."""
    if answer.status in (204, 304):
        return
    if answer.headers.get("transfer-encoding", "").lower() == "chunked":
        while size := int((await _patient(reader.readline())).split(b";")[0], 16):
            yield (await _patient(reader.readexactly(size + 2)))[:size]
    elif "content-length" in answer.headers:
        yield await _patient(reader.readexactly(int(answer.headers["content-length"])))
    else:
        while piece := await _patient(reader.read(HEAD_BYTES)):
            yield piece


async def _events(chunks):
    """The objects of a stream of lines. A line that a broken connection has cut is none."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > BODY_BYTES:
            raise ValueError("a line without end")
        for line in lines:
            if line.strip():
                yield json.loads(line)
