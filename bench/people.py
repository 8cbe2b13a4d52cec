"""What people do besides playing move after move: a few clients that do everything at a modest rate, know what they were
told, and hold every later answer against it.

Each person has games of his own that nobody else changes, so he knows what each of them must be. All that he asks may be
asked again: moves by their half-move, everything else with an Idempotency-Key; so a request whose connection is lost is
sent again until it is answered (people_line.py)."""
import collections
import http.client
import json
import random
import threading
import time

from people_line import PATIENCE_S, PAUSE_S, Line, Tally, Wrong, key

OPEN = 6        # games that a person plays at one time
ENDED = 30      # games that he leaves as they are; of more the oldest are deleted
GONE = 30       # deleted games that he remembers
FLAG_MS = 1000  # a game for a flag to fall in
STREAM_S = 5    # how long somebody watches, at most


class Game:
    """What its person was told of it."""

    def __init__(self, told, script, tally):
        self.id, self.script, self.tally, self.moves = told['id'], script, tally, []
        self.tally.acknowledged(told['version'])
        self.version, self.status, self.result = told['version'], told['status'], told['result']
        self.tokens = told.get('tokens')

    @property
    def path(self):
        return f'/v1/games/{self.id}'

    @property
    def side(self):
        return ('white', 'black')[len(self.moves) % 2]

    @property
    def may_read(self):
        return {'Authorization': f'Bearer {self.tokens["creator"]}'} if self.tokens else {}

    def take(self, told, plies, versions=1):
        """The game after an action of so many versions, after which it has so many half-moves."""
        if told['id'] != self.id or told['version'] != self.version + versions or told['ply'] != plies:
            raise Wrong(f'{self.id}: version {told["version"]}, half-move {told["ply"]} after version {self.version} with '
                        f'{len(self.moves)}')
        del self.moves[plies:]
        self.tally.acknowledged(versions)
        self.version, self.status, self.result = told['version'], told['status'], told['result']

    def compare(self, told):
        """The same as it was left."""
        for member, value in (('version', self.version), ('ply', len(self.moves)), ('status', self.status),
                              ('result', self.result)):
            if told[member] != value:
                raise Wrong(f'{self.id}: {member} is {told[member]!r}, and was {value!r}')


