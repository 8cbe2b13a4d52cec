// The seats that this browser has, and the games it made. Secrets stay here: they are sent in the Authorization field
// and never stand in an address that a server sees.
//
// A tab remembers which seat it plays (sessionStorage), so that two tabs may play against each other; all seats are
// kept beside (localStorage) for a tab that is opened later.

import {roleOfToken} from './address.js';

const KEY = 'arbiter.games';
const GAMES_MAX = 50;

function read(storage, key) {
    try {
        return JSON.parse(storage.getItem(key)) || {};
    } catch {
        return {};
    }
}

function write(storage, key, value) {
    try {
        storage.setItem(key, JSON.stringify(value));
    } catch {
        // Storage is full or forbidden: this tab goes on, it will not remember.
    }
}

const memory = {}; // what this page knows even where nothing can be stored

/** Keeps a token of a game; the seat is what this tab plays from now on. */
export function keepToken(id, token) {
    const role = roleOfToken(token);
    if (!role)
        return;
    const games = read(localStorage, KEY);
    games[id] = {...games[id], [role]: token, at: Date.now()};
    if (role !== 'creator')
        games[id].own = role;
    for (const old of Object.keys(games).sort((a, b) => games[b].at - games[a].at).slice(GAMES_MAX))
        delete games[old];
    write(localStorage, KEY, games);
    if (role !== 'creator')
        setRole(id, role, token);
}

/** Keeps a token that is for somebody else. */
export function keepOther(id, token) {
    const games = read(localStorage, KEY);
    games[id] = {...games[id], [roleOfToken(token)]: token};
    write(localStorage, KEY, games);
}

/** Forgets a token that serves no more. */
export function dropToken(id, role) {
    const games = read(localStorage, KEY);
    if (games[id])
        delete games[id][role];
    write(localStorage, KEY, games);
    delete memory[id];
    sessionStorage.removeItem(`arbiter.${id}`);
}

/** What this tab plays in a game. */
export function setRole(id, role, token) {
    memory[id] = {role, token};
    write(sessionStorage, `arbiter.${id}`, memory[id]);
}

/** {role, token} of this tab, or of this browser; both null where it has no seat. */
export function seatOf(id) {
    const own = memory[id] ?? read(sessionStorage, `arbiter.${id}`);
    if (own.token)
        return own;
    const known = read(localStorage, KEY)[id] ?? {};
    const role = [known.own, 'white', 'black', 'spectator', 'creator'].find(name => known[name]);
    return role ? {role, token: known[role]} : {role: null, token: null};
}

/** All tokens that this browser has for a game: {white, black, spectator, creator}. */
export function tokensOf(id) {
    return read(localStorage, KEY)[id] ?? {};
}

/** Remembers a game that has no seats. */
export function keepGame(id) {
    const games = read(localStorage, KEY);
    games[id] = {...games[id], at: Date.now()};
    write(localStorage, KEY, games);
}

export function forgetGame(id) {
    const games = read(localStorage, KEY);
    delete games[id];
    write(localStorage, KEY, games);
    delete memory[id];
    sessionStorage.removeItem(`arbiter.${id}`);
}

const NAME = 'arbiter.name';

/** The name that the player gave last, '' at first. */
export function knownName() {
    const {name} = read(localStorage, NAME);
    return typeof name === 'string' ? name : '';
}

export function keepName(name) {
    if (name)
        write(localStorage, NAME, {name});
}

/** Ids, the latest first. */
export function knownGames() {
    const games = read(localStorage, KEY);
    return Object.keys(games).sort((a, b) => games[b].at - games[a].at);
}
