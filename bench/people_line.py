"""Asking as a careful client does: over one connection that is kept, and until there is an answer. All that is met on the
way is counted."""
import collections
import http.client
import json
import threading
import time
import uuid

PATIENCE_S = 120  # for an answer, through restarts
ANSWER_S = 30     # on one connection
PAUSE_S = 0.02    # before a request is sent again
COMPLAINTS = 20   # that are kept


class Wrong(Exception):
    """An answer that is not what it must be."""


class Tally:
    """What all of them met. Threads: any."""

    def __init__(self):
        self.lock = threading.Lock()
        self.statuses = collections.Counter()
        self.deeds = collections.Counter()
        self.times_ms = []   # since they were taken last
        self.lost = []       # moments at which a connection was
        self.wrongs = 0
        self.complaints = []
        self.events = self.versions = 0

    def answered(self, status, ms):
        with self.lock:
            self.statuses[status] += 1
            self.times_ms.append(ms)

    def connection_lost(self):
        with self.lock:
            self.lost.append(time.monotonic())

    def did(self, deed):
        with self.lock:
            self.deeds[deed] += 1

    def acknowledged(self, versions):
        with self.lock:
            self.versions += versions

    def saw_event(self):
        with self.lock:
            self.events += 1

    def complain(self, text):
        with self.lock:
            self.wrongs += 1
            if len(self.complaints) < COMPLAINTS:
                self.complaints.append(text)

    def take_times(self):
        with self.lock:
            taken, self.times_ms = self.times_ms, []
        return taken


class Answer:
    def __init__(self, status, headers, body, attempts):
        self.status, self.headers, self.body, self.attempts = status, headers, body, attempts

    def json(self):
        return json.loads(self.body)


class Line:
    """A keep-alive connection over which one asks until one is answered."""

    def __init__(self, port, tally):
        self.port, self.tally = port, tally
        self.connection = http.client.HTTPConnection('127.0.0.1', port, timeout=ANSWER_S)

    def close(self):
        self.connection.close()

    def _ask_once(self, method, path, body, headers):
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        return response.status, response.headers, response.read()

    def ask(self, method, path, body=None, wanted=(200,), **headers):
        """The answer; a status that is not wanted is Wrong."""
        if body is not None:
            body = json.dumps(body).encode()
            headers['Content-Type'] = 'application/json'
        elif method == 'POST':
            body = b''
        headers = {name.replace('_', '-'): value for name, value in headers.items()}
        begun, attempts = time.monotonic(), 0
        while True:
            attempts += 1
            try:
                status, given, text = self._ask_once(method, path, body, headers)
                break
            except (OSError, http.client.HTTPException) as error:
                self.close()
                self.tally.connection_lost()
                if time.monotonic() - begun > PATIENCE_S:
                    raise Wrong(f'{method} {path}: no answer: {error!r}') from error
                time.sleep(PAUSE_S)
        self.tally.answered(status, 1000 * (time.monotonic() - begun))
        if status not in wanted:
            raise Wrong(f'{method} {path}: {status} {text[:300]!r}')
        return Answer(status, given, text, attempts)


def key():
    return str(uuid.uuid4())