class Person:
    """A thread of his own, with so many requests a second at most."""

    def __init__(self, course, number):
        self.course, self.tally = course, course.tally
        self.random = random.Random(course.seed * 1000 + number)
        self.line = Line(course.port, course.tally)
        self.open, self.ended, self.gone = [], collections.deque(), collections.deque(maxlen=GONE)
        self.restarts = 0
        self.due = time.monotonic()
        self.thread = threading.Thread(target=self._run, daemon=True)

    # ---- asking ------------------------------------------------------------------------------------------------------

    def ask(self, method, path, body=None, wanted=(200,), **headers):
        """In his time: what is late is not made up for."""
        now = time.monotonic()
        self.due = max(now, self.due + self.course.pause_s)
        time.sleep(self.due - now)
        return self.line.ask(method, path, body, wanted, **headers)

    def act(self, game, what, body=None, wanted=(200,), plies=None, **headers):
        """An action with a key that is one version; now and then it is sent twice, and done once."""
        mark = {'Idempotency_Key': key(), **headers}
        answer = self.ask('POST', f'{game.path}/{what}', body, wanted, **mark)
        told = answer.json()
        game.take(told['game'], len(game.moves) if plies is None else plies)
        if self.random.random() < 0.25:
            again = self.ask('POST', f'{game.path}/{what}', body, wanted, **mark)
            if again.body != answer.body or again.headers['Idempotent-Replayed'] != 'true':
                raise Wrong(f'{game.path}/{what}: another answer to the same key')
        return told

    def create(self, body):
        told = self.ask('POST', '/v1/games', body, (201,), Idempotency_Key=key()).json()
        game = Game(told, self.random.choice(self.course.scripts), self.tally)
        if told['version'] != 1 or told['ply'] != 0:
            raise Wrong(f'{game.id}: a new game at version {told["version"]}')
        return game

    def play(self, game, uci, **headers):
        """As this half-move, so that it may be repeated."""
        ply = len(game.moves) + 1
        answer = self.ask('PUT', f'{game.path}/moves/{ply}', {'move': uci}, (200, 201), **headers)
        if answer.status == 200 and answer.attempts == 1:
            raise Wrong(f'{game.path}/moves/{ply}: was there already')
        told = answer.json()
        if told['move']['uci'] != uci or told['move']['ply'] != ply:
            raise Wrong(f'{game.path}/moves/{ply}: {told["move"]["uci"]} instead of {uci}')
        game.moves.append(uci)
        game.take(told['game'], ply)

    # ---- deeds: each with a game that is open ------------------------------------------------------------------------

    def play_on(self, game):
        for uci in game.script[len(game.moves):][:4]:
            self.play(game, uci)

    def post_move(self, game):
        uci = game.script[len(game.moves)]
        game.moves.append(uci)
        self.act(game, 'moves', {'move': uci}, (201,))

    def read(self, game):
        answer = self.ask('GET', game.path, **game.may_read)
        game.compare(answer.json())
        tag = answer.headers['ETag']
        again = self.ask('GET', game.path, None, (304, 200), If_None_Match=tag, **game.may_read)
        if again.status == 200 and again.headers['ETag'] == tag:  # a restart moves the tag of a running clock
            raise Wrong(f'{game.path}: 200 with the same tag {tag}')

    def read_legal_moves(self, game):
        told = self.ask('GET', f'{game.path}/legal-moves').json()
        if told['count'] != len(told['moves']) or game.script[len(game.moves)] not in [move['uci'] for move in told['moves']]:
            raise Wrong(f'{game.path}/legal-moves: {game.script[len(game.moves)]} is missing')

    def read_history(self, game):
        told = self.ask('GET', f'{game.path}/moves?limit=500', **game.may_read).json()
        if [move['uci'] for move in told['data']] != game.moves or told['version'] != game.version:
            raise Wrong(f'{game.path}/moves: not the moves that were played')

    def export(self, game):
        text = self.ask('GET', f'{game.path}.pgn', **game.may_read).body.decode()
        tags, _, moves = text.partition('\n\n')
        words = [word for word in moves.split() if word[0].isalpha()]
        if len(words) != len(game.moves) or f'[Result "{game.result}"]' not in tags or not moves.split()[-1] == game.result:
            raise Wrong(f'{game.path}.pgn: {len(words)} of {len(game.moves)} half-moves, {tags!r}')

    def look(self, game):
        form, begin = self.random.choice([('board.svg', b'<svg'), ('board.png?size=160', b'\x89PNG'), ('board.txt', b'')])
        if not self.ask('GET', f'{game.path}/{form}').body.startswith(begin):
            raise Wrong(f'{game.path}/{form}: no picture')

    def list_games(self, _):
        page = self.ask('GET', '/v1/games?limit=20&status=active').json()
        if len(page['data']) > 20 or any(told['status'] != 'active' for told in page['data']):
            raise Wrong('/v1/games: not a page of active games')
        if page['next_cursor']:
            self.ask('GET', f'/v1/games?limit=20&status=active&cursor={page["next_cursor"]}')

    def offer_draw(self, game):
        self.act(game, 'draw/offer', {'color': game.side}, (201,))
        if self.random.random() < 0.2 and len(game.moves) > 1:
            self.act(game, 'draw/accept')
            self.end(game, '1/2-1/2', 'agreement')
        else:
            self.act(game, 'draw/decline')

    def take_back(self, game):
        if len(game.moves) < 2:
            return
        self.act(game, 'takeback', {'to_ply': len(game.moves) - 2, 'color': game.side}, (201,))
        self.act(game, 'takeback/accept', plies=len(game.moves) - 2)

    def resign(self, game):
        self.act(game, 'resign', {'color': game.side})
        self.end(game, None, None)

    def read_position(self, game):
        told = self.ask('GET', f'{game.path}/position').json()
        moves = self.ask('GET', '/v1/positions/legal-moves?fen=' + told['fen'].replace(' ', '_')).json()
        if moves['count'] != told['legal_move_count']:
            raise Wrong(f'{told["fen"]}: {moves["count"]} moves, and {told["legal_move_count"]} in its game')

    # ---- deeds with games of their own -------------------------------------------------------------------------------

    def mate(self, _):
        game = self.create({})
        for uci in ('f2f3', 'e7e5', 'g2g4', 'd8h4'):
            self.play(game, uci)
        self.end(game, '0-1', 'checkmate')

    def sit(self, _):
        game = self.create({'access': 'seats', 'clock': '300+3'})
        seat = {color: {'Authorization': f'Bearer {game.tokens[color]}'} for color in ('white', 'black')}
        self.play(game, game.script[0], **seat['white'])
        self.ask('PUT', f'{game.path}/moves/2', {'move': game.script[1]}, (401,))
        self.ask('PUT', f'{game.path}/moves/2', {'move': game.script[1]}, (403, 409), **seat['white'])
        self.play(game, game.script[1], **seat['black'])
        self.act(game, 'resign', **seat['white'])
        self.end(game, '0-1', 'resignation')

    def let_flag_fall(self, _):
        game = self.create({'clock': {'initial_ms': FLAG_MS, 'start': 'immediate'}})
        told, end = {'data': []}, time.monotonic() + PATIENCE_S
        while not told['data'] and time.monotonic() < end:  # the service may end meanwhile, and a poll with it
            told = self.ask('GET', f'{game.path}/events.json?after={game.version}&wait=20').json()
        if [event['type'] for event in told['data']] != ['game.ended'] or told['data'][0]['version'] != 2:
            raise Wrong(f'{game.path}: no flag has fallen: {told}')
        game.take({**told['data'][0]['data']['game'], 'id': game.id, 'version': told['data'][0]['version']}, 0)
        self.end(game, '0-1', 'timeout')

    def delete(self, _):
        if len(self.ended) < ENDED:
            return
        game = self.ended.popleft()
        self.gone.append(game)
        answer = self.ask('DELETE', game.path, None, (204, 404), **game.may_read)
        if answer.status == 404 and answer.attempts == 1:
            raise Wrong(f'{game.path}: was deleted already')

    def revisit(self, _):
        if self.ended:
            game = self.random.choice(self.ended)
            self.read(game)
            self.read_history(game)

    def end(self, game, result, termination):
        told = self.ask('GET', f'{game.path}/status', **game.may_read).json()
        if told['status'] != 'ended' or game.status != 'ended' or (result and told['result'] != result) or \
                (termination and told['termination'] != termination):
            raise Wrong(f'{game.path}: {told} instead of {result} by {termination}')
        if game in self.open:
            self.open.remove(game)
        self.ended.append(game)

    DEEDS = [(play_on, 24), (post_move, 12), (read, 10), (read_legal_moves, 8), (read_history, 3), (export, 3), (look, 4),
             (list_games, 2), (offer_draw, 3), (take_back, 3), (resign, 2), (read_position, 2), (mate, 2), (sit, 2),
             (let_flag_fall, 0.3), (delete, 6), (revisit, 4)]

    # ---- the course --------------------------------------------------------------------------------------------------

    def verify(self):
        """Everything acknowledged is there, and what was deleted is not."""
        for game in [*self.open, *self.ended]:
            game.compare(self.line.ask('GET', game.path, **game.may_read).json())
            told = self.line.ask('GET', f'{game.path}/moves?limit=500', **game.may_read).json()
            if [move['uci'] for move in told['data']] != game.moves:
                raise Wrong(f'{game.path}/moves: not the moves that were acknowledged')
        for game in self.gone:
            self.line.ask('GET', game.path, None, (404,), **game.may_read)

    def _deed(self):
        if self.restarts < self.course.restarts:
            self.restarts = self.course.restarts
            self.verify()
        while len(self.open) < OPEN:
            self.open.append(self.create({'clock': '36000'} if self.random.random() < 0.3 else {}))
        game = self.random.choice(self.open)
        deed = self.random.choices(*zip(*self.DEEDS))[0]
        self.tally.did(deed.__name__)
        if len(game.moves) + 4 >= len(game.script):
            deed = Person.resign
        try:
            deed(self, game)
        except Wrong:
            if game in self.open:
                self.open.remove(game)  # what it is now is not known
            raise

    def attempt(self, deed):
        try:
            deed()
        except Wrong as wrong:
            self.tally.complain(str(wrong))
        except (KeyError, TypeError, ValueError, AttributeError) as fault:
            self.tally.complain(f'an answer that is not understood: {fault!r}')

    def _run(self):
        while not self.course.is_over.is_set():
            self.attempt(self._deed)

    def acknowledged(self):
        """Versions of all games that he has."""
        return sum(game.version for game in [*self.open, *self.ended])


