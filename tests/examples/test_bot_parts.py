"""The parts of examples/bot: lines of IRC, calls that are repeated, streams that break, the file of state."""
import asyncio
import json
import logging
import os
import pathlib
import sys
import tempfile
import unittest

from support import EXAMPLES

sys.path.insert(0, str(EXAMPLES / "bot"))
import irc  # noqa: E402
import words  # noqa: E402
from arbiter import Arbiter, Gone  # noqa: E402
from state import State  # noqa: E402


def setUpModule():
    logging.disable(logging.CRITICAL)


def tearDownModule():
    logging.disable(logging.NOTSET)


class PartsTest(unittest.TestCase):
    def test_lines_are_paced_as_rfc_1459_wants(self):
        now = 100.0
        pace = irc.Pace(5, 2.0, now=lambda: now)
        sent = []
        while len(sent) < 9:
            if pace.wait() == 0:
                pace.spend()
                sent.append(now - 100)
            now += 0.5
        self.assertLessEqual(sent[4], 2.0, "five lines go at once")
        for n in range(5, 9):
            self.assertGreaterEqual(sent[n], 2.0 * (n - 4), "never more than ten seconds ahead")

    def test_long_texts_are_divided_between_words_and_never_within_a_character(self):
        self.assertEqual(irc.wrap("aa bb cc", 5), ["aa bb", "cc"])
        self.assertEqual(irc.wrap("aaaaaaa", 3), ["aaa", "aaa", "a"])
        self.assertEqual(irc.wrap("ééé", 3), ["é", "é", "é"])
        self.assertEqual(irc.wrap("   a b", 20), ["   a b"])
        self.assertEqual(irc.wrap(""), [])

    def test_control_characters_and_colours_are_taken_out(self):
        self.assertEqual(irc.clean("a\r\nQUIT\x00\x0304,12b\x02c\x85d\u2028e"), "a QUIT b c d e")

    def test_messages_are_read_as_rfc_1459_writes_them(self):
        message = irc.parse(":alice!~a@host PRIVMSG #chess :!move e4 : x")
        self.assertEqual((message.nick, message.command), ("alice", "PRIVMSG"))
        self.assertEqual(message.params, ["#chess", "!move e4 : x"])
        self.assertEqual(irc.parse("PING :a b").params, ["a b"])
        self.assertEqual(irc.parse("@t=1 :s 001 me  you :").params, ["me", "you", ""])
        self.assertIsNone(irc.parse(""))
        self.assertIsNone(irc.parse(":alone"))

    def test_clocks_are_written_as_people_read_them(self):
        spans = {0: "0:00.0", 9540: "0:09.5", 19999: "0:19.9", 20000: "0:20", 300000: "5:00", 3600000: "1:00:00",
                 5025000: "1:23:45"}
        self.assertEqual({ms: words.span(ms) for ms in spans}, spans)

    def test_a_clock_that_is_told_anew_is_no_news(self):
        game = {"status": "active", "turn": "white", "check": False, "draw": {"offered_by": None},
                "clock": {"white_ms": 300000, "black_ms": 60000}}
        event = {"type": "clock.updated", "data": {"game": game, "reason": "time_added"}}
        self.assertEqual(words.tell(event, str.capitalize), "The clocks were set. White to move [5:00 - 1:00].")
        event["data"]["reason"] = "wall_clock"
        self.assertIsNone(words.tell(event, str.capitalize))

    def test_a_crash_leaves_the_old_state_or_the_new(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "state.json")
            first = State(path)
            first.say("#chess", "one")
            first.save()
            pathlib.Path(path + ".new").write_text("{ torn")
            os.close(first.lock)
            again = State(path)
            self.assertEqual([line["text"] for line in again.outbox], ["one"])
            again.say("#chess", "two")
            self.assertEqual([line["n"] for line in again.outbox], [1, 2])
            again.said({1})
            again.save()
            os.close(again.lock)
            self.assertEqual([line["text"] for line in State(path).outbox], ["two"])


