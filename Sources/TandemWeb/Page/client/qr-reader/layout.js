/**
 * Where everything stands in a code. Source: ISO/IEC 18004.
 *
 * For each level (L, M, Q, H) and version, how many codewords of correction a block has, and how many blocks there are.
 */
const CORRECTION = [
    [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
    [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28],
    [13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
    [17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
];
const BLOCKS = [
    [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25],
    [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49],
    [1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68],
    [1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81],
];
const MOST = 40;
/** A square whose colour is not fixed by the version. */
export const OPEN = 2;
/** A square of the format or of the version's number: neither fixed nor data. */
const KEPT = 3;

/**
 * @typedef {Object} Layout
 * @property {number} version
 * @property {number} size Squares on a side.
 * @property {Uint8Array} squares For each one: 1 dark, 0 light, or not fixed.
 * @property {{x: number, y: number}[]} alignment The middles of the patterns for alignment.
 * @property {number[]} path The squares of data in their order.
 */

/** @type {Map<number, Layout>} */
const made = new Map();

/**
 * The layout of codes with so many squares on a side.
 *
 * @param {number} size
 * @returns {Layout | null} Null where no version has that size.
 */
export function layoutOf(size) {
    const version = (size - 17) / 4;
    if (!Number.isInteger(version) || version < 1 || version > MOST) return null;
    let layout = made.get(size);
    if (!layout) {
        layout = laidOut(version, size);
        made.set(size, layout);
    }
    return layout;
}

function laidOut(version, size) {
    const squares = new Uint8Array(size * size).fill(OPEN);
    const set = (y, x, value) => { if (y >= 0 && y < size && x >= 0 && x < size) squares[y * size + x] = value; };
    for (let at = 0; at < size; at += 1) {
        set(6, at, Number(at % 2 === 0));
        set(at, 6, Number(at % 2 === 0));
    }
    // The format stands beside the first corner, and once more beside the two others.
    for (let at = 0; at < 9; at += 1) {
        if (at !== 6) for (const [y, x] of [[8, at], [at, 8]]) set(y, x, KEPT);
        if (at < 8) for (const [y, x] of [[8, size - 1 - at], [size - 1 - at, 8]]) set(y, x, KEPT);
    }
    set(size - 8, 8, 1);
    for (const [top, left] of [[3, 3], [3, size - 4], [size - 4, 3]]) drawRings(4, (y, x, ring) => set(top + y, left + x, Number(ring !== 2 && ring !== 4)));
    const alignment = alignmentOf(version, size);
    for (const { y: top, x: left } of alignment) drawRings(2, (y, x, ring) => set(top + y, left + x, Number(ring !== 1)));
    if (version >= 7) {
        for (let at = 0; at < 18; at += 1) {
            const [long, short] = [Math.floor(at / 3), size - 11 + (at % 3)];
            set(long, short, KEPT);
            set(short, long, KEPT);
        }
    }
    return { version, size, squares, alignment, path: pathOf(squares, size) };
}

function drawRings(reach, set) {
    for (let y = -reach; y <= reach; y += 1) for (let x = -reach; x <= reach; x += 1) set(y, x, Math.max(Math.abs(y), Math.abs(x)));
}

function alignmentOf(version, size) {
    if (version === 1) return [];
    const count = Math.floor(version / 7) + 2;
    const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
    const places = Array.from({ length: count }, (_, at) => (at === 0 ? 6 : size - 7 - (count - 1 - at) * step));
    const last = size - 7;
    const isFinder = (y, x) => (y === 6 && x === 6) || (y === 6 && x === last) || (y === last && x === 6);
    return places.flatMap((y) => places.filter((x) => !isFinder(y, x)).map((x) => ({ x, y })));
}

function pathOf(squares, size) {
    const path = [];
    for (let right = size - 1; right >= 1; right -= 2) {
        if (right === 6) right = 5;
        for (let step = 0; step < size; step += 1) {
            const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
            for (const x of [right, right - 1]) if (squares[y * size + x] === OPEN) path.push(y * size + x);
        }
    }
    return path;
}

/**
 * How the codewords of a code are shared among its blocks.
 *
 * @param {Layout} layout
 * @param {number} level 0 to 3: L, M, Q, H.
 * @returns {{correction: number, blocks: number[]}} Of correction in each block, and of data in each.
 */
export function blocksOf({ version, path }, level) {
    const [correction, count] = [CORRECTION[level][version - 1], BLOCKS[level][version - 1]];
    const data = (path.length >> 3) - correction * count;
    const short = Math.floor(data / count);
    return { correction, blocks: Array.from({ length: count }, (_, at) => short + Number(at >= count - (data % count))) };
}
