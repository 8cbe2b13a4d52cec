"""state: what the bot must not forget, in one small JSON file that is replaced as a whole.

    channels  by name: the game that is or was played there, its tokens, who sits where, the last event that was told
    pending   commands that were heard and are not answered, in order, each with the key that makes it safe to repeat
    outbox    lines to be said that the IRC server has not confirmed, in order
    next      the number of the next line

What belongs together (an event that is told, and the lines that tell it) is changed before one save(), so a crash at
any moment leaves both or neither. The file holds tokens: only its owner may read it.
"""
import fcntl
import json
import os


class State:
    def __init__(self, path):
        """Raises OSError, also where another bot uses the file, and ValueError where it is no state."""
        self.path = path
        self.lock = os.open(path + ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        values = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                values = json.load(file)
        self.channels = values.get("channels", {})
        self.pending = values.get("pending", [])
        self.outbox = values.get("outbox", [])
        self.next = values.get("next", 1)

    def save(self):
        values = {"channels": self.channels, "pending": self.pending, "outbox": self.outbox, "next": self.next}
        new = self.path + ".new"
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "w",
                  encoding="utf-8") as file:
            json.dump(values, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self.path)
        folder = os.open(os.path.dirname(self.path) or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def say(self, to, text, later=False):
        """Puts a line into the outbox; `later`: others may overtake it."""
        self.outbox.append({"n": self.next, "to": to, "text": text, "later": later})
        self.next += 1

    def said(self, numbers):
        self.outbox[:] = [line for line in self.outbox if line["n"] not in numbers]
