/** The lines of a text, each with what ends it: a text area knows line feeds alone, and a file keeps what it has. */
const LINE = /([^\r\n]*)(\r\n|\r|\n|$)/g;

function lines(text) {
    const found = [];
    for (const [whole, words, end] of text.matchAll(LINE)) {
        if (whole === '' && found.length > 0 && found.at(-1).end === '') break;
        found.push({ words, end });
        if (end === '') break;
    }
    return found;
}

/**
 * A text as it was typed over another, with the line endings of that one: lines that are the same at the beginning and the end keep their
 * own, and what stands between gets the one that most lines have.
 *
 * @param {string} typed With line feeds alone.
 * @param {string} original
 */
export function withEndings(typed, original) {
    if (!original.includes('\r')) return typed;
    const [before, after] = [lines(original), lines(typed)];
    const count = (end) => before.filter((line) => line.end === end).length;
    const usual = ['\r\n', '\n', '\r'].sort((a, b) => count(b) - count(a))[0];
    let start = 0;
    const isSame = (one, other) => one?.words === other?.words && (one?.end === '') === (other?.end === '');
    while (start < after.length && start < before.length && isSame(before[start], after[start])) start += 1;
    let end = 0;
    while (end < Math.min(after.length, before.length) - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1;
    return after.map(({ words, end: own }, at) => {
        if (own === '') return words;
        const former = at < start ? before[at] : at >= after.length - end ? before[before.length - (after.length - at)] : null;
        return words + (former?.end || usual);
    }).join('');
}
