// The first view: a new game, a game by its link, and lists of games.

import {$, $$, element, setText, show, toast} from './dom.js';
import {fragment, readLink} from './address.js';
import {newKey, Problem, request} from './api.js';
import {readClock, sayClock} from './clock.js';
import {forgetGame, keepGame, keepName, keepOther, keepToken, knownGames, knownName, seatOf} from './store.js';
import {sayPlayers, sayResult, SIDE} from './words.js';

const LIST_MAX = 6;

const form = () => $('#new-game');
const chosen = name => new FormData(form()).get(name) ?? '';

function showExtras() {
    const wanted = new Set([chosen('start'), chosen('clock'), chosen('access')]);
    for (const extra of form().querySelectorAll('.extra'))
        show(extra, wanted.has(extra.dataset.for));
}

// ---- the fields ------------------------------------------------------------------------------------------------

class FormError extends Error {
    constructor(message, field) {
        super(message);
        this.field = field;
    }
}

function readStart() {
    switch (chosen('start')) {
    case 'chess960':
        return chosen('chess960_number').trim() ? {chess960_number: readNumber()} : {variant: 'chess960'};
    case 'fen':
        return {fen: required('fen', 'Give the FEN of the position.')};
    case 'pgn':
        return {pgn: required('pgn', 'Give the game as PGN.')};
    default:
        return {};
    }
}

function required(name, message) {
    const value = chosen(name).trim();
    if (!value)
        throw new FormError(message, form().elements[name]);
    return value;
}

function readNumber() {
    const number = Number(chosen('chess960_number'));
    if (!Number.isInteger(number) || number < 0 || number > 959)
        throw new FormError('The first positions of Chess960 are numbered from 0 to 959.', $('#chess960-number'));
    return number;
}

function readTime() {
    const text = chosen('clock') === 'custom' ? chosen('clock_text') : chosen('clock');
    const clock = readClock(text);
    if (clock === null || (clock === undefined && chosen('clock') === 'custom'))
        throw new FormError('A time is minutes, or minutes + seconds: 10 + 5.', $('#clock-text'));
    return clock ? {clock} : {};
}

const named = text => text.trim() ? {name: text.trim()} : undefined;

function readPlayers() {
    if (chosen('access') === 'open')
        return {access: 'open', white: named(chosen('white_name')), black: named(chosen('black_name'))};
    return {access: 'seats'};
}

function readGame() {
    const visibility = chosen('visibility');
    return {
        ...readStart(),
        ...readTime(),
        ...readPlayers(),
        ...(visibility ? {visibility} : {}),
        rules: {profile: chosen('profile'), takeback: chosen('takeback')},
    };
}

// ---- making it -------------------------------------------------------------------------------------------------

function sideWanted() {
    const side = chosen('side');
    return side === 'random' ? (crypto.getRandomValues(new Uint8Array(1))[0] & 1 ? 'white' : 'black') : side;
}

// All tokens stay in this browser: the own seat is taken, the other one waits to be handed over.
async function takeOwnSeat(game) {
    const side = sideWanted();
    for (const role of Object.keys(game.tokens).filter(role => role !== side))
        keepOther(game.id, game.tokens[role]);
    keepToken(game.id, game.tokens[side]);
    await request('POST', `/v1/games/${game.id}/seats`,
        {token: game.tokens[side], body: {color: side, ...named(chosen('own_name'))}});
    keepName(chosen('own_name').trim());
}

// The key of the game that is being made: pressing the button once more after a lost answer makes no second one.
const creation = {body: '', key: ''};

async function create(body) {
    const text = JSON.stringify(body);
    if (creation.body !== text)
        Object.assign(creation, {body: text, key: newKey()});
    const game = await request('POST', '/v1/games', {body, key: creation.key, token: $('#operator-key').value.trim()});
    creation.body = '';
    $('#operator-key').value = '';
    return game;
}

async function start() {
    const game = await create(readGame());
    if (game.tokens)
        await takeOwnSeat(game);
    else
        keepGame(game.id);
    location.hash = fragment(game.id);
}

/** All faults of a position, not the first one alone. */
function sayFaults(error) {
    const faults = error instanceof Problem ? error.body.faults : null;
    return faults?.length > 1 ? faults.map(fault => fault.detail).join(' ') : error.message;
}

async function submit(event) {
    event.preventDefault();
    const button = form().querySelector('[type=submit]');
    setText($('#new-error'), '');
    $$('#new-game [aria-invalid]').forEach(field => field.removeAttribute('aria-invalid'));
    button.disabled = true;
    try {
        await start();
    } catch (error) {
        setText($('#new-error'), sayFaults(error));
        if (error.status === 401 || error.status === 403)
            show($('#operator'), true);
        const field = error.field ?? fieldOf(error);
        field?.setAttribute('aria-invalid', 'true');
        field?.focus();
    } finally {
        button.disabled = false;
    }
}