class Scripted:
    """A server that gives the next of its answers to each connection, as bytes, and keeps what it was asked."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        arbiter = Arbiter(f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}")
        arbiter.waits = (0.01, 0.02)
        return arbiter

    async def __aexit__(self, *_):
        self.server.close()

    async def serve(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lengths = [int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("Content-Length:")]
        self.asked.append((head, await reader.readexactly(sum(lengths))))
        writer.write(self.answers.pop(0))
        await writer.drain()
        writer.close()


def answer(status, body=b"", *fields):
    head = "".join(f"{field}\r\n" for field in (f"Content-Length: {len(body)}", *fields))
    return f"HTTP/1.1 {status} x\r\n{head}\r\n".encode() + body


def stream(*pieces, end=b"0\r\n\r\n"):
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces)
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + end


def event(number):
    return json.dumps({"id": number, "type": "move.played"}).encode()


class ArbiterTest(unittest.IsolatedAsyncioTestCase):
    async def test_a_call_is_repeated_with_the_same_key_until_it_is_answered(self):
        scripted = Scripted(
            b"", b"HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n{\"cut", answer(503, b"{}"),
            answer(429, b"{}", "Retry-After: soon"), answer(409, b'{"code": "idempotency-in-progress"}'),
            b"HTTP/1.1 100 Continue\r\n\r\n" + answer(201, b'{"ok": 1}'))
        async with scripted as arbiter:
            got = await arbiter.insist("POST", "/v1/games", "ct", '{"a": 1}', "key-1")
        self.assertEqual((got.status, got.json()), (201, {"ok": 1}))
        self.assertEqual(len(scripted.asked), 6)
        self.assertEqual(len(set(scripted.asked)), 1, "always the very same request")
        self.assertIn("\r\nIdempotency-Key: key-1\r\n", scripted.asked[0][0])
        self.assertIn("\r\nAuthorization: Bearer ct\r\n", scripted.asked[0][0])

    async def test_a_refusal_is_an_answer(self):
        for status, code in ((409, "not-your-turn"), (500, "internal"), (422, "illegal-move")):
            scripted = Scripted(answer(status, json.dumps({"code": code}).encode()))
            async with scripted as arbiter:
                self.assertEqual((await arbiter.insist("POST", "/x", key="k")).json()["code"], code)

    async def follow(self, *answers):
        scripted, events = Scripted(*answers), []
        async with scripted as arbiter:
            try:
                async with asyncio.timeout(20):
                    async for one in arbiter.follow("g", "cs_t", 4):
                        events.append(one["id"])
            except Gone:
                events.append("gone")
        return events, [head.split()[1].partition("after=")[2] for head, _ in scripted.asked]

    async def test_a_stream_is_taken_up_where_it_broke(self):
        self.assertEqual(
            await self.follow(
                b"",
                stream(event(5) + b"\n\n" + event(6)[:9], event(6)[9:] + b"\n", end=b""),
                stream(b"\n", event(7) + b"\n" + event(8), end=b""),
                stream(event(8)[:5], end=b"1f\r\n{"),
                answer(503),
                stream(event(8) + b"\n"),
                answer(204)),
            ([5, 6, 7, 8], ["4", "4", "6", "7", "7", "7", "8"]))

    async def test_a_game_that_is_gone_ends_it(self):
        self.assertEqual(await self.follow(stream(event(5) + b"\n"), answer(404, b"{}")), ([5, "gone"], ["4", "5"]))


class IrcTest(unittest.IsolatedAsyncioTestCase):
    """Against a server whose part the test plays itself."""

    async def asyncSetUp(self):
        self.connections, self.writers = asyncio.Queue(), []
        self.server = await asyncio.start_server(lambda *ends: self.connections.put_nowait(ends), "127.0.0.1", 0)
        self.outbox, self.confirmed, self.texts, self.names = [], [], [], []
        settings = irc.Settings("127.0.0.1", self.server.sockets[0].getsockname()[1], "arbiter", ["#Chess"],
                                password="pw", interval=0.0)
        self.irc = irc.Irc(settings, self.outbox, self)
        self.irc.waits = (0.01, 0.02)
        self.task = asyncio.create_task(self.irc.run())

    async def asyncTearDown(self):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        for writer in self.writers:
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)
        self.server.close()

    def said(self, numbers):
        self.confirmed += sorted(numbers)
        self.outbox[:] = [line for line in self.outbox if line["n"] not in numbers]

    def heard(self, channel, nick, text):
        self.texts.append((channel, nick, text))

    def renamed(self, old, new):
        self.names.append((old, new))

    async def read(self):
        return (await asyncio.wait_for(self.reader.readline(), 20)).decode().rstrip("\r\n")

    def write(self, *lines):
        self.writer.write("".join(line + "\r\n" for line in lines).encode())

    async def accept(self):
        self.reader, self.writer = await asyncio.wait_for(self.connections.get(), 20)
        self.writers.append(self.writer)

    async def welcome(self):
        """A connection up to the channel."""
        await self.accept()
        self.assertEqual([await self.read(), await self.read()], ["PASS :pw", "NICK arbiter"])
        self.assertRegex(await self.read(), r"^USER arbiter 0 \* :")
        self.write(":s 001 arbiter :hello", ":s 005 arbiter CASEMAPPING=ascii :are supported")
        self.assertEqual(await self.read(), "JOIN #Chess")
        self.write(":arbiter!a@h JOIN #Chess")

    async def answer_ping(self):
        ping = await self.read()
        self.assertRegex(ping, "^PING :")
        self.write(":s PONG s " + ping[5:])

    def put(self, *numbers):
        self.outbox.extend({"n": n, "to": "#chess", "text": f"line {n}", "later": n % 10 == 9} for n in numbers)
        self.irc.wake()

    async def test_a_line_is_sent_until_a_ping_after_it_is_answered_and_then_never_again(self):
        self.put(1, 2)
        await self.welcome()
        self.assertEqual([await self.read(), await self.read()], ["PRIVMSG #chess :line 1", "PRIVMSG #chess :line 2"])
        await self.answer_ping()
        self.put(3)
        self.assertEqual(await self.read(), "PRIVMSG #chess :line 3")
        self.assertEqual(self.confirmed, [1, 2])
        self.assertRegex(await self.read(), "^PING :")
        self.writer.close()
        await self.welcome()
        self.assertEqual(await self.read(), "PRIVMSG #chess :line 3")
        await self.answer_ping()
        self.put(4)
        self.assertEqual(await self.read(), "PRIVMSG #chess :line 4")
        self.assertEqual(self.confirmed, [1, 2, 3])

    async def test_after_five_lines_the_server_is_asked(self):
        self.put(*range(1, 8))
        await self.welcome()
        self.assertEqual([await self.read() for _ in range(5)], [f"PRIVMSG #chess :line {n}" for n in range(1, 6)])
        await self.answer_ping()
        self.assertEqual(await self.read(), "PRIVMSG #chess :line 6")

    async def test_news_goes_first(self):
        self.put(8, 9, 10, 19, 20)
        await self.welcome()
        self.assertEqual([await self.read() for _ in range(5)],
                         [f"PRIVMSG #chess :line {n}" for n in (8, 10, 20, 9, 19)])

    async def test_lines_wait_while_the_bot_is_not_in_the_channel(self):
        await self.welcome()
        self.write(":op!o@h KICK #chess arbiter :out")
        self.write("PING :a", "PING", ":s 433", ":x!y@z KICK", "PONG :never asked", "\x00\xff", "")
        self.assertEqual(await self.read(), "PONG :a")
        self.put(1)
        self.write("PING :b")
        self.assertEqual(await self.read(), "PONG :b")
        self.write(":arbiter!a@h JOIN #chess")
        self.assertEqual(await self.read(), "PRIVMSG #chess :line 1")

    async def test_a_nick_in_use_is_evaded_and_taken_when_it_is_free(self):
        await self.accept()
        for _ in range(3):
            await self.read()
        self.write(":s 433 * arbiter :in use")
        other = await self.read()
        self.assertRegex(other, r"^NICK arbiter\d\d$")
        self.write(f":s 001 {other[5:]} :hello", ":alice!a@h QUIT :bye", ":Arbiter!a@h QUIT :Ping timeout")
        self.assertEqual([await self.read(), await self.read()], ["JOIN #Chess", "NICK arbiter"])
        self.write(f":{other[5:]}!a@h NICK :arbiter", ":arbiter!a@h QUIT", "PING :end")
        self.assertEqual(await self.read(), "PONG :end")

    async def test_only_what_others_say_in_the_channel_is_heard(self):
        await self.welcome()
        self.write(":alice!a@h PRIVMSG #CHESS :\x02!board\x0f ", ":alice!a@h PRIVMSG #other :!board",
                   ":alice!a@h PRIVMSG arbiter :!board", ":ARBITER!a@h PRIVMSG #chess :!board",
                   ":alice!a@h NOTICE #chess :!board", ":alice!a@h NICK :alicia", "PING :end")
        self.assertEqual(await self.read(), "PONG :end")
        self.assertEqual(self.texts, [("#CHESS", "alice", "!board")])
        self.assertEqual(self.names, [("alice", "alicia")])

    async def test_a_line_without_end_breaks_the_connection(self):
        await self.welcome()
        self.write("x" * 20000)
        await self.welcome()


if __name__ == "__main__":
    unittest.main()
