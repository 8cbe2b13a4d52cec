// Who is to play: the link for the opponent, a seat that is free, links for those who watch.

import {$, ask, button, fresh, setText, show} from './dom.js';
import {link} from './address.js';
import {keepOther, knownName, tokensOf} from './store.js';
import {nameMove, other, SIDE} from './words.js';

/** `renewed`: the link of the other seat was made anew, so it is shown though that seat is taken. */
export function renderInvite(session, renewed) {
    const {game} = session;
    const theirs = session.role && other(session.role);
    const token = theirs && tokensOf(session.id)[theirs];
    const wanted = !session.isOpen && !session.isOver && Boolean(token) && (!game[theirs].taken || renewed);
    show($('#invite'), wanted);
    if (wanted)
        $('#invite-link').value = link(session.id, token);
}

/** take(color) is called where somebody sits down, or says his name. */
export function renderJoin(session, take) {
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
            button(text, () => take(color), 'primary', `join-${color}`)));
}

/** For an opponent who has lost the link. True: there is a new one. */
export async function renew(session) {
    const theirs = other(session.role);
    const value = await ask({title: `A new link for ${SIDE[theirs]}?`, text: 'The link that was given out before stops working.',
        answers: [{value: theirs, text: 'Make a new link'}]});
    const answer = value && await session.act('POST', 'tokens', {role: theirs}, tokensOf(session.id).creator);
    if (!answer)
        return false;
    keepOther(session.id, answer.token);
    return true;
}

/** `ply`: what is looked at, null for the latest. */
export function renderShare(session, ply) {
    const {creator, spectator} = tokensOf(session.id);
    const {origin} = location;
    show($('#renew'), Boolean(creator) && ['white', 'black'].includes(session.role) && !session.isOver);
    $('#watch-link').value = link(session.id, session.game.visibility === 'private' ? spectator : '');
    const auth = session.isOpen ? '' : ' -H "Authorization: Bearer $TOKEN"';
    setText($('#terminal'), `curl${auth} -d e4 ${origin}/v1/games/${session.id}/moves\ncurl ${origin}/v1/games/${session.id}/board\ncurl -N ${origin}/v1/games/${session.id}/events.ndjson`);
    setText($('#fork'), ply === null ? 'New game from here'
        : ply ? `New game after ${nameMove(session.moves[ply - 1])}` : 'New game from the start');
}
