// The view of one game: the board, the clocks, the moves, its status. Beside it stand actions.js and invite.js.

import {$, $$, announce, copy, setText, show, toast} from './dom.js';
import {ACTIONS, nameTakenBack, renderActions, renderOffer} from './actions.js';
import {fragment} from './address.js';
import {request} from './api.js';
import {Board, choosePromotion} from './board.js';
import {formatMs, sayMs, shownMs} from './clock.js';
import {renderInvite, renderJoin, renderShare, renew} from './invite.js';
import {MoveList} from './move_list.js';
import {Session} from './session.js';
import {dropToken, keepGame, keepName, keepToken, knownName, seatOf} from './store.js';
import {other, sayEnd, sayMove, sayResult, SIDE} from './words.js';

const CLOCK_TICK_MS = 100;
const LOW_MS = 20000;

let session = null;
let board = null;
let list = null;
let viewPly = null; // the ply that is looked at; null: the latest
let flipped = false;
let choosing = false; // a promotion piece
let renewed = false; // the link of the other seat
let ticker = 0;

// ---- what is looked at -----------------------------------------------------------------------------------------

const shownPly = () => viewPly ?? session.moves.length;
const isLive = () => viewPly === null;
const bottomSide = () => {
    const own = session.role === 'black' ? 'black' : 'white';
    return flipped ? other(own) : own;
};

function look(ply) {
    const last = session.moves.length;
    const bounded = Math.max(0, Math.min(last, ply));
    viewPly = bounded === last ? null : bounded;
    render();
    const move = session.moves[bounded - 1];
    announce(move ? `${move.number}. ${sayMove(move)}` : 'The first position');
}

// ---- the board -------------------------------------------------------------------------------------------------

function renderBoard() {
    const {game, moves} = session;
    if ((session.pending || choosing) && isLive())
        return; // The piece stays where it was put down until the answer is there.
    const ply = shownPly();
    const last = moves[ply - 1];
    const plays = isLive() && !session.isOver && session.sides.length > 0;
    board.show({
        fen: ply === moves.length && game.ply === ply ? game.fen : session.fenAt(ply),
        lastMove: last ? squaresOf(last) : null,
        check: isLive() ? game.check : Boolean(last?.gives_check),
        turn: session.isOpen ? game.turn : session.role,
        interactive: plays,
        orientation: bottomSide(),
    });
}

// Castling is marked where the king went, which is not always where the move was aimed at.
function squaresOf(move) {
    if (!move.castling || !move.rook)
        return move;
    return {from: move.from, to: `${move.castling === 'kingside' ? 'g' : 'c'}${move.from[1]}`};
}

async function playOnBoard(from, to) {
    const own = session;
    try {
        const move = await promoted({from, to});
        if (move && session === own)
            await session.play(move);
        else
            render();
    } catch (error) {
        if (session === own)
            showRefusal(error);
    }
}

/** The move with the piece that the player chooses, where it is a promotion; null: rather not. */
async function promoted(move) {
    choosing = true;
    try {
        const letters = await session.promotions(move.from, move.to);
        if (!letters.length)
            return move;
        const promotion = await choosePromotion(letters, session.game.turn);
        return promotion ? {...move, promotion} : null;
    } finally {
        choosing = false;
    }
}

function showRefusal(error) {
    board.shown = '';
    render();
    session.tellProblem(error);
}

// ---- players and clocks ----------------------------------------------------------------------------------------

function noteOf(color) {
    const {game, presence} = session;
    if (session.isOpen)
        return '';
    const own = session.role === color ? 'you' : '';
    if (!game[color].taken)
        return own || 'seat is free';
    return [own, !own && presence[color] === false && !session.isOver ? 'not here' : ''].filter(Boolean).join(', ');
}

function renderPlayer(box, color) {
    const {game} = session;
    box.dataset.color = color;
    box.classList.toggle('turn', !session.isOver && game.turn === color);
    setText(box.querySelector('.name'), game[color].name || SIDE[color]);
    setText(box.querySelector('.note'), noteOf(color));
    box.classList.toggle('away', !session.isOpen && session.presence[color] === false && session.role !== color);
    show(box.querySelector('.time'), Boolean(game.clock));
}

function renderClocks() {
    for (const box of $$('#game .player')) {
        const time = box.querySelector('.time');
        const color = box.dataset.color;
        const ms = color && session?.game ? shownMs(session.game.clock, color) : null;
        if (ms === null)
            continue;
        setText(time, formatMs(ms));
        time.setAttribute('aria-label', `${SIDE[color]}’s clock: ${sayMs(ms)}`);
        time.classList.toggle('running', session.game.clock.running === color);
        time.classList.toggle('low', ms < LOW_MS && !session.isOver);
    }
}

