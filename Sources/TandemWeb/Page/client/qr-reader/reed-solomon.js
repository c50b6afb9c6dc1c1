/** Powers of the generator 2 of GF(256) with x^8 + x^4 + x^3 + x^2 + 1, twice, and their logarithms. */
const POWERS = new Uint8Array(510);
const LOGARITHMS = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
    POWERS[power] = value;
    POWERS[power + 255] = value;
    LOGARITHMS[value] = power;
    value = (value << 1) ^ ((value >> 7) * 0x11d);
}

function multiply(one, other) { return one && other ? POWERS[LOGARITHMS[one] + LOGARITHMS[other]] : 0; }
function divide(one, other) { return one ? POWERS[LOGARITHMS[one] + 255 - LOGARITHMS[other]] : 0; }

/** The value of a polynomial, lowest power first. */
function valueAt(polynomial, x) { return polynomial.reduceRight((sum, factor) => multiply(sum, x) ^ factor, 0); }

/**
 * Corrects a block in place by Berlekamp, Massey, Chien and Forney.
 *
 * @param {Uint8Array} block Its data, then its correction.
 * @param {number} correction How many bytes of it are correction.
 * @returns {boolean} False where more is wrong than can be corrected.
 */
export function correct(block, correction) {
    const syndromes = Array.from({ length: correction }, (_, power) => block.reduce((sum, byte) => multiply(sum, POWERS[power]) ^ byte, 0));
    if (syndromes.every((each) => each === 0)) return true;
    const locator = locatorOf(syndromes);
    const degree = locator.length - 1;
    if (degree * 2 > correction) return false;
    const evaluator = evaluatorOf(syndromes, locator, correction);
    const places = Array.from({ length: block.length }, (_, place) => place).filter((place) => valueAt(locator, POWERS[255 - (place % 255)]) === 0);
    if (places.length !== degree) return false;
    for (const place of places) {
        const inverse = POWERS[255 - (place % 255)];
        // The derivative, times x: the power that the first root being 1 would ask for.
        const slope = valueAt(locator.map((factor, power) => (power % 2 ? factor : 0)), inverse);
        if (slope === 0) return false;
        block[block.length - 1 - place] ^= divide(valueAt(evaluator, inverse), slope);
    }
    return true;
}

/** The polynomial whose roots are the places that are wrong. */
function locatorOf(syndromes) {
    let [locator, previous, length, gap, discrepancy] = [[1], [1], 0, 1, 1];
    for (let step = 0; step < syndromes.length; step += 1) {
        let wrong = syndromes[step];
        for (let at = 1; at <= length; at += 1) wrong ^= multiply(locator[at] ?? 0, syndromes[step - at]);
        if (wrong === 0) {
            gap += 1;
            continue;
        }
        const next = [...locator];
        const factor = divide(wrong, discrepancy);
        previous.forEach((each, at) => { next[at + gap] = (next[at + gap] ?? 0) ^ multiply(factor, each); });
        for (let at = 0; at < next.length; at += 1) next[at] ??= 0;
        if (length * 2 <= step) {
            [length, previous, discrepancy, gap] = [step + 1 - length, locator, wrong, 1];
        } else {
            gap += 1;
        }
        locator = next;
    }
    while (locator.at(-1) === 0) locator.pop();
    return locator;
}

/** The product of syndromes and locator below the power of the correction. */
function evaluatorOf(syndromes, locator, correction) {
    const evaluator = Array(correction).fill(0);
    syndromes.forEach((syndrome, one) => locator.forEach((factor, other) => {
        if (one + other < correction) evaluator[one + other] ^= multiply(syndrome, factor);
    }));
    return evaluator;
}
