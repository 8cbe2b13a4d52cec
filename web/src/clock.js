// Clocks: what they show now, and the text of a time control.

import {serverNow} from './api.js';

/** What a side's clock shows now, in ms; null without a clock. Time runs from what the server said last. */
export function shownMs(clock, color) {
    if (!clock)
        return null;
    const kept = clock[`${color}_ms`];
    if (clock.running !== color || !clock.flag_at)
        return kept;
    // Until the flag falls there is more than the clock shows while a delay runs.
    return Math.max(0, Math.min(kept, Date.parse(clock.flag_at) - serverNow()));
}

const two = number => String(number).padStart(2, '0');

/** "5:00", "1:02:03", and tenths in the last twenty seconds: "0:09.4". */
export function formatMs(ms) {
    if (ms < 20000) {
        const tenths = Math.floor(ms / 100);
        return `0:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
    }
    const seconds = Math.ceil(ms / 1000);
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The same for a screen reader: "5 minutes 3 seconds". */
export function sayMs(ms) {
    const seconds = Math.ceil(ms / 1000);
    const parts = [[Math.floor(seconds / 3600), 'hour'], [Math.floor(seconds / 60) % 60, 'minute'], [seconds % 60, 'second']];
    const words = parts.filter(([count]) => count).map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`);
    return words.join(' ') || 'no time';
}

/**
 * "5 + 3" is five minutes and three seconds a move, as people write it; the API counts in milliseconds.
 * null: the text is none. '' is no clock: undefined.
 */
export function readClock(text) {
    const trimmed = text.trim();
    if (!trimmed)
        return undefined;
    const match = /^(\d+(?:[.,]\d+)?)\s*(?:min\w*)?\s*(?:[+|/]\s*(\d+(?:[.,]\d+)?)\s*(?:s\w*)?)?$/i.exec(trimmed);
    if (!match)
        return null;
    const number = part => Number((part ?? '0').replace(',', '.'));
    const initial_ms = Math.round(number(match[1]) * 60000);
    return initial_ms > 0 ? {initial_ms, increment_ms: Math.round(number(match[2]) * 1000)} : null;
}

/** "ten minutes, and five seconds more with each move", in figures. */
export function sayClock(clock) {
    const time = sayMs(clock.initial_ms);
    return clock.increment_ms ? `${time}, and ${sayMs(clock.increment_ms)} more with each move` : time;
}
