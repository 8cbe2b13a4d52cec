// The view of one game: the board, the clocks, the moves, and what can be done.

import {$, $$, announce, ask, copy, element, setText, show, toast} from './dom.js';
import {persist, request} from './api.js';
import {Board, choosePromotion} from './board.js';
import {formatMs, sayMs, shownMs} from './clock.js';
import {Session} from './session.js';
import {dropToken, keepGame, keepOther, keepName, keepToken, knownName, seatOf, tokensOf} from './store.js';
import {nameMove, other, sayEnd, sayMove, sayReason, sayResult, SIDE} from './words.js';
import {MoveList} from './move_list.js';

const CLOCK_TICK_MS = 100;
// Ends that the move itself has made: an open game may take it back.
const ENDED_BY_MOVE = ['checkmate', 'stalemate', 'dead_position', 'fivefold_repetition', 'seventyfive_moves', 'move_limit'];
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

function button(text, action, kind = 'quiet', testid = '') {
    return element('button', {type: 'button', class: kind, text, 'data-testid': testid || null, on: {click: action}});
}

// Who an answer comes from: the side that did not ask, in an open game whoever is asked.
const answers = color => session.isOpen || session.role === other(color);

// The moves behind a ply, by the first of them.
function nameTakenBack(ply) {
    const move = session.moves[ply];
    return move ? `${nameMove(move)}${session.moves.length > ply + 1 ? ' and what came after it' : ''}` : 'moves';
}

function renderOffer() {
    const {draw, takeback} = session.game;
    const box = $('#offer');
    const tell = (text, ...buttons) => {
        setText(box.querySelector('p'), text);
        if (fresh(box, `${text}|${buttons.length}`))
            box.querySelector('.buttons').replaceChildren(...buttons);
        show(box, true);
    };
    if (session.isOver || (!draw?.offered_by && !takeback)) {
        show(box, false);
        box.dataset.key = '';
    } else if (takeback) {
        const text = `${SIDE[takeback.offered_by]} asks to take back ${nameTakenBack(takeback.to_ply)}.`;
        if (answers(takeback.offered_by))
            tell(text, button('Agree', () => session.act('POST', 'takeback/accept'), 'primary', 'takeback-accept'),
                button('Decline', () => session.act('POST', 'takeback/decline'), 'quiet', 'takeback-decline'));
        else
            tell(text, ...session.sides.length ? [button('Withdraw', () => session.act('DELETE', 'takeback'), 'quiet', 'takeback-withdraw')] : []);
    } else {
        const text = `${SIDE[draw.offered_by]} offers a draw.`;
        if (answers(draw.offered_by))
            tell(text, button('Accept', () => session.act('POST', 'draw/accept'), 'primary', 'draw-accept'),
                button('Decline', () => session.act('POST', 'draw/decline'), 'quiet', 'draw-decline'));
        else
            tell(text);
    }
}

// ---- actions ---------------------------------------------------------------------------------------------------

function renderActions() {
    const {game} = session;
    const plays = !session.isOver && session.sides.length > 0;
    const active = plays && game.status === 'active';
    const claimable = game.draw?.now.length > 0 || game.draw?.with_move_count > 0;
    show($('#acts'), plays || session.isOver);
    show($('#type-move'), plays);
    show($('#act-draw'), active && game.rules.draw_offers !== 'off' && !game.draw?.offered_by);
    show($('#act-claim'), active);
    $('#act-claim').classList.toggle('ready', Boolean(claimable));
    show($('#act-takeback'), game.ply > 0 && (session.isOpen ? plays || ENDED_BY_MOVE.includes(game.termination)
        : active && game.rules.takeback !== 'off' && !game.takeback));
    show($('#act-new'), session.isOver);
    show($('#act-resign'), active);
    show($('#act-abort'), plays && game.ply < 2);
}

async function claimDraw() {
    const draw = await persist('GET', `${session.path}/draw`, session.options()).catch(error => session.tellProblem(error));
    if (!draw)
        return;
    const options = [
        ...draw.now.map(reason => ({value: `${reason}`, text: `Now: ${sayReason(reason)}`})),
        ...draw.with_move.map(move => ({value: `${move.reason} ${move.uci}`, text: `With ${move.san}: ${sayReason(move.reason)}`})),
    ];
    const value = await ask({
        title: 'Claim a draw',
        text: options.length ? 'A correct claim ends the game at once.'
            : 'There is nothing to claim now. A claim wants the same position for the third time (9.2), or fifty moves by each side without a capture or a pawn move (9.3).',
        answers: options,
        cancel: options.length ? 'Cancel' : 'Close',
    });
    const [reason, move] = value.split(' ');
    if (reason)
        await session.act('POST', 'draw/claim', move ? {reason, move} : {reason});
}

async function resign() {
    const value = await ask({
        title: 'Resign?',
        text: session.isOpen ? 'Who resigns?' : 'The game ends at once.',
        answers: session.isOpen
            ? [{value: 'white', text: 'White resigns', danger: true}, {value: 'black', text: 'Black resigns', danger: true}]
            : [{value: session.role, text: 'Resign', danger: true}],
    });
    if (value)
        await session.act('POST', 'resign', {color: value});
}