// ---- status, offers --------------------------------------------------------------------------------------------

function statusText() {
    const {game} = session;
    if (game.status === 'waiting')
        return 'Waiting for the players';
    const whose = session.isOpen || session.sides.length === 0 ? `${SIDE[game.turn]} to move`
        : session.role === game.turn ? 'Your move' : `${SIDE[game.turn]} is thinking`;
    return game.check ? `${whose}: check` : whose;
}

function renderStatus() {
    const {game} = session;
    const end = session.isOver ? sayEnd(game, session.moves) : null;
    const result = sayResult(game.result);
    setText($('#status'), end ? [result, end.headline].filter(Boolean).join('  ') : statusText());
    show($('#explanation'), Boolean(end?.sentence));
    setText($('#explanation'), end?.sentence ?? '');
    show($('#article'), Boolean(end?.article));
    setText($('#article'), end?.article ? `Laws of Chess, Article ${end.article}` : '');
    document.title = `${end ? end.headline : statusText()} – Arbiter`;
}

const CONNECTION = {live: 'Live', connecting: 'Connecting…', closed: ''};

function renderConnection() {
    const state = session.retrying ? 'connecting' : session.connection;
    const text = session.retrying ? 'Not connected: your move is sent as soon as that is possible' : CONNECTION[state];
    $('#live').dataset.state = state;
    setText($('#live'), text);
}

// ---- other moves -----------------------------------------------------------------------------------------------

async function fork() {
    const answer = await session.act('POST', `fork?ply=${shownPly()}`);
    if (!answer)
        return;
    keepGame(answer.id);
    location.hash = fragment(answer.id);
}

async function typeMove(event) {
    event.preventDefault();
    const own = session;
    const field = $('#move-text');
    const text = field.value.trim();
    if (!text)
        return;
    viewPly = null;
    field.value = ''; // It is free for the next move; what is refused comes back.
    try {
        await own.play({move: text});
    } catch (error) {
        own.tellProblem(error);
        if (session === own && !field.value) {
            field.value = text;
            field.select();
        }
    }
    if (session !== own)
        return;
    render();
    field.focus();
}

// ---- seats and sharing -----------------------------------------------------------------------------------------

async function takeSeat(color) {
    const name = $('#join-name').value.trim();
    keepName(name);
    const answer = await session.act('POST', 'seats', {color, ...(name ? {name} : {})});
    if (!answer?.token)
        return;
    keepToken(session.id, answer.token);
    enterGame(session.id, missing);
}

async function renewLink() {
    const own = session;
    if (!await renew(own) || session !== own)
        return;
    renewed = true;
    render();
    $('#invite-link').focus();
}

async function copyText(make, word) {
    try {
        await copy(await make());
        toast(`${word} copied`);
    } catch (error) {
        toast(error.message);
    }
}

const pgn = () => request('GET', `${session.path}/pgn`, session.options({accept: 'application/vnd.chess-pgn'}));

// ---- all of it -------------------------------------------------------------------------------------------------

function render() {
    if (!session?.game)
        return;
    renderBoard();
    const bottom = bottomSide();
    renderPlayer($('#player-bottom'), bottom);
    renderPlayer($('#player-top'), other(bottom));
    renderClocks();
    renderStatus();
    renderOffer(session);
    renderActions(session);
    renderInvite(session, renewed);
    renderJoin(session, takeSeat);
    renderShare(session, viewPly);
    list.show(session.moves, shownPly());
    $('#step-first').disabled = $('#step-back').disabled = shownPly() === 0;
    $('#step-last').disabled = $('#step-on').disabled = isLive();
    $('#game').classList.toggle('past', !isLive());
    setText($('#game-title'), `${session.game.white.name || 'White'} against ${session.game.black.name || 'Black'}`);
}

const hasEnded = before => Boolean(before) && session.isOver && before.status !== session.game.status;

// Board, field and buttons go away with the end of the game: whoever is there is led to its title.
function keepFocus() {
    if (document.activeElement?.closest('#board, #type-move, #acts, #offer'))
        $('#game-title').focus({preventScroll: true});
}

