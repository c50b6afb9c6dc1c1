import { blocksOf, layoutOf } from './layout.js';
import { correct } from './reed-solomon.js';
import { textOf } from './segments.js';

const FORMAT_MASK = 0b101010000010010;
/** By the two bits that name a level: M, L, H, Q. */
const LEVELS = [1, 0, 3, 2];
const MASKS = [
    (y, x) => (y + x) % 2, (y) => y % 2, (_, x) => x % 3, (y, x) => (y + x) % 3, (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2,
    (y, x) => ((y * x) % 2) + ((y * x) % 3), (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2, (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2,
];
/** Each format, five bits with ten of correction behind them, and each version from 7, six with twelve. */
const FORMATS = Array.from({ length: 32 }, (_, value) => ((value << 10) | rest(value, 0b10100110111, 10)) ^ FORMAT_MASK);
const VERSIONS = Array.from({ length: 34 }, (_, at) => ((at + 7) << 12) | rest(at + 7, 0b1111100100101, 12));
const MOST_WRONG = 3;

/** The rest of a value with so many zeros behind it, divided by a polynomial over GF(2). */
function rest(value, polynomial, zeros) {
    let left = value << zeros;
    for (let bit = 31 - Math.clz32(left); bit >= zeros; bit -= 1) if ((left >> bit) & 1) left ^= polynomial << (bit - zeros);
    return left;
}

/** Which of the words is nearest to one of those that were read; -1 where none is near enough. */
function nearest(words, read) {
    let [found, least] = [-1, MOST_WRONG + 1];
    words.forEach((word, at) => {
        for (const bits of read) {
            const wrong = bitsIn(word ^ bits);
            if (wrong < least) [found, least] = [at, wrong];
        }
    });
    return found;
}

function bitsIn(value) {
    let count = 0;
    for (let left = value; left; left &= left - 1) count += 1;
    return count;
}

/**
 * The version that is written in a code, whose size may have been estimated wrongly.
 *
 * @param {(x: number, y: number) => number} read A square's colour, 1 dark, by its place from the left and from the top.
 * @param {number} size
 * @returns {number} 0 where none can be read.
 */
export function writtenVersion(read, size) {
    const word = (turned) => {
        let bits = 0;
        for (let at = 17; at >= 0; at -= 1) {
            const [long, short] = [Math.floor(at / 3), size - 11 + (at % 3)];
            bits = bits * 2 + (turned ? read(long, short) : read(short, long));
        }
        return bits;
    };
    const found = nearest(VERSIONS, [word(false), word(true)]);
    return found < 0 ? 0 : found + 7;
}

/**
 * The text of a code by its squares.
 *
 * @param {Uint8Array} squares 1 dark, 0 light, row by row.
 * @param {number} size
 * @returns {string | null} Null for what is no code, or is damaged beyond correction.
 */
export function readSquares(squares, size) {
    const layout = layoutOf(size);
    if (!layout) return null;
    const format = nearest(FORMATS, formatsOf(squares, size));
    if (format < 0) return null;
    const mask = MASKS[format & 7];
    const words = new Uint8Array(layout.path.length >> 3);
    for (let bit = 0; bit < words.length * 8; bit += 1) {
        const place = layout.path[bit];
        const isInverted = mask(Math.floor(place / size), place % size) === 0;
        words[bit >> 3] = (words[bit >> 3] << 1) | (squares[place] ^ Number(isInverted));
    }
    const data = dataOf(words, blocksOf(layout, LEVELS[format >> 3]));
    return data && textOf(data, layout.version);
}

function formatsOf(squares, size) {
    const around = [[0, 8], [1, 8], [2, 8], [3, 8], [4, 8], [5, 8], [7, 8], [8, 8], [8, 7], [8, 5], [8, 4], [8, 3], [8, 2], [8, 1], [8, 0]];
    const apart = Array.from({ length: 15 }, (_, at) => (at < 8 ? [8, size - 1 - at] : [size - 15 + at, 8]));
    return [around, apart].map((places) => places.reduceRight((bits, [y, x]) => bits * 2 + squares[y * size + x], 0));
}

/** The data of all blocks, each corrected; null where one cannot be. */
function dataOf(words, { correction, blocks }) {
    const parts = blocks.map((count) => new Uint8Array(count + correction));
    const longest = Math.max(...blocks);
    let word = 0;
    for (let at = 0; at < longest; at += 1) parts.forEach((part, block) => { if (at < blocks[block]) part[at] = words[word++]; });
    for (let at = 0; at < correction; at += 1) parts.forEach((part, block) => { part[blocks[block] + at] = words[word++]; });
    if (!parts.every((part) => correct(part, correction))) return null;
    return Uint8Array.from(parts.flatMap((part, block) => [...part.subarray(0, blocks[block])]));
}
