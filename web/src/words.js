// What happened, in words. No rule of chess is decided here: the server says what a move was and how a game ended.

export const SIDE = {white: 'White', black: 'Black'};
export const other = color => color === 'white' ? 'black' : 'white';

const CASTLING = {kingside: 'castles kingside', queenside: 'castles queenside'};

/** A move as it is said aloud: "knight takes f3, check". */
export function sayMove(move) {
    const words = [];
    if (move.castling) {
        words.push(CASTLING[move.castling]);
    } else {
        words.push(move.piece, move.captured ? `takes ${move.captured} on` : 'to', move.to);
        if (move.en_passant)
            words.push('en passant');
        if (move.promotion)
            words.push(`and becomes a ${move.promotion}`);
    }
    const end = move.gives_mate ? ', mate' : move.gives_check ? ', check' : '';
    return `${SIDE[move.color]}: ${words.join(' ')}${end}`;
}

export const REASON = {
    threefold_repetition: 'the same position for the third time',
    fifty_moves: 'fifty moves without a capture or a pawn move',
};

const RULE = {threefold_repetition: '9.2', fifty_moves: '9.3'};

/** "the same position for the third time (9.2)". */
export function sayReason(reason) {
    return `${REASON[reason] ?? reason}${RULE[reason] ? ` (${RULE[reason]})` : ''}`;
}

// How a game ended: a headline, and a sentence. `w` is the winner, `l` the loser, `d` the termination_detail.
const ENDS = {
    checkmate: (w, l) => [`${w} wins by checkmate`, `${l}’s king is attacked and no legal move helps.`],
    stalemate: (w, l, d) => ['Draw by stalemate', `${d.stuck} has no legal move and is not in check.`],
    dead_position: (w, l, d) => ['Draw: dead position', d.material
        ? 'Neither side has the pieces to mate, whatever is played.'
        : 'No series of legal moves leads to mate for either side.'],
    threefold_repetition: () => ['Draw by repetition', 'The same position stood on the board three times, and the draw was claimed.'],
    fivefold_repetition: () => ['Draw by fivefold repetition', 'The same position stood on the board for the fifth time: the game ends by itself.'],
    fifty_moves: () => ['Draw by the fifty-move rule', 'Fifty moves by each side without a capture or a pawn move, and the draw was claimed.'],
    seventyfive_moves: () => ['Draw by the seventy-five-move rule', 'Seventy-five moves by each side without a capture or a pawn move: the game ends by itself.'],
    agreement: () => ['Draw by agreement', 'Both players agreed.'],
    resignation: (w, l) => [`${w} wins by resignation`, `${l} resigned.`],
    resignation_unwinnable: (w, l, d) => ['Draw', `${d.who} resigned, but the opponent could not mate by any series of legal moves.`],
    timeout: (w, l) => [`${w} wins on time`, `${l}’s flag fell, and ${w} could still mate.`],
    timeout_unwinnable: (w, l, d) => ['Draw on time', `${d.who}’s flag fell, but the opponent could not mate by any series of legal moves.`],
    abandonment: (w, l) => w ? [`${w} wins: the game was abandoned`, `${l} did not move in the time given.`]
        : ['The game was abandoned', 'No move came in the time given.'],
    aborted: () => ['The game was aborted', 'It counts for nobody.'],
    adjudication: w => [w ? `${w} wins by decision` : 'Decided by the arbiter', 'The arbiter decided the game.'],
    rules_infraction: (w, l, d) => w ? [`${w} wins`, `${l} broke the rules.`]
        : ['Draw', `${d.who} broke the rules, but the opponent could not mate by any series of legal moves.`],
    move_limit: () => ['The move limit was reached', 'The game may not go on for longer.'],
    recorded: w => [w ? `${w} won` : 'Draw', 'The result is the one that the record of the game gives.'],
};

/** A move by its name: "3… Nf6". */
export function nameMove(move) {
    return `${move.number}${move.color === 'white' ? '.' : '…'} ${move.san}`;
}

// A position by the move that made it; `moves` are those of the game.
const sayPlace = (moves, ply) => ply === 0 ? 'at the beginning' : moves[ply - 1] ? `after ${nameMove(moves[ply - 1])}` : `after half-move ${ply}`;

/** How a game ended: {headline, sentence, article}; `moves` are those of the game. */
export function sayEnd(game, moves) {
    const detail = game.termination_detail ?? {};
    const say = ENDS[game.termination] ?? (() => ['The game is over', '']);
    const winner = game.winner && SIDE[game.winner];
    const loser = game.winner && SIDE[other(game.winner)];
    const [headline, sentence] = say(winner, loser, {
        ...detail,
        who: detail.by ? SIDE[detail.by] : 'A player',
        stuck: SIDE[game.turn],
    });
    return {headline, sentence: [sentence, evidence(detail, moves)].filter(Boolean).join(' '), article: detail.article ?? null};
}

// "It stood there after 12. Nf3, after 14. Nf3 and after 16. Nf3." and the like.
function evidence(detail, moves) {
    const words = [];
    if (detail.claim?.plies?.length > 1)
        words.push(`It stood there ${list(detail.claim.plies.map(ply => sayPlace(moves, ply)))}.`);
    if (detail.claim?.move)
        words.push(`The claim was made with ${detail.claim.move.san}.`);
    if (detail.decision?.winnable === 'undetermined')
        words.push('Whether the opponent could mate was not settled; that counts as yes.');
    if (detail.decision?.line?.length)
        words.push(`A mate that could have come: ${detail.decision.line.slice(0, 12).map(move => move.san).join(' ')}${detail.decision.line.length > 12 ? ' …' : ''}.`);
    if (detail.comment)
        words.push(detail.comment);
    return words.join(' ');
}

function list(items) {
    return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`;
}

/** "1–0" for people. */
export function sayResult(result) {
    return {'1-0': '1–0', '0-1': '0–1', '1/2-1/2': '½–½'}[result] ?? '';
}

/** What a game says of itself in a list. */
export function sayPlayers(game) {
    const name = color => game[color].name || SIDE[color];
    return `${name('white')} – ${name('black')}`;
}
