// What happens in a game, as it happens: server-sent events, or a long poll where those do not get through.

import {request, pause, wait, Problem, Unreachable} from './api.js';

const TYPES = ['snapshot', 'move.played', 'draw.offered', 'draw.declined', 'draw.claim_refused', 'takeback.offered',
    'takeback.declined', 'position.rewound', 'clock.updated', 'seat.changed', 'presence.changed', 'game.updated',
    'game.deleted', 'game.ended'];
const POLL_SECONDS = 25;
const STREAM_FAILURES_MAX = 3;
// A stream says something every fifteen seconds, but a ping is no event: this long without an opening is a failure.
const OPENING_MS = 10000;

/**
 * hooks: token() of who watches, or null; rejected() is called where it serves no more; catchUp() brings the game up to date and resolves to its version, or null where it is over or gone;
 * event(event); state('live' | 'connecting' | 'closed').
 */
export class Feed {
    constructor(id, hooks) {
        this.id = id;
        this.hooks = hooks;
        this.failures = 0;
        this.stopped = false;
        this.cursor = null; // the id of the last event: a new connection goes on from there
        this.abort = new AbortController();
    }

    async run() {
        for (let number = 1; !this.stopped; number++) {
            let asked = 0; // seconds that the server wants to be left alone
            try {
                this.hooks.state('connecting');
                const version = await this.hooks.catchUp();
                if (version === null || this.stopped)
                    break;
                this.cursor ??= version;
                await (this.failures < STREAM_FAILURES_MAX ? this.stream() : this.poll());
                number = 1;
            } catch (error) {
                if (error.name === 'AbortError')
                    break;
                if (error instanceof Problem && error.status === 404)
                    break;
                if (error instanceof Problem && error.status === 401)
                    this.hooks.rejected();
                if (error instanceof Unreachable)
                    asked = error.seconds;
                if (!(error instanceof Problem || error instanceof Unreachable))
                    reportError(error); // A fault of this page is not hidden by trying again.
            }
            if (!this.stopped)
                await this.rest(number, asked);
        }
        if (!this.stopped)
            this.hooks.state('closed');
    }

    /** Waits; not longer than until the network is back or the page is looked at again, but for as long as it is asked to. */
    async rest(number, asked) {
        this.hooks.state('connecting');
        const over = wait(pause(number, asked));
        const called = new Promise(resolve => { this.hurry = resolve; });
        const stopped = new Promise(resolve => { this.finish = resolve; });
        await Promise.race(asked ? [over, stopped] : [over, stopped, called]);
    }

    wake() {
        this.hurry?.();
    }

    stop() {
        this.stopped = true;
        this.source?.close();
        this.abort.abort();
        this.finish?.();
    }

    // A ticket serves once and stands in the address instead of the token, which never does.
    async address() {
        const query = new URLSearchParams({after: this.cursor});
        const token = this.hooks.token();
        if (token) {
            const answer = await request('POST', `/v1/games/${this.id}/stream-tickets`, {token});
            query.set('ticket', answer.ticket);
        }
        return `/v1/games/${this.id}/events?${query}`;
    }

    take(event) {
        this.cursor = event.id ?? this.cursor;
        this.hooks.event(event);
    }

    /** Resolves when the stream has ended, however. */
    async stream() {
        const address = await this.address();
        if (this.stopped)
            return;
        const source = new EventSource(address);
        this.source = source;
        let opened = false;
        await new Promise(resolve => {
            this.finish = resolve;
            const timer = setTimeout(() => !opened && resolve(), OPENING_MS);
            source.onopen = () => {
                opened = true;
                clearTimeout(timer);
                this.failures = 0;
                this.hooks.state('live');
            };
            source.onerror = resolve;
            for (const type of TYPES)
                source.addEventListener(type, message => this.take(JSON.parse(message.data)));
        });
        source.close();
        if (!opened)
            this.failures++;
    }

    /** Resolves when the game is over. */
    async poll() {
        this.hooks.state('live'); // The game was asked for just now.
        while (!this.stopped) {
            const answer = await request('GET', `/v1/games/${this.id}/events?after=${this.cursor}&wait=${POLL_SECONDS}`,
                {token: this.hooks.token(), signal: this.abort.signal});
            answer.data.forEach(event => this.take(event));
            if (answer.over)
                break;
        }
    }
}

