#!/usr/bin/env python3
"""A chess bot for IRC: two people play in a channel, Arbiter keeps the game and the rules. See README.md.

What is heard becomes a command in the state file, with a key, before anything is done about it; it leaves the file
together with what came of it. What happens to a game comes as events, whoever made it happen, and becomes lines in the
outbox together with the number of the event. So the bot may be ended at any moment, and so may the IRC server, and
Arbiter: each side goes on where it was.
"""
import argparse
import asyncio
import contextlib
import json
import logging
import os
import re
import secrets
import signal
import sys
import time

import irc
import words
from arbiter import Arbiter, Gone
from state import State

PATIENCE_S = 5         # before the channel is told that Arbiter does not answer
STALE_S = 24 * 3600    # a game in which so long nothing has happened makes room for another
PENDING_MAX = 20       # commands of one channel that wait
CROWD_PENDING = 3      # where so many wait,
CROWD_LINES = 20       # or so many lines are to be said, who only looks is not listened to
PGN_LINES = 3

HELP = (
    "!new [white|black|random] [300+3] [chess960], !join; !move Nf3, or \"{nick}: Nf3\"; !board, !pgn; "
    "!draw [accept|decline], !claim [threefold|fifty] [move], !takeback [accept|decline], !resign, !abort. "
    "A clock is in seconds: 300+3 is five minutes and three seconds a move."
)


class Refused(Exception):
    """The command cannot be carried out; the text says why."""