async function abort() {
    const value = await ask({title: 'Abort the game?', text: 'It will count for nobody.',
        answers: [{value: 'abort', text: 'Abort', danger: true}]});
    if (value)
        await session.act('POST', 'abort');
}

const takeBack = () => session.isOpen ? session.act('POST', 'undo') : session.act('POST', 'takeback');

async function fork() {
    const answer = await session.act('POST', `fork?ply=${shownPly()}`);
    if (!answer)
        return;
    keepGame(answer.id);
    location.hash = `#/${answer.id}`;
}

async function typeMove(event) {
    event.preventDefault();
    const own = session;
    const field = $('#move-text');
    const text = field.value.trim();
    if (!text)
        return;
    viewPly = null;
    try {
        await own.play({move: text});
        field.value = '';
    } catch (error) {
        own.tellProblem(error);
        field.select();
    }
    if (session !== own)
        return;
    render();
    field.focus();
}

// ---- inviting, joining, sharing --------------------------------------------------------------------------------

const link = (id, token) => `${location.origin}${location.pathname}#/${id}${token ? `/${token}` : ''}`;

function renderInvite() {
    const {game} = session;
    const theirs = session.role && other(session.role);
    const token = theirs && tokensOf(session.id)[theirs];
    const wanted = !session.isOpen && !session.isOver && Boolean(token) && (!game[theirs].taken || renewed);
    show($('#invite'), wanted);
    if (wanted)
        $('#invite-link').value = link(session.id, token);
}

function renderJoin() {
    const {game, role} = session;
    const begins = !session.isOpen && !session.isOver && game.ply < 2;
    const nameless = begins && session.sides.length > 0 && game[role].taken && !game[role].name;
    const free = begins && session.sides.length === 0 ? ['white', 'black'].filter(color => !game[color].taken) : [];
    const choices = nameless ? [[role, 'Save']] : free.map(color => [color, `Play ${SIDE[color]}`]);
    if (choices.length && $('#join').hidden)
        $('#join-name').value = knownName();
    show($('#join'), choices.length > 0);
    setText($('#join-title'), nameless ? 'Who are you?' : 'A seat is free');
    if (fresh($('#join'), choices.join()))
        $('#join .buttons').replaceChildren(...choices.map(([color, text]) =>
            button(text, () => takeSeat(color), 'primary', `join-${color}`)));
}

// What is drawn anew while a button of it has the focus loses that.
function fresh(box, key) {
    const changed = box.dataset.key !== key;
    box.dataset.key = key;
    return changed;
}

async function takeSeat(color) {
    const name = $('#join-name').value.trim();
    keepName(name);
    const answer = await session.act('POST', 'seats', {color, ...(name ? {name} : {})});
    if (!answer?.token)
        return;
    keepToken(session.id, answer.token);
    enterGame(session.id, missing);
}

// For an opponent who has lost the link.
async function renew() {
    const theirs = other(session.role);
    const value = await ask({title: `A new link for ${SIDE[theirs]}?`, text: 'The link that was given out before stops working.',
        answers: [{value: theirs, text: 'Make a new link'}]});
    const answer = value && await session.act('POST', 'tokens', {role: theirs}, tokensOf(session.id).creator);
    if (!answer)
        return;
    keepOther(session.id, answer.token);
    renewed = true;
    render();
    $('#invite-link').focus();
}

function renderShare() {
    show($('#renew'), Boolean(tokensOf(session.id).creator) && ['white', 'black'].includes(session.role) && !session.isOver);

    const origin = location.origin;
    $('#watch-link').value = link(session.id, tokensOf(session.id).spectator && session.game.visibility === 'private'
        ? tokensOf(session.id).spectator : '');
    const auth = session.isOpen ? '' : ' -H "Authorization: Bearer $TOKEN"';
    setText($('#terminal'), `curl${auth} -d e4 ${origin}/v1/games/${session.id}/moves\ncurl ${origin}/v1/games/${session.id}/board\ncurl -N ${origin}/v1/games/${session.id}/events.ndjson`);
    setText($('#fork'), isLive() ? 'New game from here' : shownPly() ? `New game after ${nameMove(session.moves[shownPly() - 1])}` : 'New game from the start');
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
    renderOffer();
    renderActions();
    renderInvite();
    renderJoin();
    renderShare();
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

// What others did, and what came of it, said aloud.
function tellChange({played = [], kind, before}) {
    const {game} = session;
    const words = played.map(sayMove);
    if (hasEnded(before)) {
        const end = sayEnd(game, session.moves);
        words.push(`${end.headline}.`, end.sentence);
    } else if (kind === 'position.rewound' || kind === 'undo') {
        words.push(`Taken back. ${SIDE[game.turn]} to move.`);
    } else if (game.draw?.offered_by && game.draw.offered_by !== before?.draw?.offered_by) {
        words.push(`${SIDE[game.draw.offered_by]} offers a draw.`);
    } else if (game.takeback && !before?.takeback) {
        words.push(`${SIDE[game.takeback.offered_by]} asks to take back ${nameTakenBack(game.takeback.to_ply)}.`);
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
        '#act-draw': () => session.act('POST', 'draw/offer'),
        '#act-claim': claimDraw,
        '#act-takeback': takeBack,
        '#act-resign': resign,
        '#act-abort': abort,
        '#act-new': () => { location.hash = '#/'; },
        '#fork': fork,
        '#renew': renew,
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
