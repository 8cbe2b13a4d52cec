// Requests to the API, on the origin that the page came from.

/** What the API refused: a problem (RFC 9457). */
export class Problem extends Error {
    constructor(status, body) {
        super(body.detail || body.title || `The server answered ${status}.`);
        this.status = status;
        this.code = body.code || '';
        this.body = body;
    }
}

/** No answer: the network, or a server that is not there just now. The request may be sent again. */
export class Unreachable extends Error {
    constructor(seconds) {
        super('The server cannot be reached.');
        this.seconds = seconds; // what Retry-After asked for, or 0
    }
}

// How far the server's clock is ahead of ours, from the quickest exchange so far: it is right within half of the error.
const offset = {ms: 0, error: Infinity};
// What neither of the clocks is told apart by.
const CLOCK_SLACK_MS = 100;

/** What the server's clock shows now, in Unix ms. */
export function serverNow() {
    return Date.now() + offset.ms;
}

// An exchange that cannot be right if the one before it was: one of the clocks was set since then.
function noteServerTime(text, sent, received) {
    if (!text)
        return;
    const error = received - sent;
    const ms = Date.parse(text) - (sent + received) / 2;
    const wasSet = Math.abs(ms - offset.ms) > (error + offset.error) / 2 + CLOCK_SLACK_MS;
    if (error < offset.error || wasSet)
        Object.assign(offset, {ms, error});
}

/** An event tells the time too, but not how long it was under way: no earlier time than it tells is right. */
export function noteEventTime(text) {
    if (!text)
        return;
    const ms = Date.parse(text) - Date.now();
    if (offset.error === Infinity || ms > offset.ms + offset.error / 2 + CLOCK_SLACK_MS)
        Object.assign(offset, {ms, error: Infinity});
}

function isTemporary(status, body) {
    return status === 502 || status === 503 || status === 504 || status === 429 ||
        body.code === 'idempotency-in-progress';
}

function headersOf({token, key, accept, body, match}) {
    const headers = {Accept: accept ?? 'application/json'};
    if (token)
        headers.Authorization = `Bearer ${token}`;
    if (key)
        headers['Idempotency-Key'] = key;
    if (body !== undefined)
        headers['Content-Type'] = 'application/json';
    if (match)
        headers['If-None-Match'] = match;
    return headers;
}

async function readBody(response) {
    const text = await response.text();
    const type = response.headers.get('Content-Type') || '';
    return /json/.test(type) && !/ndjson/.test(type) && text ? JSON.parse(text) : text;
}

/**
 * One request: the body of the answer. Options: token, key (Idempotency-Key), body (JSON), accept, signal.
 * Throws Problem or Unreachable.
 */
export async function request(method, path, options = {}) {
    const sent = Date.now();
    let response, body;
    try {
        response = await fetch(path, {
            method,
            headers: headersOf(options),
            body: options.body === undefined ? undefined : JSON.stringify(options.body),
            cache: 'no-store',
            credentials: 'omit',
            signal: options.signal,
        });
        body = await readBody(response);
    } catch (error) {
        if (error.name === 'AbortError')
            throw error;
        throw new Unreachable(0);
    }
    if (response.ok) {
        if (!response.headers.has('Idempotent-Replayed')) // That one may be an answer of another time.
            noteServerTime(body.server_time, sent, Date.now());
        return body;
    }
    const problem = typeof body === 'object' ? body : {};
    if (isTemporary(response.status, problem))
        throw new Unreachable(Number(response.headers.get('Retry-After')) || 0);
    throw new Problem(response.status, problem);
}

/** A key that no other request has (Idempotency-Key). */
export function newKey() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

export const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

/** How long to wait before try `number` (from 1): longer each time, never all at once. */
export function pause(number, seconds = 0) {
    const most = Math.min(15000, 500 * 2 ** number);
    return Math.max(seconds * 1000, most / 2 + Math.random() * most / 2);
}

/**
 * The same request again until it is answered: only for what may be said twice (GET, PUT, a POST with a key).
 * `while` says whether it is still wanted; `waiting` is told of each failure.
 */
export async function persist(method, path, options = {}) {
    for (let number = 1; ; number++) {
        try {
            return await request(method, path, options);
        } catch (error) {
            if (!(error instanceof Unreachable) || (options.while && !options.while()))
                throw error;
            options.waiting?.(number);
            await wait(pause(number, error.seconds));
        }
    }
}
