"""examples/curl as a user runs it."""
import os
import re
import subprocess
import unittest

from support import EXAMPLES, Case


class CurlTest(Case):
    def setUp(self):
        super().setUp()
        self.start_daemon()

    def run_script(self, url, **options):
        return subprocess.run(["dash", EXAMPLES / "curl/two_sides.sh", url], capture_output=True, text=True, timeout=60,
                              **options)

    def test_a_game_is_played_drawn_by_claim_and_exported(self):
        done = self.run_script(self.url)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('[White "Ada"]', done.stdout)
        self.assertIn("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 1/2-1/2", " ".join(done.stdout.split()))
        steps = [step[:2] for step in re.findall(r"^# (\d\.)", done.stderr, re.MULTILINE)]
        self.assertEqual(steps, [f"{step}." for step in range(1, 8)])
        self.assertRegex(done.stderr, r"token-required[^\n]*\n401\n")
        self.assertRegex(done.stderr, r"not-your-turn[^\n]*\n409\n")
        self.assertEqual(re.findall(r"^event (\d+): (\S+)$", done.stderr, re.MULTILINE),
                         [("2", "seat.changed"), ("3", "seat.changed")] +
                         [(str(version), "move.played") for version in range(4, 11)] + [("11", "game.ended")])
        self.assertIsNone(re.search(r"c[wbsc]_[a-z2-7]{32}", done.stdout + done.stderr), "a token is printed")

    def test_the_key_is_new_each_time_and_no_argument(self):
        curl = self.folder / "curl"
        curl.write_text('#!/bin/sh\necho "$@" >"$0.arguments"\ncat >"$0.input"\nexit 7\n')
        curl.chmod(0o755)
        keys = set()
        for _ in range(2):
            self.run_script(self.url, env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
            key, = re.findall(r'^header = "Idempotency-Key: ([0-9a-f]{32})"$', (self.folder / "curl.input").read_text(),
                              re.MULTILINE)
            self.assertNotIn(key, (self.folder / "curl.arguments").read_text())
            keys.add(key)
        self.assertEqual(len(keys), 2)

    def test_it_stops_where_nothing_answers(self):
        self.daemon.kill()
        done = self.run_script(self.url)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
