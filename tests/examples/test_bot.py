"""examples/bot as a user runs it: against the daemon and Debian's ngircd, with people in a channel."""
import json
import os
import re
import signal
import subprocess
import sys
import unittest

from support import EXAMPLES, Case, Ircd, Person, await_true

# Legal's mate, and how each half-move is told.
MATE = ["e4", "e5", "Nf3", "d6", "Bc4", "Bg4", "Nc3", "g6", "Nxe5", "Bxd1", "Bxf7+", "Ke7", "Nd5#"]


def said_as(ply):
    return f"{(ply + 1) // 2}{'.' if ply % 2 else '...'} {MATE[ply - 1]} ("


class BotTest(Case):
    def setUp(self):
        super().setUp()
        self.start_daemon()
        self.ircd = Ircd(self)
        self.state = self.folder / "bot.json"
        self.alice, self.bob = self.person("alice"), self.person("bob")
        self.start_bot()

    def tearDown(self):
        ended = self.bot.process.poll()
        self.assertIn(ended, (None, 0), f"the bot has ended by itself: {self.bot.lines[-20:]}")
        super().tearDown()

    def person(self, nick):
        person = Person(self.ircd, nick)
        self.addCleanup(person.close)
        return person

    def run_bot(self, **environment):
        return self.run_program(
            [sys.executable, "-B", EXAMPLES / "bot/arbiter_bot.py", "--irc", f"127.0.0.1:{self.ircd.port}",
             "--channel", "#chess", "--arbiter", self.url, "--state", self.state, "--interval", "0.1"],
            env={**os.environ, **environment})

    def start_bot(self, **environment):
        self.bot = self.run_bot(**environment)
        self.alice.await_raw(r"^:arbiter!\S+ JOIN :?#chess")
        self.alice.raw.clear()

    def kill_bot(self):
        """It is gone when the channel has seen it go."""
        self.alice.raw.clear()
        self.bot.kill(signal.SIGKILL)
        self.alice.await_raw(r"^:arbiter!\S+ QUIT")

    def kept(self):
        return json.loads(self.state.read_text())

    def room(self):
        return self.kept()["channels"]["#chess"]

    def begin(self, *words):
        """A game with alice as White and bob as Black."""
        at = len(self.alice.lines)
        self.alice.say(" ".join(("!new", *words)))
        self.alice.hears("alice begins a new game", at)
        self.alice.hears("alice has White. alice to move", at)
        self.bob.say("!join")
        return self.alice.hears("bob has Black. alice to move", at)

    def play(self, *moves):
        """In turn from White on; each is told before the next is made."""
        for ply, move in enumerate(moves):
            person = (self.alice, self.bob)[ply % 2]
            at = len(self.alice.lines)
            person.say(f"!move {move}")
            self.alice.hears(f" {move} (", at)

    def over_http(self, color, move):
        room = self.room()
        self.curl("-f", "-H", f"Authorization: Bearer {room['tokens'][color]}", "-d", move,
                  f"{self.url}/v1/games/{room['game']}/moves.txt")

    def await_quiet(self):
        """All that is to be said has arrived, as the bot knows, and was heard."""
        await_true(lambda: not self.kept()["outbox"] and not self.kept()["pending"], "an empty outbox")
        self.alice.catch_up()

    # ---- the long way to a mate

    def test_two_people_play_to_mate_while_everything_is_killed(self):
        self.begin()
        self.play(*MATE[:4])

        self.await_quiet()
        self.daemon.kill(signal.SIGKILL)
        self.alice.say("!move Bc4")
        await_true(lambda: self.kept()["pending"], "the move to wait")
        self.start_daemon()
        self.alice.hears(said_as(5))

        self.bob.say("arbiter: Bg4")
        self.alice.hears(said_as(6))
        self.bob.rename("robert")
        self.alice.say("Arbiter, Nc3")
        self.alice.hears(said_as(7))
        self.bob.say("!move g6")
        self.alice.hears(said_as(8) + "robert")

        self.await_quiet()
        self.bot.process.send_signal(signal.SIGSTOP)  # so that people are back before it is
        self.ircd.program.kill(signal.SIGKILL)
        self.over_http("white", MATE[8])
        self.ircd.start()
        self.alice.connect()
        self.bob.connect()
        self.bot.process.send_signal(signal.SIGCONT)
        self.alice.hears(said_as(9))

        self.await_quiet()
        self.kill_bot()
        self.over_http("black", MATE[9])
        self.start_bot()
        self.alice.hears(said_as(10))

        self.alice.say("!move Bxf7+")
        self.alice.hears(said_as(11) + "alice). robert to move, in check.")
        self.bob.say("!move e8e7")
        self.alice.hears(said_as(12))
        self.alice.say("!move Nd5")
        self.alice.hears(said_as(13) + "alice). 1-0: alice wins by checkmate.")

        self.await_quiet()
        told = [text.split(" (")[0] for nick, text in self.alice.lines
                if nick == "arbiter" and re.match(r"\d+\.+ \S+ \(", text)]
        self.assertEqual(told, [said_as(ply)[:-2] for ply in range(1, 14)], "each move once, in order")
        pgn = self.curl("-f", f"{self.url}/v1/games/{self.room()['game']}.pgn")
        self.assertIn("7. Nd5# 1-0", " ".join(pgn.split()))
        self.assert_nothing_secret_was_said()

    def test_at_the_worst_moments_no_move_is_lost_and_none_is_made_twice(self):
        """The daemon is killed when it is being asked, the bot when it was heard and may not know that yet."""
        self.begin()
        for ply, move in enumerate(MATE[:8], 1):
            (self.alice if ply % 2 else self.bob).say(f"!move {move}")
            if ply % 2:
                await_true(lambda: self.kept()["pending"] or self.room()["ply"] == ply, "the bot to have heard it")
                self.daemon.kill(signal.SIGKILL)
                self.start_daemon()
            self.alice.hears(said_as(ply))
            if ply % 2:
                self.await_quiet()  # or the line of this move too is one that the bot does not know to be heard
            else:
                self.kill_bot()
                self.start_bot()
        self.await_quiet()
        told = [text.split(" (")[0] for nick, text in self.alice.lines
                if nick == "arbiter" and re.match(r"\d+\.+ \S+ \(", text)]
        repeated = [at for at in range(1, len(told)) if told[at] == told[at - 1]]
        self.assertEqual([text for at, text in enumerate(told) if at not in repeated],
                         [said_as(ply)[:-2] for ply in range(1, 9)])
        self.assertLessEqual(len(repeated), 4, "only the line that nobody could know of is said again")
        pgn = self.curl("-f", f"{self.url}/v1/games/{self.room()['game']}.pgn")
        self.assertIn("4. Nc3 g6 *", " ".join(pgn.split()))

    def assert_nothing_secret_was_said(self):
        tokens = list(self.room()["tokens"].values())
        self.assertEqual(len(tokens), 4)
        for token in tokens:
            self.assertFalse([text for _, text in self.alice.lines if token in text])
            self.assertFalse([line for line in self.bot.lines if token in line])
        self.assertEqual(self.state.stat().st_mode & 0o777, 0o600)

    def test_the_bot_ends_cleanly_and_goes_on_later(self):
        self.begin()
        self.play("e4")
        self.await_quiet()
        self.alice.raw.clear()
        self.assertEqual(self.bot.kill(signal.SIGTERM), 0)
        self.alice.await_raw(r"^:arbiter!\S+ QUIT")
        self.start_bot()
        at = len(self.alice.lines)
        self.bob.say("!move e5")
        self.assertEqual(self.alice.hears("1... e5 (bob)", at), at + 2, "bob's words, the bot's, and nothing else")

    def test_two_bots_do_not_share_a_state(self):
        second = self.run_bot()
        self.assertEqual(second.process.wait(30), 1)

    def test_a_game_that_everybody_has_left_makes_room_after_a_day(self):
        self.begin()
        old = self.room()["game"]
        self.bob.say("!new")
        self.alice.hears("bob: a game is being played here")
        self.await_quiet()
        self.kill_bot()
        kept = self.kept()
        kept["channels"]["#chess"]["at"] -= 24 * 3600
        self.state.write_text(json.dumps(kept))
        self.start_bot()
        at = len(self.alice.lines)
        self.bob.say("!new black")
        at = self.alice.hears("bob begins a new game. !join takes White.", at)
        self.alice.say("!join")
        self.alice.hears("alice has White. alice to move.", at)
        self.assertNotEqual(self.room()["game"], old)

    def test_a_seat_that_was_taken_over_http_is_not_free_in_the_channel(self):
        self.alice.say("!new")
        self.alice.hears("alice begins a new game")
        self.alice.hears("alice has White.")
        self.await_quiet()
        game = self.room()["game"]
        refused = self.curl("-d", "color=white", f"{self.url}/v1/games/{game}/seats")
        self.assertEqual(json.loads(refused)["code"], "seat-taken")
        taken = self.curl("-f", "-d", "color=black", "-d", "name=Zoe", f"{self.url}/v1/games/{game}/seats")
        token = json.loads(taken)["token"]
        self.alice.hears("Zoe has Black. alice to move.")
        self.bob.say("!join")
        self.alice.hears("bob: both seats are taken.")
        self.alice.say("!move e4")
        self.alice.hears("1. e4 (alice). Zoe to move.")
        self.curl("-f", "-H", f"Authorization: Bearer {token}", "-d", "e5", f"{self.url}/v1/games/{game}/moves.txt")
        self.alice.hears("1... e5 (Zoe). alice to move.")

    def test_where_only_operators_create_games_the_bot_is_one(self):
        key, line = subprocess.run([os.environ["ARBITERD"], "token", "--operator", "bot"], check=True, text=True,
                                   capture_output=True).stdout.splitlines()
        keys = self.folder / "operators"
        keys.write_text(line + "\n")
        self.daemon.kill()
        self.start_daemon("--operator-keys", keys, "--creators", "operators")
        self.alice.say("!new")
        self.alice.hears("alice: ")
        self.kill_bot()
        self.start_bot(ARBITERBOT_TOKEN=key)
        self.begin()
        self.assertFalse([line for line in self.bot.lines + [text for _, text in self.alice.lines] if key in line])

    # ---- draws and ends

    def test_a_draw_is_claimed_with_an_announced_move(self):
        self.begin()
        self.play("Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1")
        self.bob.say("!claim Ng8")
        self.alice.hears("1/2-1/2: drawn by threefold repetition.")

    def test_a_wrong_claim_stands_as_an_offer(self):
        self.begin()
        self.play("e4")
        self.bob.say("!claim threefold")
        self.alice.hears("bob's claim is wrong; it stands as an offer")

    def test_a_draw_is_offered_declined_and_agreed(self):
        at = self.begin()
        self.play("e4", "e5")
        self.alice.say("!draw")
        at = self.alice.hears("alice offers a draw", at)
        self.alice.say("!draw accept")
        at = self.alice.hears("alice: ", at)
        self.bob.say("!draw decline")
        at = self.alice.hears("bob declines the draw.", at)
        self.bob.say("!draw")
        at = self.alice.hears("bob offers a draw", at)
        self.alice.say("!draw accept")
        self.alice.hears("1/2-1/2: drawn by agreement.", at)

    def test_who_resigns_loses_and_another_game_begins(self):
        self.begin("300+3")
        self.play("e4")
        self.bob.say("!resign")
        self.alice.hears("1-0: alice wins by resignation.")
        self.alice.say("!move d4")
        self.alice.hears("alice: the game is over")
        self.begin("chess960")
        self.alice.say("!abort")
        self.alice.hears("The game is aborted.")

    def test_a_move_is_taken_back_by_consent(self):
        at = self.begin()
        self.play("e4")
        self.alice.say("!takeback")
        at = self.alice.hears("alice asks to take back", at)
        self.bob.say("!takeback accept")
        self.alice.hears("Taken back to half-move 0. alice to move.", at)

    # ---- what is shown

    def test_board_and_pgn_are_shown(self):
        at = self.begin()
        self.play("e4")
        self.bob.say("!board")
        at = self.alice.hears("4  . . . . P . . .", at)
        at = self.alice.hears("   a b c d e f g h", at)
        game = self.room()["game"]
        link = f"{self.url}/v1/games/{game}/board.png?ply=1"
        at = self.alice.hears(link, at)
        picture = self.folder / "board.png"
        self.curl("-f", "-o", picture, link)
        self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        self.bob.say("!pgn")
        at = self.alice.hears("1. e4 *", at)
        self.alice.hears(f"{self.url}/v1/games/{game}.pgn", at)

    # ---- what is refused

    def test_what_cannot_be_done_is_said_with_the_reason(self):
        self.alice.say("!move e4")
        self.alice.hears("alice: no game is played here yet")
        self.begin()
        self.alice.say("!move Ke2")
        self.alice.hears("alice: Ke2: ")
        self.bob.say("!move e5")
        self.alice.hears("bob: ")
        carol = self.person("carol")
        carol.say("!move e4")
        self.alice.hears("carol: you have no seat in this game.")
        carol.say("!join")
        self.alice.hears("carol: both seats are taken.")
        self.alice.say("!join")
        self.alice.hears("alice: you have a seat already.")
        carol.say("!new")
        self.alice.hears("carol: a game is being played here")
        self.assertEqual(json.loads(self.curl(f"{self.url}/v1/games/{self.room()['game']}"))["ply"], 0)

    def test_hostile_lines_do_no_harm(self):
        self.begin()
        carol = self.person("carol")
        for text in ("!move \x02e4\x0304,05\x1f", "!move " + "x" * 480, "!join ", "\x01VERSION\x01", "!" + "é" * 200,
                     "!claim " + "Nf3 " * 100, "!", "!new \x7f\x1b[2J", "arbiter: " + "😀" * 100):
            carol.say(text)
        self.alice.say("!move \x02e4\x0f")
        self.alice.hears("1. e4 (alice)")
        self.bob.say("!move " + "x" * 400)
        self.alice.hears("bob: ")
        self.await_quiet()
        for line in self.alice.raw:
            if line.startswith(b":arbiter!"):
                self.assertLessEqual(len(line), 510)
                self.assertIsNone(re.search(rb"[\x00-\x1f\x7f]", line))
                line.decode()

    def test_a_flood_of_questions_does_not_keep_the_players_from_playing(self):
        self.begin()
        carol = self.person("carol")
        for _ in range(20):
            carol.say("!board")
        self.play("e4", "e5", "Nf3")
        self.await_quiet()
        boards = sum("a b c d e f g h" in text for _, text in self.alice.lines)
        self.assertTrue(0 < boards < 15, f"{boards} of 20 boards")


if __name__ == "__main__":
    unittest.main()
