// normal: what an answer would be if it had been given at noon of the first day of 2026 by a daemon at localhost:8080,
// so that two recordings of the same scenario are the same.

const NOON = Date.UTC(2026, 0, 1, 12);
// What lies ahead of noon, in ms.
const AHEAD = { flag_at: 300000, expires_at: 60000 };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TOKEN = /\bc[wbscot]_[a-z2-7]{32}\b/g;
const LETTERS = 'abcdefghjkmnpqrstuvwxyz';

// Clocks are told to ten seconds, and a move takes no time.
const STEP_MS = 10000;
const LEFT = new Set(['white_ms', 'black_ms', 'clock_ms', 'remaining_ms']);

export class Normal {
  constructor(origin) {
    this.origin = origin;
    this.ids = new Map(); // id of a game -> the one that is shown
  }

  addGame(id) {
    if (this.ids.has(id)) return;
    const n = this.ids.size;
    this.ids.set(id, `k4w7m2x9${LETTERS[n % 23]}${LETTERS[Math.floor(n / 23)]}q3`);
  }

  text(text) {
    for (const [id, shown] of this.ids) text = text.replaceAll(id, shown);
    return text
      .replaceAll(this.origin, 'http://localhost:8080')
      .replaceAll(new URL(this.origin).host, 'localhost:8080')
      .replace(TOKEN, (token) => token.slice(0, 3) + 'k4w7m2x6'.repeat(4))
      .replace(/\b\d+(?= ms are left)/, (left) => this.number(Number(left), 'remaining_ms'))
      .replace(/\[(UTCDate|Date) "[^"]*"\]/g, '[$1 "2026.01.01"]')
      .replace(/\[(UTCTime) "[^"]*"\]/g, '[$1 "12:00:00"]');
  }

  value(value, name = '') {
    if (Array.isArray(value)) return value.map((item) => this.value(item, name));
    if (typeof value === 'string') return this.string(value, name);
    if (typeof value === 'number') return this.number(value, name);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.value(item, key)]));
  }

  string(text, name) {
    if (TIME.test(text)) return new Date(NOON + (AHEAD[name] ?? 0)).toISOString();
    if (name === 'next_cursor') return 'bmV4dA';
    if (name === 'build') return 'release';
    return this.text(text);
  }

  number(number, name) {
    if (LEFT.has(name)) return Math.ceil(number / STEP_MS) * STEP_MS;
    if (name === 'spent_ms') return 0;
    return number;
  }
}
