/** Bytes of a password, as the hub takes them. */
export const PASSWORD_BYTES = { least: 10, most: 1024 };

/** What guessers try first; each counts as one letter. */
const COMMON = /pass(?:word|wort)?|qwert[yz]?|asdf|letmein|welcome|tandem|iloveyou|admin|mima|woaini|5201314|0?123456?7?8?9?0?|abc(?:def)?/giu;

/**
 * How good a password is, roughly: a bound of what has to be guessed, and not a promise.
 *
 * @param {string} text
 * @returns {{bytes: number, level: 'none' | 'short' | 'weak' | 'fair' | 'good' | 'long'}}
 */
export function strengthOf(text) {
    // As the hub counts: every keyboard writes the same bytes then.
    const normal = text.normalize('NFKC');
    const bytes = new TextEncoder().encode(normal).length;
    if (bytes === 0) return { bytes, level: 'none' };
    if (bytes < PASSWORD_BYTES.least) return { bytes, level: 'short' };
    if (bytes > PASSWORD_BYTES.most) return { bytes, level: 'long' };
    const bits = guessing(normal);
    return { bytes, level: bits < 45 ? 'weak' : bits < 65 ? 'fair' : 'good' };
}

/** Bits, where each letter is taken for one of those of its kinds. Letters that repeat or follow the one before say little. */
function guessing(text) {
    const letters = [...text.replace(COMMON, (found) => found[0])];
    const kinds = [[/\d/u, 10], [/[a-z]/u, 26], [/[A-Z]/u, 26], [/[ -/:-@[-`{-~]/u, 33], [/[^ -~]/u, 2000]];
    const pool = kinds.reduce((sum, [kind, size]) => (letters.some((letter) => /** @type {RegExp} */(kind).test(letter)) ? sum + Number(size) : sum), 0);
    const said = letters.filter((letter, at) => at === 0 || Math.abs(letter.codePointAt(0) - letters[at - 1].codePointAt(0)) > 1).length;
    const distinct = new Set(letters).size;
    return Math.min(said, 2 * distinct) * Math.log2(Math.max(2, pool));
}