// What others did, and what came of it, said aloud. `before`: the game as the player knew it; without it nothing is new.
function tellChange({played = [], before}) {
    const {game} = session;
    const words = played.map(sayMove);
    if (hasEnded(before)) {
        const end = sayEnd(game, session.moves);
        words.push(`${end.headline}.`, end.sentence);
    } else if (before && game.ply < before.ply) {
        words.push(`Taken back. ${SIDE[game.turn]} to move.`);
    } else if (before && game.draw?.offered_by && game.draw.offered_by !== before.draw?.offered_by) {
        words.push(`${SIDE[game.draw.offered_by]} offers a draw.`);
    } else if (before && game.takeback && !before.takeback) {
        words.push(`${SIDE[game.takeback.offered_by]} asks to take back ${nameTakenBack(session.moves, game.takeback.to_ply)}.`);
    }
    if (played.some(move => move.color !== session.role) && !session.isOpen && !session.isOver && session.role === game.turn)
        words.push('Your move.');
    if (words.length)
        announce(words.join('. ').replace(/\.\./g, '.'));
}

function watch() {
    session.addEventListener('change', event => {
        if (event.detail.played?.length || viewPly >= session.moves.length)
            viewPly = null;
        render();
        if (hasEnded(event.detail.before))
            keepFocus();
        tellChange(event.detail);
    });
    session.addEventListener('dropped', dropped);
    session.addEventListener('dests', () => board.refreshTargets());
    session.addEventListener('connection', renderConnection);
    session.addEventListener('problem', () => setText($('#error'), session.problem));
    session.addEventListener('gone', () => missing('The game was removed.'));
}

function dropped(event) {
    dropToken(session.id, event.detail.role);
    render();
    session.tellProblem(new Error('This seat was given to somebody else, or its link was renewed. You watch now.'));
}

let missing = () => {};

// A seat that was handed over by link is taken by opening it.
async function takeOwnSeat() {
    const {game, role} = session;
    const name = knownName();
    if (session.sides.includes(role) && !session.isOpen && !game[role].taken && !session.isOver)
        await session.act('POST', 'seats', {color: role, ...(name ? {name} : {})});
}

export async function enterGame(id, showMissing) {
    leaveGame();
    missing = showMissing;
    viewPly = null;
    flipped = false;
    renewed = false;
    board.shown = '';
    session = new Session(id, seatOf(id));
    watch();
    setText($('#error'), '');
    renderConnection();
    $('#game').classList.add('loading');
    const own = session;
    try {
        await session.open();
        if (session === own)
            entered();
    } catch (error) {
        if (session === own)
            missing(error.message);
    }
}

function entered() {
    $('#game').classList.remove('loading');
    if (session.isOpen)
        keepGame(session.id);
    render();
    takeOwnSeat();
    ticker = setInterval(renderClocks, CLOCK_TICK_MS);
    $('#game-title').focus({preventScroll: true});
}

export function leaveGame() {
    clearInterval(ticker);
    session?.close();
    session = null;
}

function onKey(event) {
    if (!session?.game || $('#game').hidden || event.altKey || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]'))
        return;
    if (event.target.closest?.('input, textarea, select, g-chess-board, pre'))
        return;
    const steps = {ArrowLeft: shownPly() - 1, ArrowRight: shownPly() + 1, Home: 0, End: session.moves.length};
    if (!(event.key in steps))
        return;
    event.preventDefault();
    look(steps[event.key]);
}

export function initGame() {
    board = new Board($('#board'), {
        targets: square => session?.mayMove ? session.targetsOf(square) : [],
        taken: square => session?.mayMove && session.movesFrom(square),
        played: (from, to) => playOnBoard(from, to),
    });
    list = new MoveList($('#moves'), $('#moves-scroll'), $('#no-moves'), look);
    const actions = {
        '#step-first': () => look(0),
        '#step-back': () => look(shownPly() - 1),
        '#step-on': () => look(shownPly() + 1),
        '#step-last': () => look(session.moves.length),
        '#flip': () => { flipped = !flipped; render(); announce(`${SIDE[bottomSide()]} is below`); },
        ...Object.fromEntries(Object.entries(ACTIONS).map(([id, action]) => [id, () => action(session)])),
        '#act-new': () => { location.hash = '#/'; },
        '#fork': fork,
        '#renew': renewLink,
        '#copy-fen': () => copyText(() => board.element.isConnected && session.game.ply === shownPly() ? session.game.fen : session.fenAt(shownPly()), 'FEN'),
        '#copy-pgn': () => copyText(pgn, 'PGN'),
    };
    for (const [selector, action] of Object.entries(actions))
        $(selector).addEventListener('click', action);
    $('#type-move').addEventListener('submit', typeMove);
    document.addEventListener('keydown', onKey);
    addEventListener('online', () => session?.wake());
    document.addEventListener('visibilitychange', () => !document.hidden && session?.wake());
}
