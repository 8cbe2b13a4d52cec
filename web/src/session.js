// One game as this page knows it: its state, how it is kept up to date, and what the player does. No DOM here.

import {Feed} from './feed.js';
import {newKey, noteEventTime, persist, Problem, request, Unreachable} from './api.js';

const MOVES_PAGE = 500;
const PLAYERS = ['white', 'black'];
// Events of what stands around a game: who sits there, who may see it.
const WITH_PLAYERS = ['seat.changed', 'game.updated'];

/** Whether a game has not ended: it is played, or waits for its players. */
const isOn = game => game.status === 'active' || game.status === 'waiting';

export class Session extends EventTarget {
    /** seat: {role, token} of api tokens, both null where there is none. */
    constructor(id, seat) {
        super();
        this.id = id;
        this.path = `/v1/games/${id}`;
        this.role = seat.role;
        this.token = seat.token;
        this.game = null;
        this.moves = [];
        this.dests = null; // {fen, targets: {square: [square]}} of the position that is played on
        this.presence = {white: null, black: null};
        this.pending = null; // the move that is under way: {ply, move, answered}
        this.connection = 'connecting';
        this.retrying = false;
        this.problem = '';
        this.closed = false;
    }

    // ---- what the page may ask ---------------------------------------------------------------------------

    get isOver() {
        return Boolean(this.game) && !isOn(this.game);
    }

    get isOpen() {
        return this.game?.access === 'open';
    }

    /** The sides that this page moves. */
    get sides() {
        return this.isOpen ? PLAYERS : PLAYERS.filter(color => color === this.role);
    }

    get mayMove() {
        return Boolean(this.game) && !this.isOver && this.sides.includes(this.game.turn) && !this.pending;
    }

    fenAt(ply) {
        return ply === 0 ? this.game.initial_fen : this.moves[ply - 1].fen;
    }

    targetsOf(square) {
        return this.dests?.fen === this.game.fen ? this.dests.targets[square] ?? [] : null;
    }

    /** The token serves no more: a new one was made for its seat. The page goes on as one that watches. */
    dropToken() {
        const {role} = this;
        this.role = this.token = null;
        this.tell('dropped', {role});
    }

    // ---- keeping up --------------------------------------------------------------------------------------

    async open() {
        this.set(await persist('GET', this.path, this.options({while: () => !this.closed})));
        await this.loadMoves();
        this.loadSeats();
        this.follow();
    }

    close() {
        this.closed = true;
        this.feed?.stop();
    }

    follow() {
        this.feed?.stop();
        if (this.closed || this.isOver) {
            this.tellConnection('closed');
            return;
        }
        this.feed = new Feed(this.id, {
            token: () => this.token,
            rejected: () => this.dropToken(),
            catchUp: () => this.catchUp(),
            event: event => this.take(event),
            state: state => this.tellConnection(state),
        });
        this.feed.run();
    }

    wake() {
        this.feed?.wake();
    }

    /** Brings the game up to date; its version, or null where nothing more comes. */
    async catchUp() {
        const [game] = await Promise.all([request('GET', this.path, this.options()), this.readClock()]);
        const before = this.game;
        if (game.version >= before.version) {
            this.set(game);
            if (game.version > before.version || this.moves.length !== game.ply)
                await this.loadMoves(before);
            else
                this.tell('change', {before});
        }
        return this.isOver ? null : this.game.version;
    }

    /** `before`: the game as the player knew it, who is told of the latest of the moves since then. */
    async loadMoves(before = null) {
        let known;
        for (;;) {
            const version = this.game.version;
            const moves = [];
            for (let from = 1; from !== null;) {
                const page = await request('GET', `${this.path}/moves?from_ply=${from}&limit=${MOVES_PAGE}`, this.options());
                moves.push(...page.data);
                from = page.next_ply;
            }
            if (this.game.version !== version)
                continue;
            known = this.moves.length;
            this.moves = moves;
            if (moves.length !== this.game.ply)
                this.set(await request('GET', this.path, this.options()));
            break;
        }
        this.tell('change', {moves: true, before, played: before ? this.moves.slice(known).slice(-1) : []});
        this.loadDests();
    }

    /**
     * The clocks of a game tell when a flag falls by the server's time, which this answer tells: it may have been set, or
     * ours, while nothing was heard.
     */
    async readClock() {
        if (!this.game.clock)
            return;
        try {
            await request('GET', `${this.path}/clock`, this.options());
        } catch {
            // What is asked for beside it fails as well, and says so.
        }
    }

    async loadDests() {
        const fen = this.game.fen;
        if (this.isOver || !this.sides.includes(this.game.turn) || this.dests?.fen === fen)
            return;
        try {
            const answer = await persist('GET', `${this.path}/legal-moves?group=dests`,
                this.options({while: () => !this.closed && this.game.fen === fen}));
            if (this.game.fen === fen) {
                this.dests = {fen, targets: answer.dests};
                this.tell('dests', {});
            }
        } catch (error) {
            if (!(error instanceof Unreachable))
                this.tellProblem(error);
        }
    }

    /**
     * The letters of the pieces that a move from one square to another may promote to; empty where it is no promotion.
     * Asked for when a piece is taken up, so that the answer is there when it is put down.
     */
    async promotions(from, to) {
        try {
            const answer = await this.movesFrom(from) ?? await persist('GET', this.movesPath(from), this.sent());
            return answer.moves.filter(move => move.uci.slice(2, 4) === to && move.promotion).map(move => move.uci[4]);
        } finally {
            this.tellRetrying(false);
        }
    }

    movesPath(square) {
        return `${this.path}/legal-moves?from=${square}`;
    }