const FIELDS = {'/fen': '#fen', '/pgn': '#pgn', '/chess960_number': '#chess960-number', '/visibility': '#visibility',
    '/white/name': '#white-name', '/black/name': '#black-name', '/name': '#own-name', '/clock': '#clock-text'};

function fieldOf(error) {
    const pointer = error instanceof Problem ? error.body.pointer ?? '' : '';
    const selector = Object.keys(FIELDS).find(name => pointer.startsWith(name));
    return selector ? $(FIELDS[selector]) : null;
}

// ---- a position, checked as it is typed ------------------------------------------------------------------------

let checkTimer = 0;

function checkSoon() {
    clearTimeout(checkTimer);
    checkTimer = setTimeout(checkFen, 300);
}

async function checkFen() {
    const fen = $('#fen').value.trim();
    if (!fen) {
        setText($('#fen-verdict'), 'Paste a FEN; it is checked as you type.');
        show($('#fen-board'), false);
        return;
    }
    try {
        const sound = await request('POST', '/v1/positions/validate', {body: {fen}});
        if ($('#fen').value.trim() !== fen)
            return;
        if (!sound.valid) {
            setText($('#fen-verdict'), sound.faults.map(fault => fault.detail).join(' '));
            show($('#fen-board'), false);
            return;
        }
        const position = await request('GET', `/v1/positions?${new URLSearchParams({fen})}`);
        if ($('#fen').value.trim() !== fen)
            return;
        const moves = position.legal_move_count;
        setText($('#fen-verdict'), position.status === 'ongoing'
            ? `${SIDE[position.turn]} to move, ${moves} legal ${moves === 1 ? 'move' : 'moves'}.`
            : `The game would be over at once: ${position.status.replace('_', ' ')}.`);
        $('#fen-board').fen = position.fen.split(' ')[0];
        show($('#fen-board'), true);
    } catch (error) {
        setText($('#fen-verdict'), sayFaults(error));
        show($('#fen-board'), false);
    }
}

// ---- lists -----------------------------------------------------------------------------------------------------

function sayGame(game) {
    const end = sayResult(game.result);
    const moves = Math.ceil(game.ply / 2);
    const state = game.status === 'waiting' ? 'waiting for players'
        : game.status === 'aborted' ? 'aborted'
            : end || (moves ? `move ${moves}` : 'not begun');
    return [state, game.clock?.words].filter(Boolean).join(' · ');
}

function listItem(game) {
    const role = seatOf(game.id).role;
    const seat = role === 'white' || role === 'black' ? `You play ${SIDE[role]}` : '';
    return element('li', {}, element('a', {href: fragment(game.id), 'data-testid': 'game-link'},
        element('b', {text: sayPlayers(game)}),
        element('small', {text: [seat, sayGame(game)].filter(Boolean).join(' · ')})));
}

function fillList(card, games) {
    card.querySelector('ul').replaceChildren(...games.map(listItem));
    show(card, games.length > 0);
}

async function loadOwn() {
    const found = [];
    for (const id of knownGames().slice(0, LIST_MAX)) {
        try {
            found.push(await request('GET', `/v1/games/${id}`, {token: seatOf(id).token}));
        } catch (error) {
            if (error instanceof Problem && error.status === 404)
                forgetGame(id);
        }
    }
    fillList($('#own-games'), found);
    return new Set(found.map(game => game.id));
}

async function loadLists() {
    const own = await loadOwn();
    try {
        const list = await request('GET', `/v1/games?status=active&limit=${2 * LIST_MAX}`);
        fillList($('#public-games'), list.data.filter(game => !own.has(game.id)).slice(0, LIST_MAX));
    } catch {
        show($('#public-games'), false);
    }
}

function openGame(event) {
    event.preventDefault();
    const found = readLink($('#open-id').value.trim());
    setText($('#open-error'), found ? '' : 'That is neither a link to a game nor its id.');
    if (found)
        location.hash = fragment(found.id, found.token);
}

export function initHome() {
    form().addEventListener('change', showExtras);
    form().addEventListener('submit', submit);
    $('#open-game').addEventListener('submit', openGame);
    $('#fen').addEventListener('input', checkSoon);
    $('#chess960-random').addEventListener('click', () => {
        $('#chess960-number').value = crypto.getRandomValues(new Uint16Array(1))[0] % 960;
        toast(`Position ${$('#chess960-number').value}`);
    });
    $('#clock-text').addEventListener('input', () => {
        const clock = readClock($('#clock-text').value);
        setText($('#clock-hint'), clock ? `${sayClock(clock)}.` : '10 + 5 is ten minutes, and five seconds more with each move.');
    });
    showExtras();
}

export function enterHome() {
    showExtras();
    setText($('#new-error'), '');
    $('#own-name').value ||= knownName();
    loadLists();
}
