/** @typedef {import('./plane.js').Plane} Plane */

/**
 * The middle of what looks like a corner's pattern.
 *
 * @typedef {Object} Finder
 * @property {number} x
 * @property {number} y
 * @property {number} square The length of one square's side.
 * @property {number} count In how many rows it was met.
 */

const PARTS = [1, 1, 3, 1, 1];
const MOST_FINDERS = 18;

/**
 * What looks like the pattern in a code's corner: along each line through its middle, dark, light, dark, light and dark are 1, 1, 3, 1 and 1 squares long.
 *
 * @param {Plane} plane
 * @returns {Finder[]} Those that most rows met.
 */
export function findersIn(plane) {
    const { width, height, dark } = plane;
    /** @type {Finder[]} */
    const found = [];
    for (let y = 0; y < height; y += 1) {
        const runs = [0, 0, 0, 0, 0];
        let [colour, start] = [0, 0];
        for (let x = 0; x <= width; x += 1) {
            const next = x < width ? dark[y * width + x] : 2;
            if (next === colour) continue;
            runs.shift();
            runs.push(x - start);
            // Five runs end here, the last of them dark.
            if (colour === 1 && isPattern(runs)) meet(found, plane, x - runs[4] - runs[3] - runs[2] / 2, y, runs);
            [colour, start] = [next, x];
        }
    }
    return found.sort((one, other) => other.count - one.count).slice(0, MOST_FINDERS);
}

function isPattern(runs) {
    const sum = runs[0] + runs[1] + runs[2] + runs[3] + runs[4];
    if (sum < 7 || runs[0] === 0 || runs[1] === 0) return false;
    const square = sum / 7;
    const tolerance = Math.max(square * 0.55, 0.9);
    return PARTS.every((part, at) => Math.abs(runs[at] - part * square) <= tolerance * Math.sqrt(part));
}

/** Looks whether the pattern is there across the row, too, and joins it to the one that it is a part of. */
function meet(found, plane, middle, row, runs) {
    const across = lineThrough(plane, Math.floor(middle), row, 0, 1, runs[2] * 3);
    if (!across) return;
    const y = row + across.shift;
    const along = lineThrough(plane, Math.floor(middle), Math.round(y - 0.5), 1, 0, runs[2] * 3);
    if (!along) return;
    const x = Math.floor(middle) + along.shift;
    if (across.length > along.length * 2.5 || along.length > across.length * 2.5) return;
    const square = (across.length + along.length) / 14;
    const known = found.find((each) => Math.hypot(each.x - x, each.y - y) < each.square * 2.5 && square < each.square * 1.7 && each.square < square * 1.7);
    if (!known) {
        if (found.length < 2000) found.push({ x, y, square, count: 1 });
        return;
    }
    known.x = (known.x * known.count + x) / (known.count + 1);
    known.y = (known.y * known.count + y) / (known.count + 1);
    known.square = (known.square * known.count + square) / (known.count + 1);
    known.count += 1;
}

/**
 * The runs along a line through a dark point.
 *
 * @returns {{shift: number, length: number} | null} How far the pattern's middle is from the point's beginning, and how long it is; null where there is none.
 */
function lineThrough({ width, height, dark }, x, y, stepX, stepY, longest) {
    if (x < 0 || y < 0 || x >= width || y >= height || dark[y * width + x] !== 1) return null;
    const walk = (way) => {
        const runs = [];
        let [atX, atY] = [x, y];
        for (const colour of [1, 0, 1]) {
            let length = 0;
            while (atX >= 0 && atY >= 0 && atX < width && atY < height && dark[atY * width + atX] === colour && length <= longest) {
                length += 1;
                atX += stepX * way;
                atY += stepY * way;
            }
            runs.push(length);
        }
        return runs;
    };
    const [back, on] = [walk(-1), walk(1)];
    const runs = [back[2], back[1], back[0] + on[0] - 1, on[1], on[2]];
    if (!isPattern(runs)) return null;
    return { shift: (on[0] - back[0] + 1) / 2, length: runs.reduce((sum, each) => sum + each, 0) };
}

/** @typedef {{corner: Finder, right: Finder, below: Finder}} Triple The corner between the two others, which are to the right of it and below it as the code is read. */

/**
 * The threes of patterns that may be the corners of one code, the likeliest first.
 *
 * @param {Finder[]} finders
 * @param {number} most
 * @returns {Triple[]}
 */
export function triplesOf(finders, most) {
    const triples = [];
    for (let one = 0; one < finders.length; one += 1) {
        for (let two = one + 1; two < finders.length; two += 1) {
            for (let three = two + 1; three < finders.length; three += 1) {
                const triple = tripleOf([finders[one], finders[two], finders[three]]);
                if (triple) triples.push(triple);
            }
        }
    }
    return triples.sort((one, other) => one.doubt - other.doubt).slice(0, most);
}

function tripleOf(finders) {
    const squares = finders.map(({ square }) => square);
    const [least, most] = [Math.min(...squares), Math.max(...squares)];
    if (most > least * 2.2) return null;
    const lengths = finders.map((_, at) => {
        const [one, other] = [finders[(at + 1) % 3], finders[(at + 2) % 3]];
        return Math.hypot(one.x - other.x, one.y - other.y);
    });
    const at = lengths.indexOf(Math.max(...lengths));
    const [corner, one, other] = [finders[at], finders[(at + 1) % 3], finders[(at + 2) % 3]];
    const [toOther, toOne] = [lengths[(at + 1) % 3], lengths[(at + 2) % 3]];
    if (Math.min(toOne, toOther) < least * 9 || Math.max(toOne, toOther) > most * 190) return null;
    const uneven = Math.abs(Math.log(toOne / toOther));
    const cosine = ((one.x - corner.x) * (other.x - corner.x) + (one.y - corner.y) * (other.y - corner.y)) / (toOne * toOther);
    if (uneven > 0.8 || Math.abs(cosine) > 0.65) return null;
    const turn = (one.x - corner.x) * (other.y - corner.y) - (one.y - corner.y) * (other.x - corner.x);
    const [right, below] = turn > 0 ? [one, other] : [other, one];
    // Many rows meet a real one; by chance, few do.
    const weak = finders.reduce((sum, { count, square }) => sum + Math.max(0, 1 - count / (square * 1.5)), 0);
    return { corner, right, below, doubt: uneven + Math.abs(cosine) + Math.log(most / least) + weak * 0.3 };
}
