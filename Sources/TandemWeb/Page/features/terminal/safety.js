import { confirm, h, safeText } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/**
 * What a program in a terminal may not do by itself: answer what history asked long ago, put text on this device's clipboard, open links.
 */

/** Questions that xterm.js answers with input: state, attributes, modes, settings. */
const QUESTIONS = [
    { final: 'c' }, { prefix: '>', final: 'c' }, { prefix: '=', final: 'c' }, { final: 'n' }, { prefix: '?', final: 'n' },
    { intermediates: '$', final: 'p' }, { prefix: '?', intermediates: '$', final: 'p' }, { final: 't' }, { final: 'x' },
];
const COLOUR_QUESTIONS = [4, 10, 11, 12];

/**
 * Swallows questions while `isReplaying()`: a shell that asked an hour ago would take the answer for typed text.
 *
 * @param {Object} xterm
 * @param {() => boolean} isReplaying
 */
export function keepSilent(xterm, isReplaying) {
    for (const id of QUESTIONS) xterm.parser.registerCsiHandler(id, () => isReplaying());
    xterm.parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => isReplaying());
    for (const code of COLOUR_QUESTIONS) {
        xterm.parser.registerOscHandler(code, (data) => isReplaying() && data.split(';').includes('?'));
    }
}

const CLIPBOARD_LIMIT = 1_000_000;

/**
 * Watches for OSC 52. Reading this device's clipboard is never answered; what a program wants to put there goes to `offered`, which asks.
 *
 * @param {Object} xterm
 * @param {{isReplaying: () => boolean, offered: (text: string) => void}} options
 */
export function guardClipboard(xterm, { isReplaying, offered }) {
    xterm.parser.registerOscHandler(52, (data) => {
        const coded = data.slice(data.indexOf(';') + 1);
        if (isReplaying() || coded === '?' || coded.length > CLIPBOARD_LIMIT * 1.4) return true;
        const text = decoded(coded);
        if (text) offered(text);
        return true;
    });
}

function decoded(coded) {
    try {
        return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0)));
    } catch {
        return null;
    }
}

/** Shows where a link leads and opens it only then. Addresses other than of the web stay closed. */
export async function openLink(address) {
    let url;
    try {
        url = new URL(address);
    } catch {
        return;
    }
    if (!['http:', 'https:'].includes(url.protocol)) return;
    const isMeant = await confirm({
        title: t('terminal.linkTitle'),
        text: h('span', null, t('terminal.linkText'), h('span', { class: 'terminal-address' }, safeText(url.href, { limit: 2000 }))),
        action: t('terminal.linkOpen'), kind: 'primary',
    });
    if (isMeant) window.open(url.href, '_blank', 'noopener,noreferrer');
}