class Bot:
    def __init__(self, settings, state, arbiter, public_url, operator=None):
        self.state, self.arbiter = state, arbiter
        self.public_url, self.operator = public_url.rstrip("/"), operator
        self.irc = irc.Irc(settings, state.outbox, self)
        self.more = asyncio.Event()  # pending commands
        self.watchers = {}           # tasks, by channel

    async def run(self):
        async with asyncio.TaskGroup() as self.tasks:
            for channel, room in self.state.channels.items():
                self.watch(channel, room)
            self.tasks.create_task(self.irc.run())
            self.tasks.create_task(self.work())

    # ---- what is said

    def say(self, channel, text, later=False):
        for line in irc.wrap(irc.clean(text)):
            self.state.say(channel, line, later)

    def reply(self, entry, text):
        self.say(entry["channel"], f"{entry['nick']}: {text}")

    def keep(self):
        """What has changed is kept, and only then sent."""
        self.state.save()
        self.irc.wake()

    def said(self, numbers):
        if numbers:
            self.state.said(numbers)
            self.state.save()

    # ---- what is heard

    def heard(self, channel, nick, text):
        channel = self.irc.fold(channel)
        word, rest = self.read(text)
        if word not in COMMANDS or self.is_too_much(channel, nick, word):
            return
        self.state.pending.append(self.command(channel, nick, word, rest))
        self.keep()
        self.more.set()

    def command(self, channel, nick, word, rest=""):
        return {"key": secrets.token_hex(16), "channel": channel, "nick": nick, "word": word, "rest": rest}

    def read(self, text):
        """The command and what follows it: "!move e4", and "arbiter: e4"."""
        called = re.match(re.escape(self.irc.nick) + r"[:,]\s*(.+)", text, re.IGNORECASE)
        if not called and not text.startswith("!"):
            return None, ""
        word, _, rest = (called[1] if called else text[1:]).partition(" ")
        if called and not rest and word.lower() not in COMMANDS:
            return "move", word
        return word.lower(), rest.strip()

    def is_too_much(self, channel, nick, word):
        waiting = sum(line["to"] == channel for line in self.state.outbox)
        pending = sum(entry["channel"] == channel for entry in self.state.pending)
        looks = word in LOOKS or (word != "join" and not self.seat_of(channel, nick))
        return pending >= PENDING_MAX or (looks and (waiting >= CROWD_LINES or pending >= CROWD_PENDING))

    def renamed(self, old, new):
        """A seat goes with its player to his new name."""
        changed = False
        for room in self.state.channels.values():
            for color, nick in room["players"].items():
                if nick and self.irc.fold(nick) == self.irc.fold(old):
                    room["players"][color], changed = new, True
        for entry in self.state.pending:
            if self.irc.fold(entry["nick"]) == self.irc.fold(old):
                entry["nick"], changed = new, True
        if changed:
            self.keep()

    # ---- commands are carried out one after the other, each until it is answered

    async def work(self):
        while True:
            while self.state.pending:
                await self.carry_out(self.state.pending[0])
                self.state.pending.pop(0)
                self.keep()
            self.more.clear()
            await self.more.wait()

    async def carry_out(self, entry):
        ask, answered = (COMMANDS | STEPS)[entry["word"]]
        if "request" not in entry:
            try:
                entry["request"] = ask(self, entry)
            except Refused as reason:
                self.reply(entry, str(reason))
                return
            self.state.save()
        patience = asyncio.get_running_loop().call_later(PATIENCE_S, self.excuse, entry)
        answer = await self.arbiter.insist(**entry["request"])
        patience.cancel()
        answered(self, entry, answer)

    def excuse(self, entry):
        self.reply(entry, "Arbiter does not answer now. This is kept, and done when it does.")
        self.keep()

    def request(self, entry, method, path, token, body=None):
        if method == "GET":
            return {"method": method, "path": path, "token": token}
        return {"method": method, "path": path, "token": token, "body": json.dumps(body or {}), "key": entry["key"]}

    def room(self, entry):
        room = self.state.channels.get(entry["channel"])
        if not room:
            raise Refused("no game is played here yet; !new begins one.")
        return room

    def seat_of(self, channel, nick):
        """The colour that a nick plays in the channel's game, or None."""
        players = self.state.channels.get(channel, {"players": {}})["players"]
        return next((color for color, name in players.items()
                     if name and self.irc.fold(name) == self.irc.fold(nick)), None)

    def act(self, entry, path, body=None):
        """A request for what only a player may do, in the name of his seat."""
        room, color = self.room(entry), self.seat_of(entry["channel"], entry["nick"])
        if room["over"]:
            raise Refused("the game is over; !new begins another.")
        if not color:
            raise Refused("you have no seat in this game.")
        return self.request(entry, "POST", f"/v1/games/{room['game']}/{path}", room["tokens"][color], body)

    def look(self, entry, path):
        room = self.room(entry)
        return self.request(entry, "GET", f"/v1/games/{room['game']}{path}", room["tokens"]["spectator"])

    def ask_new(self, entry):
        room = self.state.channels.get(entry["channel"])
        if room and not room["over"] and time.time() - room["at"] < STALE_S:
            raise Refused("a game is being played here; !board shows it.")
        color, body = "white", {"access": "seats", "visibility": "unlisted"}
        for word in entry["rest"].lower().split():
            if word in ("white", "black"):
                color = word
            elif word == "random":
                color = secrets.choice(("white", "black"))
            elif word == "chess960":
                body["variant"] = word
            else:
                body["clock"] = word
        entry["color"] = color
        body[color] = {"name": entry["nick"]}
        return self.request(entry, "POST", "/v1/games", self.operator, body)

    def ask_join(self, entry):
        room = self.room(entry)
        if room["over"]:
            raise Refused("the game is over; !new begins another.")
        if self.seat_of(entry["channel"], entry["nick"]):
            raise Refused("you have a seat already.")
        color = next((color for color, nick in room["players"].items() if not nick), None)
        if not color:
            raise Refused("both seats are taken.")
        entry["color"] = color
        return self.ask_sit(entry)

    def ask_sit(self, entry):
        """A seat that nobody has taken is free to all who know the game, whatever tokens there are."""
        room, color = self.room(entry), entry["color"]
        return self.request(entry, "POST", f"/v1/games/{room['game']}/seats", room["tokens"][color],
                            {"color": color, "name": entry["nick"]})

    def ask_move(self, entry):
        if not entry["rest"]:
            raise Refused("which move? For example: !move Nf3")
        return self.act(entry, "moves", {"move": entry["rest"]})

    def ask_claim(self, entry):
        reasons = {"threefold": "threefold_repetition", "fifty": "fifty_moves"}
        body = {}
        for word in entry["rest"].split():
            body["reason" if word.lower() in reasons else "move"] = reasons.get(word.lower(), word)
        return self.act(entry, "draw/claim", body)

    def ask_offer(self, entry, first, path):
        """An offer by the bare word; an answer to one by a second word, never by the same."""
        answers = {"": first, "accept": f"{path}/accept", "decline": f"{path}/decline"}
        if entry["rest"].lower() not in answers:
            raise Refused(f"!{entry['word']}, !{entry['word']} accept, or !{entry['word']} decline")
        return self.act(entry, answers[entry["rest"].lower()])

    def ask_help(self, entry):
        raise Refused(HELP.format(nick=self.irc.nick))

    # ---- what came of it

    def nothing_more(self, entry, answer):
        """What was done comes back as an event; only what was refused is said here."""
        if not answer.ok:
            self.reply(entry, answer.json().get("detail") or f"Arbiter refuses ({answer.status}).")

    def created(self, entry, answer):
        if not answer.ok:
            return self.nothing_more(entry, answer)
        game, channel, color = answer.json(), entry["channel"], entry["color"]
        other = "black" if color == "white" else "white"
        room = {"game": game["id"], "tokens": game["tokens"], "players": {color: entry["nick"], other: None},
                "cursor": game["version"], "ply": game["ply"], "over": False, "at": time.time()}
        self.state.channels[channel] = room
        clock = f", {game['clock']['words']}" if game["clock"] else ""
        self.say(channel, f"{entry['nick']} begins a new game{clock}. !join takes {other.capitalize()}. "
                          f"{self.picture(room)}")
        self.watch(channel, room)
        self.state.pending.insert(1, {**self.command(channel, entry["nick"], "sit"), "color": color})

    def joined(self, entry, answer):
        if answer.ok:
            self.state.channels[entry["channel"]]["players"][entry["color"]] = entry["nick"]
        self.nothing_more(entry, answer)

    def shown(self, entry, answer):
        if not answer.ok:
            return self.nothing_more(entry, answer)
        for line in filter(str.strip, answer.text.splitlines()):
            self.say(entry["channel"], line.rstrip(), later=True)
        self.say(entry["channel"], self.picture(self.state.channels[entry["channel"]]), later=True)

    def written(self, entry, answer):
        if not answer.ok:
            return self.nothing_more(entry, answer)
        lines = irc.wrap(" ".join(answer.text.partition("\n\n")[2].split()))
        for line in lines[:PGN_LINES]:
            self.say(entry["channel"], line, later=True)
        game, more = self.state.channels[entry["channel"]]["game"], "... " if len(lines) > PGN_LINES else ""
        self.say(entry["channel"], f"{more}{self.public_url}/v1/games/{game}.pgn", later=True)

    def picture(self, room):
        return f"{self.public_url}/v1/games/{room['game']}/board.png?ply={room['ply']}"

    # ---- what happens to the games

    def watch(self, channel, room):
        if channel in self.watchers:
            self.watchers[channel].cancel()
        if not room["over"]:
            self.watchers[channel] = self.tasks.create_task(self.follow(channel, room))

    async def follow(self, channel, room):
        try:
            async for event in self.arbiter.follow(room["game"], room["tokens"]["spectator"], room["cursor"]):
                self.happened(channel, room, event)
        except Gone:
            room["over"] = True
            self.say(channel, "Arbiter does not have this game any more.")
            self.keep()

    def happened(self, channel, room, event):
        """An event, and the lines that tell it, are kept together."""
        game = event["data"].get("game")
        if event.get("id", room["cursor"] + 1) <= room["cursor"] and not event["data"].get("reset"):
            return
        room["cursor"] = event.get("id", room["cursor"])
        if game:
            room["ply"], room["at"] = game["ply"], time.time()
            room["over"] = event["type"] == "game.deleted" or game["status"] in ("ended", "aborted")
        if event["type"] == "seat.changed":
            self.seat_changed(room, event["data"])
        text = words.tell(event, lambda color: room["players"][color] or color.capitalize())
        if text:
            self.say(channel, text)
        self.keep()

    def seat_changed(self, room, data):
        """Seats are taken and left over HTTP too."""
        if data["reason"] == "taken":
            room["players"][data["color"]] = room["players"][data["color"]] or data["name"] or "somebody"
        elif data["reason"] == "left":
            room["players"][data["color"]] = None


