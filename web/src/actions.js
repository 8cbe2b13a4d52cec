// What can be done in a game beside a move: offers and their answers, claims, resigning, taking back.

import {$, ask, button, fresh, setText, show} from './dom.js';
import {persist} from './api.js';
import {nameMove, other, sayReason, SIDE} from './words.js';

// Ends that the move itself has made: an open game may take it back.
const ENDED_BY_MOVE = ['checkmate', 'stalemate', 'dead_position', 'fivefold_repetition', 'seventyfive_moves', 'move_limit'];

// ---- offers ----------------------------------------------------------------------------------------------------

/** The moves of a game behind a ply, by the first of them. */
export function nameTakenBack(moves, ply) {
    const move = moves[ply];
    return move ? `${nameMove(move)}${moves.length > ply + 1 ? ' and what came after it' : ''}` : 'moves';
}

function act(session, method, path, text, kind, testid) {
    return button(text, () => session.act(method, path), kind, testid);
}

// Who an answer comes from: the side that did not ask, in an open game whoever is asked.
const answers = (session, color) => session.isOpen || session.role === other(color);

/** The offer that stands: {text, buttons}, or null. */
function standingOffer(session) {
    const {game: {draw, takeback}, moves} = session;
    if (session.isOver)
        return null;
    if (takeback) {
        const text = `${SIDE[takeback.offered_by]} asks to take back ${nameTakenBack(moves, takeback.to_ply)}.`;
        if (answers(session, takeback.offered_by))
            return {text, buttons: [act(session, 'POST', 'takeback/accept', 'Agree', 'primary', 'takeback-accept'),
                act(session, 'POST', 'takeback/decline', 'Decline', 'quiet', 'takeback-decline')]};
        return {text, buttons: session.sides.length
            ? [act(session, 'DELETE', 'takeback', 'Withdraw', 'quiet', 'takeback-withdraw')] : []};
    }
    if (!draw?.offered_by)
        return null;
    return {text: `${SIDE[draw.offered_by]} offers a draw.`, buttons: answers(session, draw.offered_by)
        ? [act(session, 'POST', 'draw/accept', 'Accept', 'primary', 'draw-accept'),
            act(session, 'POST', 'draw/decline', 'Decline', 'quiet', 'draw-decline')] : []};
}

export function renderOffer(session) {
    const box = $('#offer');
    const offer = standingOffer(session);
    show(box, Boolean(offer));
    if (fresh(box, offer ? `${offer.text}|${offer.buttons.length}` : '') && offer) {
        setText(box.querySelector('p'), offer.text);
        box.querySelector('.buttons').replaceChildren(...offer.buttons);
    }
}

// ---- buttons ---------------------------------------------------------------------------------------------------

export function renderActions(session) {
    const {game} = session;
    const plays = !session.isOver && session.sides.length > 0;
    const active = plays && game.status === 'active';
    const claimable = session.sides.includes(game.turn) && (game.draw?.now.length > 0 || game.draw?.with_move_count > 0);
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

async function claimDraw(session) {
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

async function resign(session) {
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

async function abort(session) {
    const value = await ask({title: 'Abort the game?', text: 'It will count for nobody.',
        answers: [{value: 'abort', text: 'Abort', danger: true}]});
    if (value)
        await session.act('POST', 'abort');
}

/** What each button does with the game. */
export const ACTIONS = {
    '#act-draw': session => session.act('POST', 'draw/offer'),
    '#act-claim': claimDraw,
    '#act-takeback': session => session.act('POST', session.isOpen ? 'undo' : 'takeback'),
    '#act-resign': resign,
    '#act-abort': abort,
};
