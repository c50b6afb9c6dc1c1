/** Letters of a draft that the browser keeps whole: one that is longer is not kept, since its end would be lost. Source: `kit/drafts.js`. */
const MOST = 65_536;

/**
 * What was written down, where it is a draft of a story.
 *
 * @param {string} text
 * @returns {import('./editor-state.js').Draft | null}
 */
export function draftOf(text) {
    try {
        const { version, fields } = JSON.parse(text);
        const { title, content, mood, location, timestamp, categories } = fields;
        const isWhole = [title, content, mood, location].every((each) => typeof each === 'string') && Number.isFinite(timestamp) && Number.isFinite(version)
            && Array.isArray(categories) && categories.every((each) => typeof each === 'string');
        return isWhole ? { version, fields: { title, content, mood, location, timestamp, categories } } : null;
    } catch {
        return null;
    }
}

/** @param {import('./editor-state.js').Draft} draft @returns {string} Empty for one that is too long. */
export function textOf(draft) {
    const text = JSON.stringify(draft);
    return text.length <= MOST ? text : '';
}

/** A moment as a field of the browser writes it, in its own time: `2026-11-28T09:30`. */
export function localOf(time) {
    const date = new Date(time);
    const two = (part) => String(part).padStart(2, '0');
    return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/**
 * The other way.
 *
 * @param {string} text
 * @returns {number | null} Milliseconds since 1970; null for what is no moment.
 */
export function timeOf(text) {
    const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? new Date(text).getTime() : Number.NaN;
    return Number.isFinite(time) ? time : null;
}
