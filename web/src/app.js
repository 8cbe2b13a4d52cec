// The page: which view an address means (address.js).

import {$, copy, setText, show, toast} from './dom.js';
import {fragment, isGameId, roleOfToken} from './address.js';
import {enterHome, initHome} from './home.js';
import {enterGame, initGame, leaveGame} from './game.js';
import {keepToken} from './store.js';

const VIEWS = ['home', 'game', 'missing'];

export function showView(name) {
    for (const view of VIEWS)
        show($(`#${view}`), view === name);
}

function showMissing(text) {
    showView('missing');
    setText($('#missing-text'), text);
    document.title = 'Not found – Arbiter';
    $('#missing h1').focus();
}

function route() {
    const [, id, token] = location.hash.split('/');
    leaveGame();
    scrollTo(0, 0);
    if (!id) {
        showView('home');
        document.title = 'Arbiter';
        enterHome();
        return;
    }
    if (!isGameId(id)) {
        showMissing('The address does not name a game.');
        return;
    }
    if (token && roleOfToken(token)) {
        keepToken(id, token);
        history.replaceState(null, '', fragment(id));
    }
    showView('game');
    enterGame(id, showMissing);
}

$('.skip').addEventListener('click', event => {
    event.preventDefault(); // The part behind # names a game here.
    $('#main').focus();
});

document.addEventListener('click', async event => {
    const button = event.target.closest?.('[data-copy]');
    if (!button)
        return;
    try {
        await copy($(button.dataset.copy).value);
        toast('Copied');
    } catch (error) {
        toast(error.message);
    }
});

initHome();
initGame();
addEventListener('hashchange', route);
route();
