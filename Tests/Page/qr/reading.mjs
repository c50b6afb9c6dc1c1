import { readFileSync } from 'node:fs';
import { readCodes } from '../../../Sources/TandemWeb/Page/client/qr-reader/reader.js';
import { correct } from '../../../Sources/TandemWeb/Page/client/qr-reader/reed-solomon.js';
import { textOf } from '../../../Sources/TandemWeb/Page/client/qr-reader/segments.js';
import { qrMatrix } from '../../../Sources/TandemWeb/Page/client/sealed/qr.js';
import { numbers, picture, tilted, turned } from './pictures.mjs';

const always = () => true;
const WAYS = {
    flat: (code) => centred(code, 4, {}),
    'two points a square': (code) => centred(code, 2, {}),
    turned: (code) => centred(code, 4, { angle: 0.5 }),
    'on its head': (code) => centred(code, 4, { angle: 3 }),
    slanted: (code) => centred(code, 5, { slant: 0.25 }),
    'low contrast': (code) => centred(code, 4, { angle: 0.1 }, { dark: 120, light: 140 }),
    inverted: (code) => centred(code, 4, {}, { dark: 255, light: 0 }),
    noisy: (code) => centred(code, 5, { angle: 0.2 }, { noise: 40 }),
    'half in shadow': (code) => centred(code, 4, { angle: -0.2 }, { around: 120, lit: (x) => 0.3 + 0.7 * x }),
    'in a mirror': (code) => centred({ size: code.size, isDark: (x, y) => code.isDark(code.size - 1 - x, y) }, 4, {}),
    tilted: (code) => framed(code, 6, (place) => tilted(code, { ...place, angle: 0.4, tilt: 0.12 }), { around: 140, noise: 6 }),
};

function centred(code, square, placed, options = {}) { return framed(code, square, (place) => turned(code, { ...place, ...placed }), options); }

function framed(code, square, placed, options) {
    const side = Math.ceil((code.size + 10) * square * 1.45);
    return picture({ width: side, height: side, codes: [placed({ x: side / 2, y: side / 2, square })], ...options });
}

function codeOf(rows) { return { size: rows.length, isDark: (x, y) => rows[y][x] === '1' }; }

/** A code as `codes.json` keeps it. */
function kept({ size, squares }) {
    const bits = [...squares].map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
    return codeOf(Array.from({ length: size }, (_, row) => bits.slice(row * size, (row + 1) * size)));
}

function codes() { return JSON.parse(readFileSync(new URL('codes.json', import.meta.url), 'utf8')); }

/** What was read wrongly of other writers' codes, in every way that they are seen. */
export function others() {
    return codes().flatMap((each) => Object.entries(WAYS)
        // Large ones take long, and are seen from the front.
        .filter(([way]) => each.version <= 14 || ['flat', 'turned'].includes(way))
        .map(([way, seen]) => [`${each.version}-${each.level} ${way}`, readCodes(seen(kept(each)), always)])
        .filter(([, texts]) => texts.length !== 1 || texts[0] !== each.text));
}

/** What was read wrongly of the page's own codes, of each version that it writes. */
export function own() {
    const lengths = [17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858];
    return lengths.flatMap((length, at) => {
        const text = `v${at + 1}:`.padEnd(length, 'tandem');
        const { size, rows } = qrMatrix(text);
        const texts = readCodes(centred(codeOf(rows), 3, { angle: at / 7 }), always);
        return size === at * 4 + 21 && texts.length === 1 && texts[0] === text ? [] : [[at + 1, size, texts]];
    });
}

/** A spot on a code: the texts by how large it is, in squares. */
export function spotted(sides) {
    const code = kept(codes().find(({ version }) => version === 20));
    const at = Math.floor(code.size * 0.4);
    return sides.map((side) => {
        const isSpot = (x, y) => x >= at && y >= at && x < at + side && y < at + side;
        return readCodes(centred({ size: code.size, isDark: (x, y) => isSpot(x, y) || code.isDark(x, y) }, 4, {}), always);
    });
}

/** Three codes in one picture, and one that is small in a large one. */
export function scattered() {
    const [one, two, three] = codes().filter(({ version }) => [3, 4, 9].includes(version)).map(kept);
    const several = picture({ width: 900, height: 420, codes: [turned(one, { x: 140, y: 200, square: 6, angle: 0.3 }), turned(two, { x: 420, y: 200, square: 6 }), turned(three, { x: 720, y: 210, square: 5, angle: 1.5 })] });
    const small = picture({ width: 2400, height: 1600, codes: [turned(three, { x: 1900, y: 500, square: 5, angle: 0.1 })], around: 150, noise: 8 });
    return [readCodes(several, always), readCodes(small, always)];
}

/** What is no code: its texts. */
export function nothing() {
    const random = numbers(5);
    const noise = { size: 57, isDark: () => random() < 0.5 };
    const code = kept(codes().find(({ version }) => version === 9));
    const ruined = { size: code.size, isDark: (x, y) => (x > 8 && y > 8 && random() < 0.4) !== code.isDark(x, y) };
    const empty = (width, height) => ({ width, height, data: new Uint8ClampedArray(width * height * 4) });
    return [centred(noise, 5, {}), centred(ruined, 5, {}), empty(1, 1), empty(3, 500), empty(640, 480), empty(2000, 1)].map((each) => readCodes(each, always));
}

/** Whether a reader without time tries once only. */
export function hurried() {
    let asked = 0;
    const texts = readCodes({ width: 1600, height: 1200, data: new Uint8ClampedArray(1600 * 1200 * 4) }, () => { asked += 1; return false; });
    return { texts, asked };
}

/** Blocks with so many bytes wrong: how many of a hundred became right, and how many others were taken for right. */
export function corrected(wrong) {
    const random = numbers(wrong + 1);
    const counts = { right: 0, refused: 0, other: 0 };
    for (let run = 0; run < 100; run += 1) {
        // All zeros are a block of every length.
        const block = new Uint8Array(60);
        const places = new Set();
        while (places.size < wrong) places.add(Math.floor(random() * block.length));
        for (const place of places) block[place] = 1 + Math.floor(random() * 255);
        const isTaken = correct(block, 20);
        counts[!isTaken ? 'refused' : block.every((byte) => byte === 0) ? 'right' : 'other'] += 1;
    }
    return counts;
}

/** Segments that are not whole or not known, by their bits. */
export function segments(...texts) {
    return texts.map((bits) => {
        const padded = bits.replaceAll(' ', '').padEnd(Math.ceil(bits.replaceAll(' ', '').length / 8) * 8, '0');
        return textOf(Uint8Array.from(padded.match(/.{8}/g) ?? [], (each) => parseInt(each, 2)), 1);
    });
}

const [name, ...values] = process.argv.slice(2);
console.log(JSON.stringify({ others, own, spotted, scattered, nothing, hurried, corrected, segments }[name](...values.map((value) => JSON.parse(value)))));