class Watcher:
    """Comes and goes: takes the events of one game and the next, each time from where it left it; none is missed."""

    def __init__(self, course, number):
        self.course, self.tally = course, course.tally
        self.random = random.Random(course.seed * 1000 + 500 + number)
        self.seen = {}  # game id -> number of its last event
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _note(self, id, line):
        event = json.loads(line)
        number, before = event['id'], self.seen.get(id)
        if event['type'] == 'snapshot' and before is not None:
            raise Wrong(f'{id}: a snapshot where event {before + 1} was due')
        if event['type'] != 'snapshot' and before is not None and number != before + 1:
            raise Wrong(f'{id}: event {number} after {before}')
        self.seen[id] = number
        self.tally.saw_event()

    def _read(self, id, response, until):
        numbered = False
        while time.monotonic() < until:
            line = response.readline()
            if not line:
                return
            if line.startswith(b'id: '):
                numbered = True
            elif line.startswith(b'data: ') and numbered:
                self._note(id, line[6:])
                numbered = False

    def watch(self, id):
        """Whether there will be more of it."""
        until = time.monotonic() + self.random.uniform(0.2, STREAM_S)
        headers = {'Last-Event-ID': str(self.seen[id])} if id in self.seen else {}
        connection = http.client.HTTPConnection('127.0.0.1', self.course.port, timeout=STREAM_S)
        try:
            connection.request('GET', f'/v1/games/{id}/events', headers=headers)
            response = connection.getresponse()
            if response.status not in (200, 204, 404):
                raise Wrong(f'{id}: events: {response.status}')
            if response.status != 200:
                return False
            self._read(id, response, until)
        except TimeoutError:
            pass  # nothing has happened
        except (OSError, http.client.HTTPException):
            self.tally.connection_lost()
            time.sleep(PAUSE_S)
        finally:
            connection.close()
        return True

    def _run(self):
        games = []
        while not self.course.is_over.is_set():
            person = self.random.choice(self.course.persons)
            if len(games) < 4 and person.open:
                games.append(self.random.choice(list(person.open)).id)
            if games:
                id = self.random.choice(games)
                try:
                    goes_on = self.watch(id)
                except (Wrong, ValueError, KeyError) as wrong:
                    self.tally.complain(f'stream: {wrong!r}')
                    goes_on = False
                if not goes_on or self.random.random() < 0.1:
                    games.remove(id)
                    self.seen.pop(id, None)
            else:
                time.sleep(PAUSE_S)


class People:
    """All of them."""

    def __init__(self, port, scripts, rate, persons, watchers, seed):
        self.port, self.scripts, self.seed = port, scripts, seed
        self.pause_s = persons / rate
        self.tally = Tally()
        self.restarts = 0
        self.is_over = threading.Event()
        self.persons = [Person(self, number) for number in range(persons)]
        self.watchers = [Watcher(self, number) for number in range(watchers)]

    def begin(self):
        for one in [*self.persons, *self.watchers]:
            one.thread.start()

    def restarted(self):
        """Each of them looks whether all is there."""
        self.restarts += 1

    def end(self):
        """They look once more, at all that they have."""
        self.is_over.set()
        for one in [*self.persons, *self.watchers]:
            one.thread.join(2 * PATIENCE_S)
            if one.thread.is_alive():
                self.tally.complain('somebody still waits for an answer')
        for person in self.persons:
            person.attempt(person.verify)
            person.line.close()

    def acknowledged(self):
        return sum(person.acknowledged() for person in self.persons)
