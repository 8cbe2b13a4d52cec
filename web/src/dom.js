// Small helpers over the DOM.

export const $ = selector => document.querySelector(selector);
export const $$ = selector => [...document.querySelectorAll(selector)];

/** An element: element('button', {type: 'button', text: 'Play', on: {click}}, child…). */
export function element(name, options = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(options)) {
        if (key === 'text')
            node.textContent = value;
        else if (key === 'on')
            Object.entries(value).forEach(([type, listener]) => node.addEventListener(type, listener));
        else if (key === 'data')
            Object.assign(node.dataset, value);
        else if (value !== null && value !== undefined && value !== false)
            node.setAttribute(key, value === true ? '' : value);
    }
    node.append(...children);
    return node;
}

/** A button that does something, `kind` says how it looks. */
export function button(text, action, kind, testid) {
    return element('button', {type: 'button', class: kind, text, 'data-testid': testid, on: {click: action}});
}

/** Whether a box is to be drawn anew: what is drawn anew while a button of it has the focus loses that. */
export function fresh(box, key) {
    const changed = box.dataset.key !== key;
    box.dataset.key = key;
    return changed;
}

/** Sets a text only where it is another one: what has not changed is not read out again. */
export function setText(node, text) {
    if (node.textContent !== text)
        node.textContent = text;
}

export function show(node, visible) {
    node.hidden = !visible;
}

/** Says it to a screen reader. The same sentence twice is said twice. */
export function announce(text) {
    const region = $('#announcer');
    region.textContent = '';
    setTimeout(() => { region.textContent = text; }, 30);
}

let toastTimer = 0;

/** A word on the screen for a moment, and to a screen reader. */
export function toast(text) {
    const box = $('#toast');
    box.textContent = text;
    show(box, true);
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => show(box, false), 2200);
    announce(text);
}

/** To the clipboard, which browsers give to pages from https and from this machine; else by selecting it. */
export async function copy(text) {
    if (navigator.clipboard && window.isSecureContext) {
        await navigator.clipboard.writeText(text);
        return;
    }
    const area = element('textarea', {class: 'sr', 'aria-hidden': 'true'});
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (!done)
        throw new Error('The browser does not let the page copy. Select the text and copy it by hand.');
}

/** Asks in a dialog; the value of the button that was pressed, '' for none. */
export function ask({title, text, answers, cancel = 'Cancel'}) {
    const dialog = $('#ask');
    setText($('#ask-title'), title);
    setText($('#ask-text'), text);
    setText(dialog.querySelector('[value=""]'), cancel);
    dialog.querySelector('.answers').replaceChildren(...answers.map(answer =>
        element('button', {value: answer.value, class: answer.danger ? 'danger' : 'primary', text: answer.text,
            'data-testid': `ask-${answer.value}`})));
    return open(dialog);
}

/** Opens a dialog; the value that it was closed with. */
export function open(dialog) {
    dialog.returnValue = '';
    dialog.showModal();
    return new Promise(resolve => dialog.addEventListener('close', () => resolve(dialog.returnValue), {once: true}));
}
