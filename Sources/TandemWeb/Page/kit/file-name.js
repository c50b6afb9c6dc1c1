import { h } from './h.js';
import { peer, plainText } from './safe.js';

/** Letters of a name that are drawn; its middle is left out beyond. */
const MOST = 300;
/** What a name ends with, and a little before it. Letters of ASCII alone: in other scripts a cut between two may change how both look. */
const END = /(?<=.)[\x21-\x7e]{0,5}\.[a-z0-9]{1,8}$/iu;

/**
 * The name of a file on one line: where there is no room for all of it, its middle gives way and what it ends with stays. It has its own
 * direction; the line begins where the name does.
 *
 * @param {string} name As a peer sent it.
 * @param {{class?: string}} options Of the element.
 */
export function fileName(name, { class: own = '' } = {}) {
    const letters = [...name];
    const shown = letters.length > MOST ? [...letters.slice(0, MOST - 41), '…', ...letters.slice(-40)].join('') : name;
    const end = END.exec(shown)?.[0] ?? '';
    // The direction is that of the box that cuts: else a name from right to left would lose its beginning.
    const whole = plainText(name, 2000);
    // Two boxes are read as two words: the name is told as one.
    return h('span', { class: ['middle', own], role: 'img', title: whole, aria: { label: whole }, dir: 'auto', data: { peer: '' } },
        peer(shown.slice(0, shown.length - end.length), 'span', { class: 'middle-head', dir: null }), end && peer(end, 'span', { class: 'middle-tail', dir: null }));
}
