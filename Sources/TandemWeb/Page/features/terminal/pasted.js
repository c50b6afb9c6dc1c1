/** What a paste becomes before a terminal gets it. Nothing here draws. */

/** Everything that a program in a terminal takes for a key or a sequence, but for line ends and tabs. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;
const DELETE = 0x7f;

/**
 * Reads a text that comes from elsewhere. A control character is never passed on: the end of the marks that a program knows a paste by would
 * be one of them (`ESC [ 201 ~`, or with U+009B), and what stands behind it would be typed. It becomes a sign that can be seen.
 *
 * @param {string} text
 * @returns {{text: string, lines: number, hasControls: boolean}} The text with line ends as Return sends them; how many lines have something
 *   behind or in them.
 */
export function pasted(text) {
    const clean = text.replace(/\r\n|\n/g, '\r').replace(CONTROLS, visible);
    return { text: clean, lines: clean.trimEnd().split('\r').length, hasControls: text.search(CONTROLS) >= 0 };
}

/** `␛` of Escape; `⟨9B⟩` of those that have no picture. */
function visible(letter) {
    const code = letter.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === DELETE ? '\u2421' : `⟨${code.toString(16).toUpperCase()}⟩`;
}
