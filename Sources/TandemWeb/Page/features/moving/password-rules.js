/** As the program counts: letters, bits by estimate, bytes. Source: `docs/migration.md`, "The password". */
export const RULES = { letters: 10, bits: 40, bytes: 1024 };
/** From so many bits or letters on a guesser who has the file needs more than a lifetime. */
const GOOD = { bits: 60, letters: 20 };

/**
 * How good a password for a package is. What is not `isGood` the program refuses, by the same rule.
 *
 * @param {string} text
 * @returns {{letters: number, level: 'none' | 'weak' | 'fair' | 'good' | 'long', isGood: boolean}}
 */
export function strengthOf(text) {
    // Every keyboard writes the same letters then.
    const normal = text.normalize('NFKC');
    const letters = [...new Intl.Segmenter().segment(normal)].length;
    const bits = estimatedBits(normal);
    if (letters === 0) return { letters, level: 'none', isGood: false };
    if (new TextEncoder().encode(text).length > RULES.bytes) return { letters, level: 'long', isGood: false };
    const isGood = letters >= RULES.letters || bits >= RULES.bits;
    return { letters, level: !isGood ? 'weak' : bits < GOOD.bits && letters < GOOD.letters ? 'fair' : 'good', isGood };
}

/** An upper estimate: each different letter counts as drawn from the kinds that appear. */
function estimatedBits(text) {
    const kinds = [[/[a-z]/u, 26], [/[A-Z]/u, 26], [/[0-9]/u, 10], [/[\u0000-\u002f:-@[-`{-\u007f]/u, 33], [/[^\u0000-\u007f]/u, 1000]];
    const alphabet = kinds.reduce((sum, [kind, size]) => (/** @type {RegExp} */(kind).test(text) ? sum + Number(size) : sum), 0);
    return alphabet > 1 ? new Set(text).size * Math.log2(alphabet) : 0;
}

/**
 * 30 random digits in groups of five: 99 bits, which can be read aloud and typed on any keyboard.
 *
 * @param {(bytes: Uint8Array) => Uint8Array} random Fills with random bytes.
 */
export function randomDigits(random = (bytes) => crypto.getRandomValues(bytes)) {
    let digits = '';
    while (digits.length < 30) {
        // From 250 on a remainder would make some digits likelier than others.
        for (const byte of random(new Uint8Array(40))) if (byte < 250 && digits.length < 30) digits += byte % 10;
    }
    return digits.match(/\d{5}/g).join(' ');
}
