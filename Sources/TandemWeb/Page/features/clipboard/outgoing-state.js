import { byteCount } from '../../kit/bytes.js';

const TEXT_LIMIT = 512 << 10;
export const PICTURE_LIMIT = 5 << 20;
export const QUEUE_LIMIT = 200 << 10;

/**
 * What is to be put on a computer's clipboard: a text, a text with its formatting, or a picture.
 *
 * @typedef {Object} Outgoing
 * @property {string} text
 * @property {{html: string, plain: string} | null} pasted While the text is what was pasted, unchanged.
 * @property {boolean} keepsFormat
 * @property {Blob | null} picture Instead of a text.
 * @property {boolean} isAway The computer is not reached.
 *
 * @typedef {{kind: 'typed', text: string} | {kind: 'filled', text: string, html: string} | {kind: 'pictured', picture: Blob | null}
 *   | {kind: 'kept', keepsFormat: boolean} | {kind: 'reached', isAway: boolean} | {kind: 'failed', error: Object}} OutgoingEvent `filled`: with what
 *   was pasted, or with nothing once it was sent; `pictured`: a picture was chosen, or taken away.
 */

/** @type {Outgoing} */
export const initial = { text: '', pasted: null, keepsFormat: true, picture: null, isAway: false };

/**
 * @param {Outgoing} state
 * @param {OutgoingEvent} event
 * @returns {[Outgoing]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'typed': return [{ ...state, text: event.text, pasted: state.pasted?.plain === event.text ? state.pasted : null }];
        case 'filled': {
            const { text, html } = event;
            return [{ ...state, text, pasted: html ? { html, plain: text } : null, picture: null }];
        }
        case 'pictured': return [{ ...state, picture: event.picture }];
        case 'kept': return [{ ...state, keepsFormat: event.keepsFormat }];
        case 'reached': return [{ ...state, isAway: event.isAway }];
        case 'failed': return [{ ...state, isAway: state.isAway || event.error.code === 'away' }];
        default: throw new TypeError(Object(event).kind);
    }
}

/** The text as it is sent. */
export function contentOf({ text, pasted, keepsFormat }) {
    return pasted && keepsFormat ? { type: 'html', content: pasted.html } : { type: 'text', content: text };
}

/**
 * How large it is, and what can be done with it. What may wait has one button while the computer is away.
 *
 * @param {Outgoing} state
 * @param {boolean} endToEnd A computer that cannot seal would do it once for every try.
 */
export function standingOf(state, endToEnd) {
    const size = state.picture ? state.picture.size : byteCount(contentOf(state).content);
    const limit = state.picture ? PICTURE_LIMIT : TEXT_LIMIT;
    return { size, limit, isTooLarge: size > limit, mayWait: state.isAway && !state.picture && endToEnd };
}
