import { NONE, VERSION, WIDE } from './widths.js';

/** How many columns a letter takes, as today's computers count: by the table of Unicode that `widths.js` holds. */

/** Below it every letter that can be drawn takes one. */
const FIRST_OTHER = 0x300;
/** The bits of a value that xterm.js keeps of a letter: whether it joins the one before, then its width. */
const WIDTH_SHIFT = 1;

/** Pairs of first and last, in order. */
function ranges(table) {
    const list = [];
    let end = 0;
    for (const part of table.trim().split(' ')) {
        const [distance, more = '0'] = part.split('+');
        const first = end + parseInt(distance, 36);
        end = first + parseInt(more, 36);
        list.push([first, end]);
    }
    return list;
}

const wide = ranges(WIDE);
const none = ranges(NONE);

function isIn(list, code) {
    let [low, high] = [0, list.length - 1];
    while (low <= high) {
        const middle = (low + high) >> 1;
        if (code < list[middle][0]) high = middle - 1;
        else if (code > list[middle][1]) low = middle + 1;
        else return true;
    }
    return false;
}

/** The columns of a letter: 0, 1 or 2. Controls take none. */
export function columns(code) {
    if (code < FIRST_OTHER) return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 1;
    if (isIn(none, code)) return 0;
    return isIn(wide, code) ? 2 : 1;
}

/** Makes xterm.js count by this table. */
export function useLetters(xterm) {
    xterm.unicode.register({
        version: VERSION,
        wcwidth: columns,
        charProperties(code, before) {
            const width = columns(code);
            const widthBefore = (before >> WIDTH_SHIFT) & 3;
            // A mark at the beginning, or behind nothing that has a width, has nothing to join.
            const joins = width === 0 && before !== 0 && widthBefore !== 0;
            return ((joins ? widthBefore : width) << WIDTH_SHIFT) | (joins ? 1 : 0);
        },
    });
    xterm.unicode.activeVersion = VERSION;
}
