/**
 * A code as a picture. Source: ISO/IEC 18004, byte mode, error correction level L.
 *
 * For each version, how many codewords of correction a block has, and how many blocks there are with how many codewords of data.
 *
 * @type {[number, ...number[][]][]}
 */
const BLOCKS = [
    [7, [1, 19]], [10, [1, 34]], [15, [1, 55]], [20, [1, 80]], [26, [1, 108]], [18, [2, 68]], [20, [2, 78]], [24, [2, 97]], [30, [2, 116]], [18, [2, 68], [2, 69]],
    [20, [4, 81]], [24, [2, 92], [2, 93]], [26, [4, 107]], [30, [3, 115], [1, 116]], [22, [5, 87], [1, 88]], [24, [5, 98], [1, 99]], [28, [1, 107], [5, 108]],
    [30, [5, 120], [1, 121]], [28, [3, 113], [4, 114]], [28, [3, 107], [5, 108]],
];
/** Where the patterns for alignment stand, for each version. */
const ALIGNMENT = [
    [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50], [6, 30, 54], [6, 32, 58], [6, 34, 62], [6, 26, 46, 66],
    [6, 26, 48, 70], [6, 26, 50, 74], [6, 30, 54, 78], [6, 30, 56, 82], [6, 30, 58, 86], [6, 34, 62, 90],
];
const LEVEL_L = 0b01;
const [FORMAT_POLYNOMIAL, FORMAT_MASK, VERSION_POLYNOMIAL] = [0b10100110111, 0b101010000010010, 0b1111100100101];
const MASKS = [
    (y, x) => (y + x) % 2 === 0, (y) => y % 2 === 0, (_, x) => x % 3 === 0, (y, x) => (y + x) % 3 === 0, (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
    (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0, (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0, (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
];

/**
 * The squares of a text's code.
 *
 * @param {string} text
 * @returns {{size: number, rows: string[]} | null} Each row's squares as `0` and `1`; null for a text that is longer than a code of version 20 holds.
 */
export function qrMatrix(text) {
    const bytes = new TextEncoder().encode(text);
    const version = BLOCKS.findIndex((blocks, at) => dataCount(blocks) * 8 >= 4 + countBits(at + 1) + bytes.length * 8) + 1;
    if (version === 0) return null;
    const codewords = interleaved(dataOf(bytes, version), BLOCKS[version - 1]);
    const best = MASKS.map((_, mask) => drawn(codewords, version, mask)).map((grid) => ({ grid, penalty: penaltyOf(grid) })).reduce((one, other) => (other.penalty < one.penalty ? other : one));
    return { size: best.grid.length, rows: best.grid.map((row) => row.map(Number).join('')) };
}

function dataCount([, ...groups]) { return groups.reduce((sum, [count, size]) => sum + count * size, 0); }
function countBits(version) { return version < 10 ? 8 : 16; }

/** The text's bytes with their mode and number, filled up. */
function dataOf(bytes, version) {
    const bits = [];
    const put = (value, count) => { for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1); };
    const size = dataCount(BLOCKS[version - 1]);
    put(0b0100, 4);
    put(bytes.length, countBits(version));
    for (const byte of bytes) put(byte, 8);
    put(0, Math.min(4, size * 8 - bits.length));
    while (bits.length % 8) bits.push(0);
    const data = Array.from({ length: bits.length / 8 }, (_, at) => bits.slice(at * 8, at * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0));
    for (let pad = 0xec; data.length < size; pad ^= 0xec ^ 0x11) data.push(pad);
    return data;
}

/** The blocks of data one beside the other, then those of their correction. */
function interleaved(data, [correction, ...groups]) {
    const generator = generatorOf(correction);
    const blocks = [];
    let at = 0;
    for (const [count, size] of groups) {
        for (let block = 0; block < count; block += 1) {
            blocks.push(data.slice(at, at + size));
            at += size;
        }
    }
    const corrections = blocks.map((block) => remainder(block, generator));
    const longest = Math.max(...blocks.map(({ length }) => length));
    const across = (lists, length) => Array.from({ length }, (_, index) => lists.filter((list) => index < list.length).map((list) => list[index])).flat();
    return [...across(blocks, longest), ...across(corrections, correction)];
}

// MARK: Reed-Solomon, over GF(256) with x^8 + x^4 + x^3 + x^2 + 1

function multiply(one, other) {
    let product = 0;
    for (let bit = 7; bit >= 0; bit -= 1) {
        product = (product << 1) ^ ((product >> 7) * 0x11d);
        if ((other >> bit) & 1) product ^= one;
    }
    return product;
}

function generatorOf(degree) {
    const factors = [...Array(degree - 1).fill(0), 1];
    let root = 1;
    for (let step = 0; step < degree; step += 1) {
        for (let at = 0; at < degree; at += 1) factors[at] = multiply(factors[at], root) ^ (factors[at + 1] ?? 0);
        root = multiply(root, 2);
    }
    return factors;
}

function remainder(data, generator) {
    const rest = Array(generator.length).fill(0);
    for (const byte of data) {
        const factor = byte ^ rest.shift();
        rest.push(0);
        generator.forEach((each, at) => { rest[at] ^= multiply(each, factor); });
    }
    return rest;
}

// MARK: The squares

/** All squares with one mask. */
function drawn(codewords, version, mask) {
    const size = version * 4 + 17;
    const grid = Array.from({ length: size }, () => Array(size).fill(false));
    const isTaken = Array.from({ length: size }, () => Array(size).fill(false));
    const set = (y, x, dark) => { grid[y][x] = dark; isTaken[y][x] = true; };
    drawPatterns(set, isTaken, version, size);
    drawFormat(set, size, mask);
    let bit = 0;
    for (let right = size - 1; right >= 1; right -= 2) {
        if (right === 6) right = 5;
        for (let step = 0; step < size; step += 1) {
            for (const x of [right, right - 1]) {
                const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
                if (isTaken[y][x]) continue;
                const dark = bit < codewords.length * 8 && ((codewords[bit >> 3] >> (7 - (bit & 7))) & 1) === 1;
                grid[y][x] = dark !== MASKS[mask](y, x);
                bit += 1;
            }
        }
    }
    return grid;
}

function drawPatterns(set, isTaken, version, size) {
    for (let at = 0; at < size; at += 1) { set(6, at, at % 2 === 0); set(at, 6, at % 2 === 0); }
    for (const [top, left] of [[3, 3], [3, size - 4], [size - 4, 3]]) {
        for (let y = -4; y <= 4; y += 1) {
            for (let x = -4; x <= 4; x += 1) {
                const ring = Math.max(Math.abs(y), Math.abs(x));
                if (top + y >= 0 && top + y < size && left + x >= 0 && left + x < size) set(top + y, left + x, ring !== 2 && ring !== 4);
            }
        }
    }
    const places = ALIGNMENT[version - 1];
    const isFinder = (y, x) => (y === 6 && x === 6) || (y === 6 && x === places.at(-1)) || (y === places.at(-1) && x === 6);
    for (const top of places) {
        for (const left of places) {
            if (isFinder(top, left)) continue;
            for (let y = -2; y <= 2; y += 1) for (let x = -2; x <= 2; x += 1) set(top + y, left + x, Math.max(Math.abs(y), Math.abs(x)) !== 1);
        }
    }
    if (version < 7) return;
    const bits = (version << 12) | checked(version, VERSION_POLYNOMIAL, 12);
    for (let at = 0; at < 18; at += 1) {
        const [y, x] = [Math.floor(at / 3), size - 11 + (at % 3)];
        set(y, x, ((bits >> at) & 1) === 1);
        set(x, y, ((bits >> at) & 1) === 1);
    }
}

function drawFormat(set, size, mask) {
    const value = (LEVEL_L << 3) | mask;
    const bits = ((value << 10) | checked(value, FORMAT_POLYNOMIAL, 10)) ^ FORMAT_MASK;
    const dark = (at) => ((bits >> at) & 1) === 1;
    const around = [[0, 8], [1, 8], [2, 8], [3, 8], [4, 8], [5, 8], [7, 8], [8, 8], [8, 7], [8, 5], [8, 4], [8, 3], [8, 2], [8, 1], [8, 0]];
    around.forEach(([y, x], at) => set(y, x, dark(at)));
    for (let at = 0; at < 8; at += 1) set(8, size - 1 - at, dark(at));
    for (let at = 8; at < 15; at += 1) set(size - 15 + at, 8, dark(at));
    set(size - 8, 8, true);
}

/** The rest of a value with so many zeros behind it, divided by a polynomial over GF(2). */
function checked(value, polynomial, zeros) {
    let rest = value << zeros;
    for (let bit = 31 - Math.clz32(rest); bit >= zeros; bit -= 1) if ((rest >> bit) & 1) rest ^= polynomial << (bit - zeros);
    return rest;
}

/** How badly a camera reads it: runs and squares of one kind, what looks like a corner, and too much of one kind. */
function penaltyOf(grid) {
    const size = grid.length;
    const columns = grid.map((_, x) => grid.map((row) => row[x]));
    let penalty = 0;
    for (const line of [...grid, ...columns]) {
        const text = line.map(Number).join('');
        for (const run of text.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
        for (const _ of text.matchAll(/(?=00001011101|10111010000)/g)) penalty += 40;
    }
    for (let y = 1; y < size; y += 1) {
        for (let x = 1; x < size; x += 1) if (grid[y][x] === grid[y - 1][x] && grid[y][x] === grid[y][x - 1] && grid[y][x] === grid[y - 1][x - 1]) penalty += 3;
    }
    const dark = grid.flat().filter(Boolean).length;
    return penalty + Math.floor(Math.abs((dark * 20) / (size * size) - 10)) * 10;
}
