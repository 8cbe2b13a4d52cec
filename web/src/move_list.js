// The moves of a game as a list of buttons; only what has changed is drawn anew.

import {element, show} from './dom.js';
import {nameMove, sayMove} from './words.js';

export class MoveList {
    /** look(ply) is called for the ply that somebody wants to see. */
    constructor(list, scroll, empty, look) {
        this.list = list;
        this.scroll = scroll;
        this.empty = empty;
        this.look = look;
        this.buttons = [];
        this.drawn = [];
        this.at = 0;
    }

    /** `ply` is the one that is looked at. */
    show(moves, ply) {
        let same = 0;
        while (same < this.drawn.length && same < moves.length && this.drawn[same].fen === moves[same].fen && this.drawn[same].san === moves[same].san)
            same++;
        while (this.drawn.length > same)
            this.drop();
        for (const move of moves.slice(same))
            this.append(move);
        show(this.empty, moves.length === 0);
        this.mark(ply);
    }

    drop() {
        this.drawn.pop();
        const button = this.buttons.pop();
        const row = button.parentElement;
        button.remove();
        if (!row.querySelector('button'))
            row.remove();
    }

    append(move) {
        let row = this.list.lastElementChild;
        if (!row || row.dataset.number !== String(move.number)) {
            row = element('li', {data: {number: move.number}}, element('span', {class: 'number', text: `${move.number}.`, 'aria-hidden': 'true'}));
            if (move.color === 'black')
                row.append(element('span', {class: 'gap', text: '…', 'aria-hidden': 'true'}));
            this.list.append(row);
        }
        const button = element('button', {type: 'button', text: move.san, title: move.comment || null,
            'aria-label': `${nameMove(move)}, ${sayMove(move)}`, 'data-testid': `move-${move.ply}`,
            on: {click: () => this.look(move.ply)}});
        row.append(button);
        this.buttons.push(button);
        this.drawn.push(move);
    }

    mark(ply) {
        for (const button of this.list.querySelectorAll('[aria-current]'))
            button.removeAttribute('aria-current');
        const button = this.buttons[ply - 1];
        button?.setAttribute('aria-current', 'true');
        const {scroll} = this;
        if (button) {
            const top = button.offsetTop - this.list.offsetTop;
            if (top < scroll.scrollTop || top + button.offsetHeight > scroll.scrollTop + scroll.clientHeight)
                scroll.scrollTop = top - scroll.clientHeight / 2;
        } else {
            scroll.scrollTop = 0;
        }
    }
}
