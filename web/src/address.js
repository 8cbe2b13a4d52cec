// What stands behind the # of the page:
//
//     #/                     a new game
//     #/ID                   a game
//     #/ID/TOKEN             a game with the seat of that token, which is kept and taken out of the address
//
// The forms of ids and tokens are those of GameId and Token in openapi.yaml.

const ID = '[a-z2-9]{12}';
const TOKEN = 'c[wbsc]_[a-z2-7]{32}';
const WHOLE_ID = new RegExp(`^${ID}$`);
const WHOLE_TOKEN = new RegExp(`^${TOKEN}$`);
const LINK = new RegExp(`(?:^|/)(${ID})(?:/(${TOKEN}))?/?$`);

const ROLES = {cw: 'white', cb: 'black', cs: 'spectator', cc: 'creator'};

export const isGameId = text => WHOLE_ID.test(text);

/** Whose token this is, or null. */
export function roleOfToken(token) {
    return WHOLE_TOKEN.test(token) ? ROLES[token.slice(0, 2)] : null;
}

/** {id, token} of an id or of a link to a game; the token is undefined where it has none. Null: it is neither. */
export function readLink(text) {
    const [, id, token] = LINK.exec(text) ?? [];
    return id ? {id, token} : null;
}

export const fragment = (id, token) => `#/${id}${token ? `/${token}` : ''}`;

/** The address for somebody else. */
export const link = (id, token) => `${location.origin}${location.pathname}${fragment(id, token)}`;
