"""examples/frontend: what its page asks of the daemon from another origin, and what must hold of the file itself. The
page in a browser is for the tests under tests/web.
"""
import json
import re
import unittest

from support import EXAMPLES, Case

ORIGIN = "https://chess.example.org"
PAGE = EXAMPLES / "frontend/index.html"


class FrontendTest(Case):
    def setUp(self):
        super().setUp()
        self.start_daemon("--allow-origin", ORIGIN)

    def cross(self, *arguments):
        """As a browser asks for a page of that origin: the head of the answer, and its body."""
        head, _, body = self.curl("-i", "-H", f"Origin: {ORIGIN}", *arguments).replace("\r", "").partition("\n\n")
        return head, body

    def preflight(self, path, method, fields):
        head, _ = self.cross("-X", "OPTIONS", "-H", f"Access-Control-Request-Method: {method}", "-H",
                             f"Access-Control-Request-Headers: {fields}", self.url + path)
        self.assertRegex(head, r"^HTTP/1.1 204 ")
        self.assertRegex(head, rf"(?m)^Access-Control-Allow-Origin: {ORIGIN}$")
        self.assertIn(method, re.search(r"(?m)^Access-Control-Allow-Methods: (.*)$", head)[1])
        allowed = re.search(r"(?m)^Access-Control-Allow-Headers: (.*)$", head)[1].lower().split(", ")
        self.assertLessEqual(set(fields.split(",")), set(allowed))

    def test_it_may_be_played_from_another_origin(self):
        self.preflight("/v1/games", "POST", "content-type")
        head, body = self.cross("-H", "Content-Type: application/json", "-d",
                                '{"access": "seats", "visibility": "unlisted"}', f"{self.url}/v1/games")
        self.assertRegex(head, r"^HTTP/1.1 201 ")
        self.assertRegex(head, rf"(?m)^Access-Control-Allow-Origin: {ORIGIN}$")
        game = json.loads(body)
        path = f"/v1/games/{game['id']}"
        bearer = f"Authorization: Bearer {game['tokens']['white']}"

        head, body = self.cross("-H", bearer, f"{self.url}{path}/legal-moves")
        self.assertRegex(head, rf"(?m)^Access-Control-Allow-Origin: {ORIGIN}$")
        moves = [(move["from"], move["to"], move["uci"]) for move in json.loads(body)["moves"]]
        self.assertIn(("e2", "e4", "e2e4"), moves)

        self.preflight(f"{path}/moves", "POST", "authorization,content-type")
        head, _ = self.cross("-H", "Content-Type: application/json", "-H", bearer, "-d", '{"move": "e2e4", "ply": 1}',
                             f"{self.url}{path}/moves")
        self.assertRegex(head, r"^HTTP/1.1 201 ")

        self.curl("-f", "-X", "POST", "-H", f"Authorization: Bearer {game['tokens']['black']}",
                  f"{self.url}{path}/resign")
        head, body = self.cross("-N", "-H", "Accept: text/event-stream", f"{self.url}{path}/events?after=1")
        self.assertRegex(head, rf"(?m)^Access-Control-Allow-Origin: {ORIGIN}$")
        self.assertRegex(head, r"(?m)^Content-Type: text/event-stream")
        self.assertEqual(re.findall(r"(?m)^event: (.*)$", body), ["move.played", "game.ended"])
        told = [json.loads(data)["data"]["game"] for data in re.findall(r"(?m)^data: (.*)$", body)]
        self.assertEqual([(game["ply"], game["status"], game["turn"], game["check"], game["draw"]["offered_by"])
                          for game in told], [(1, "active", "black", False, None), (1, "ended", "black", False, None)])
        self.assertEqual((told[1]["result"], told[1]["termination"]), ("1-0", "resignation"))

    def test_a_picture_is_an_image_of_another_origin(self):
        game = self.curl("-X", "POST", f"{self.url}/v1/games.txt").strip()
        head, body = self.cross(f"{self.url}/v1/games/{game}/board.svg?ply=0&orientation=black&size=640&targets=e2")
        self.assertRegex(head, r"(?m)^Content-Type: image/svg\+xml")
        self.assertNotRegex(head, r"(?im)^Cross-Origin-Resource-Policy: same")
        self.assertTrue(body.startswith("<svg"))

    def test_other_origins_are_turned_away(self):
        answer = self.curl("-H", "Origin: https://elsewhere.example.org", f"{self.url}/v1/limits")
        self.assertEqual(json.loads(answer)["code"], "origin-not-allowed")

    def test_the_file_is_one_page_under_150_lines(self):
        text = PAGE.read_text()
        self.assertLess(len(text.splitlines()), 150)
        self.assertEqual(re.findall(r"(?:src|href)=[\"']?https?:", text), [], "nothing from elsewhere")


if __name__ == "__main__":
    unittest.main()