    /** The answer, or null where there was none. */
    movesFrom(square) {
        const fen = this.game.fen;
        if (this.asked?.fen !== fen || this.asked.square !== square)
            this.asked = {fen, square, answer: request('GET', this.movesPath(square), this.options()).catch(() => null)};
        return this.asked.answer;
    }

    async loadSeats() {
        if (this.isOpen)
            return;
        try {
            const seats = await request('GET', `${this.path}/seats`, this.options());
            for (const color of PLAYERS)
                this.presence[color] = seats[color].connected;
            this.tell('change', {});
        } catch {
            // Who is there is nice to know, and nothing hangs on it.
        }
    }

    /** The whole game, where an event has left out something of it that is shown. */
    async refresh() {
        try {
            await this.catchUp();
        } catch (error) {
            if (!(error instanceof Unreachable))
                this.tellProblem(error);
        }
    }

    set(game) {
        this.game = game;
    }

    take(event) {
        noteEventTime(event.server_time);
        if (event.type === 'presence.changed') {
            this.takePresence(event.data);
        } else if (event.type === 'game.deleted') {
            this.tell('gone', {});
        } else {
            if (event.type === 'seat.changed' && this.role && event.data.role === this.role)
                this.dropToken(); // It names the role that has a new token.
            if (event.version === this.game.version + 1)
                this.takeNext(event);
            else if (event.type === 'clock.updated' && event.version === this.game.version)
                this.takeClock(event.data.game.clock);
            else if (event.version > this.game.version)
                this.catchUp().catch(() => this.feed?.wake());
        }
    }

    /** The same clocks, by another time of the server's. */
    takeClock(clock) {
        this.set({...this.game, clock});
        this.tell('change', {});
        this.readClock();
    }

    takePresence(data) {
        if (PLAYERS.includes(data.color))
            this.presence[data.color] = data.connected;
        this.tell('change', {});
    }

    takeNext(event) {
        const {move, game} = event.data;
        // Who offers is told, but neither what may be claimed nor how a game ended in detail.
        const unknown = {draw: {now: [], with_move_count: 0, ...game.draw}, termination_detail: null};
        this.apply({...this.game, ...game, ...unknown, version: event.version}, move ? [move] : []);
        if (this.isOver || WITH_PLAYERS.includes(event.type) || this.sides.includes(this.game.turn))
            this.refresh();
    }

    /** The game has become this by these moves, or by a rewind. */
    apply(game, moves) {
        const before = this.game;
        this.moves.length = Math.min(this.moves.length, game.ply);
        for (const move of moves) {
            if (move.ply === this.moves.length + 1)
                this.moves.push(move);
        }
        const fits = this.moves.length === game.ply;
        this.set(game);
        this.tell('change', {moves: true, played: moves, before});
        if (fits)
            this.loadDests();
        else
            this.loadMoves().catch(() => this.feed?.wake());
        if (isOn(game) !== isOn(before))
            this.follow();
    }

    // ---- what the player does ----------------------------------------------------------------------------

    /**
     * Plays a move ({from, to, promotion} or {move}) as the next ply. It is sent again for as long as no answer
     * comes: as that ply it is played once. One that is made meanwhile waits for that answer, and falls with it.
     */
    async play(move) {
        while (this.pending)
            if (!await this.pending.answered || this.closed)
                throw new Error('The move before it was refused, so this one was not sent.');
        const ply = this.game.ply + 1;
        let answered, stands = false;
        this.pending = {ply, move, answered: new Promise(resolve => { answered = resolve; })};
        this.tellProblem(null);
        try {
            const answer = await persist('PUT', `${this.path}/moves/${ply}`, this.sent({body: move}));
            this.pending = null;
            stands = true;
            this.took(answer);
        } catch (error) {
            this.pending = null;
            this.refused(error);
            throw error;
        } finally {
            answered(stands);
            this.tellRetrying(false);
        }
    }

    took(answer) {
        if (answer.game.version > this.game.version)
            this.apply(answer.game, answer.move ? [answer.move] : answer.moves ?? []);
        else
            this.tell('change', {moves: true});
    }

    refused(error) {
        this.tell('change', {});
        if (error instanceof Problem && error.code === 'token-invalid')
            this.dropToken();
        if (error instanceof Problem && ['ply-conflict', 'game-over', 'not-your-turn', 'version-mismatch'].includes(error.code))
            this.catchUp().catch(() => {});
    }

    /** Any other action; it carries a key, so that its repeat is known for one. */
    async act(method, path, body, token = this.token) {
        this.tellProblem(null);
        try {
            const key = method === 'POST' ? newKey() : undefined;
            const answer = await persist(method, `${this.path}/${path}`, this.sent({token, body, key}));
            if (answer.game)
                this.took(answer);
            return answer;
        } catch (error) {
            this.refused(error);
            this.tellProblem(error);
            return null;
        } finally {
            this.tellRetrying(false);
        }
    }

    // ---- telling the page --------------------------------------------------------------------------------

    options(more = {}) {
        return {token: this.token, ...more};
    }

    /** Of what the player did: it is sent until it is answered, and the page says so meanwhile. */
    sent(more = {}) {
        return this.options({while: () => !this.closed, waiting: () => this.tellRetrying(true), ...more});
    }

    tell(type, detail) {
        if (!this.closed)
            this.dispatchEvent(new CustomEvent(type, {detail}));
    }

    /** Something that was sent is sent again. */
    tellRetrying(retrying) {
        if (this.retrying !== retrying) {
            this.retrying = retrying;
            this.tell('connection', {});
        }
    }

    tellConnection(state) {
        if (this.connection !== state) {
            this.connection = state;
            this.tell('connection', {});
        }
    }

    tellProblem(error) {
        const text = error?.message ?? '';
        if (this.problem !== text) {
            this.problem = text;
            this.tell('problem', {});
        }
    }
}
