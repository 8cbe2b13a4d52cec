// The board component (gchessboard), told what to show and asking what may be moved.

import 'gchessboard';
import {$, element, open} from './dom.js';

// What the component has no property for: letters that can be read, and a square as it is without marks.
const BASE = `
    [data-square-color="light"] { --p-plain: var(--square-color-light); }
    [data-square-color="dark"] { --p-plain: var(--square-color-dark); }
    .wrapper.inside > .coords > .coord.light { color: var(--mark-letter-light); }
    .wrapper.inside > .coords > .coord.dark { color: var(--mark-letter-dark); }
    .coord { font-weight: 600; line-height: 1.3; }
`;

const PIECES = {p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king'};

// The letter and the digit that the component writes upon a square: those along the lower and the left edge.
function labelsOf(square, orientation) {
    const fromLeft = square.charCodeAt(0) - 'a'.charCodeAt(0) + 1;
    const fromBelow = Number(square[1]);
    const [column, row] = orientation === 'white' ? [fromLeft, fromBelow] : [9 - fromLeft, 9 - fromBelow];
    return [...row === 1 ? [`.coords.file > .coord:nth-child(${column})`] : [],
        ...column === 1 ? [`.coords.rank > .coord:nth-child(${9 - row})`] : []];
}

export class Board {
    /** hooks: targets(square) → squares, or null where they are not known yet; taken(square); played(from, to). */
    constructor(element, hooks) {
        this.element = element;
        this.hooks = hooks;
        this.marks = new CSSStyleSheet();
        this.shown = '';
        this.selected = null;
        this.pointer = null;
        this.isDown = false;
        element.shadowRoot.adoptedStyleSheets.push(this.marks);
        element.animationDuration = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180;
        this.setInteractive(false);
        this.listen();
    }

    // Squares that are no buttons are pictures: a name without a role is not read.
    setInteractive(interactive) {
        this.element.interactive = interactive;
        if (interactive)
            return;
        for (const square of this.element.shadowRoot.querySelectorAll('[data-square]'))
            square.setAttribute('role', 'img');
    }

    listen() {
        const {element} = this;
        element.addEventListener('movestart', event => {
            this.take(event.detail.from);
            event.detail.setTargets(this.hooks.targets(event.detail.from) ?? []);
        });
        element.addEventListener('moveend', event => {
            this.selected = null;
            this.shown = '';
            this.hooks.played(event.detail.from, event.detail.to);
        });
        element.addEventListener('movecancel', event => {
            this.selected = null;
            this.selectAnother(event.detail.from);
        });
        document.addEventListener('pointerdown', () => { this.isDown = true; }, true);
        for (const end of ['pointerup', 'pointercancel'])
            document.addEventListener(end, event => this.release(event), true);
        element.addEventListener('keydown', () => { this.pointer = null; }, true);
    }

    // A move that ends on another piece of the player's own begins there instead.
    selectAnother(from) {
        const root = this.element.shadowRoot;
        const square = this.pointer
            ? root.elementsFromPoint(this.pointer.clientX, this.pointer.clientY).map(node => node.dataset?.square).find(Boolean)
            : root.activeElement?.dataset.square;
        const piece = square && this.element.position[square];
        if (square === from || !piece || (this.element.turn && piece.color !== this.element.turn))
            return;
        queueMicrotask(() => this.select(square));
    }

    release(event) {
        this.pointer = event;
        this.isDown = false;
        if (this.isLate)
            setTimeout(() => this.refreshTargets()); // behind the click
    }

    take(square) {
        this.selected = square;
        this.hooks.taken(square);
    }

    select(square) {
        this.take(square);
        this.element.startMove(square, this.hooks.targets(square) ?? []);
    }

    /** Targets have become known: of what is already selected, too, but not between the halves of a click. */
    refreshTargets() {
        const square = this.selected;
        this.isLate = Boolean(square) && this.isDown;
        if (!square || this.isDown)
            return;
        this.element.cancelMove();
        this.select(square);
    }

    /** What stands on the board. `turn`: who may move; null for nobody. */
    show({fen, lastMove, check, turn, interactive, orientation}) {
        const {element} = this;
        if (element.orientation !== orientation) {
            element.orientation = orientation; // which lets go of what was taken up
            this.selected = null;
        }
        if (element.interactive !== interactive)
            this.setInteractive(interactive);
        if (element.turn !== (turn ?? undefined))
            element.turn = turn ?? undefined;
        if (this.shown !== fen) {
            const taken = this.selected;
            this.shown = fen;
            this.selected = null;
            element.fen = fen.split(' ')[0];
            if (taken && interactive && element.position[taken]?.color === turn) {
                this.selected = taken; // what was taken up while the opponent thought
                this.refreshTargets();
            }
        }
        this.mark(lastMove, check ? fen.split(' ')[1] : null);
    }

    mark(lastMove, checked) {
        const rules = [];
        for (const square of lastMove ? [lastMove.from, lastMove.to] : [])
            rules.push(`[data-square="${square}"]:not(.move-start) {
                --p-square-color: color-mix(in srgb, var(--mark-last) 46%, var(--p-plain)); }`,
                ...labelsOf(square, this.element.orientation).map(label => `.wrapper.inside > ${label}.dark { color: var(--mark-letter-light); }`));
        const king = checked && this.find(checked === 'w' ? 'white' : 'black', 'king');
        if (king)
            rules.push(`[data-square="${king}"] { --p-square-color: var(--mark-check); }`);
        const css = `${BASE} ${rules.join(' ')}`;
        if (css !== this.css)
            this.marks.replaceSync(css);
        this.css = css;
    }

    find(color, type) {
        const {position} = this.element;
        return Object.keys(position).find(square => position[square].color === color && position[square].pieceType === type);
    }

    get hasFocus() {
        return document.activeElement === this.element;
    }
}

/** Asks for a promotion piece: 'q', 'r', 'b', 'n', or '' for none. `letters` are those that may be chosen. */
export function choosePromotion(letters, color) {
    const dialog = $('#promotion');
    dialog.querySelector('.pieces').replaceChildren(...letters.map(letter => element('button', {value: letter,
        class: `piece ${color[0]}${letter}`, 'aria-label': PIECES[letter], 'data-testid': `promote-${letter}`})));
    return open(dialog);
}