# By word: what is asked of Arbiter, and what is made of the answer.
COMMANDS = {
    "new": (Bot.ask_new, Bot.created),
    "join": (Bot.ask_join, Bot.joined),
    "move": (Bot.ask_move, Bot.nothing_more),
    "board": (lambda bot, entry: bot.look(entry, "/board.txt"), Bot.shown),
    "pgn": (lambda bot, entry: bot.look(entry, ".pgn"), Bot.written),
    "draw": (lambda bot, entry: bot.ask_offer(entry, "draw/offer", "draw"), Bot.nothing_more),
    "claim": (Bot.ask_claim, Bot.nothing_more),
    "takeback": (lambda bot, entry: bot.ask_offer(entry, "takeback", "takeback"), Bot.nothing_more),
    "resign": (lambda bot, entry: bot.act(entry, "resign"), Bot.nothing_more),
    "abort": (lambda bot, entry: bot.act(entry, "abort"), Bot.nothing_more),
    "help": (Bot.ask_help, None),
}
# What is not said but follows of itself.
STEPS = {"sit": (Bot.ask_sit, Bot.joined)}
LOOKS = ("board", "pgn", "help")


def read_options(arguments):
    parser = argparse.ArgumentParser(description="A chess bot for IRC, on top of Arbiter.", epilog=(
        "ARBITERBOT_PASSWORD: the password of the IRC server. ARBITERBOT_TOKEN: an operator's token, where only "
        "operators may create games."))
    parser.add_argument("--irc", required=True, metavar="HOST[:PORT]", help="port 6667, or 6697 with --tls")
    parser.add_argument("--tls", action="store_true", help="speak TLS with the IRC server")
    parser.add_argument("--nick", default="arbiter")
    parser.add_argument("--channel", required=True, action="append", metavar="NAME", help="may be repeated")
    parser.add_argument("--arbiter", default="http://127.0.0.1:8080", metavar="URL")
    parser.add_argument("--public-url", metavar="URL", help="where people reach Arbiter, for links")
    parser.add_argument("--state", default="arbiter-bot.json", metavar="PATH", help="the file that the bot keeps")
    parser.add_argument("--burst", type=int, default=irc.BURST_LINES, help="lines that may be said at once")
    parser.add_argument("--interval", type=float, default=irc.INTERVAL_S, help="seconds for each line after that")
    return parser.parse_args(arguments)


def make_bot(options):
    if not all(channel[0] in "#&" for channel in options.channel):
        raise ValueError("the name of a channel begins with # or &")
    host, _, port = options.irc.rpartition(":") if re.search(r":\d+$", options.irc) else (options.irc, "", "")
    settings = irc.Settings(host.strip("[]"), int(port or (6697 if options.tls else 6667)), options.nick,
                            options.channel, options.tls, os.environ.get("ARBITERBOT_PASSWORD"), options.burst,
                            options.interval)
    return Bot(settings, State(options.state), Arbiter(options.arbiter), options.public_url or options.arbiter,
               os.environ.get("ARBITERBOT_TOKEN"))


async def run(bot):
    task = asyncio.current_task()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await bot.run()


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    try:
        bot = make_bot(read_options(sys.argv[1:]))
    except (OSError, ValueError) as error:
        sys.exit(f"arbiter_bot: {error}")
    asyncio.run(run(bot))


if __name__ == "__main__":
    main()
