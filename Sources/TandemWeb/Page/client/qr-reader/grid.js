import { cornersOf } from './corners.js';
import { OPEN, layoutOf } from './layout.js';
import { brightness, isDark } from './light.js';
import { perspectiveOf, pointAt } from './perspective.js';
import { writtenVersion } from './squares.js';

/**
 * @typedef {import('./plane.js').Plane} Plane
 * @typedef {import('./perspective.js').Point} Point
 * @typedef {import('./perspective.js').Perspective} Perspective
 * @typedef {import('./finders.js').Triple} Triple
 */

/** The part of a code's fixed squares that has to be where a grid expects it. */
const LEAST_FIT = 0.78;
/** How many squares of a pattern for alignment, of 25, tell where it is. */
const [LEAST_MATCH, SURE_MATCH] = [20, 23];
const PLACES = [[0.5, 0.5], [0.3, 0.5], [0.7, 0.5], [0.5, 0.3], [0.5, 0.7]];

/**
 * The squares of the code that three corners belong to: one reading for each size that it may have, the likeliest first.
 *
 * @param {Plane} plane
 * @param {Triple} triple
 * @returns {Generator<{squares: Uint8Array, size: number}>}
 */
export function* gridsOf(plane, triple) {
    const corners = cornersOf(plane, triple);
    if (!corners) return;
    const estimate = estimatedSize(corners);
    const sizes = [estimate, estimate + 4, estimate - 4];
    for (let at = 0; at < sizes.length && at < 4; at += 1) {
        const size = sizes[at];
        const layout = layoutOf(size);
        if (!layout || sizes.indexOf(size) !== at) continue;
        const grid = gridOf(plane, corners, layout);
        if (!grid) continue;
        if (size >= 45) {
            const version = writtenVersion((x, y) => colourOf(plane, grid, x, y), size);
            if (version && version !== layout.version) sizes.splice(at + 1, 0, version * 4 + 17);
        }
        if (fitOf(plane, grid, layout) < LEAST_FIT) continue;
        const squares = new Uint8Array(size * size);
        for (let y = 0; y < size; y += 1) for (let x = 0; x < size; x += 1) squares[y * size + x] = colourOf(plane, grid, x, y);
        yield { squares, size };
    }
}

/** How bright five places of a square are together, of which some may be spots: below 0 it is dark. */
function lightOf(plane, grid, column, row) {
    let sum = 0;
    for (const [x, y] of PLACES) {
        const point = pointAt(grid, column + x, row + y);
        sum += brightness(plane, point.x, point.y);
    }
    return sum;
}

function colourOf(plane, grid, column, row) { return Number(lightOf(plane, grid, column, row) < 0); }

/** How many squares a side has. In a perspective, a line is as long as so many squares of the geometric mean of those at its ends. */
function estimatedSize({ corner, right, below }) {
    const squares = (one, other, way) => Math.hypot(one.middle.x - other.middle.x, one.middle.y - other.middle.y) / Math.sqrt(one[way].square * other[way].square);
    const size = (squares(corner, right, 'along') + squares(corner, below, 'down')) / 2 + 7;
    return Math.max(21, Math.min(177, Math.round((size - 17) / 4) * 4 + 17));
}

/** The perspective in which the code lies: by its corners and a fourth point, then by all patterns for alignment. */
function gridOf(plane, corners, layout) {
    const { size, alignment } = layout;
    const middles = [[3.5, 3.5, corners.corner], [size - 3.5, 3.5, corners.right], [3.5, size - 3.5, corners.below]];
    const known = middles.map(([x, y, { middle }]) => ({ square: { x, y }, point: middle }));
    const last = alignment.at(-1);
    for (const guess of [perspectiveOf([...known, ...edgesOf(middles)]), flatGrid(known, size)]) {
        if (!guess) continue;
        if (!last) return bestFourth(plane, known, layout, guess);
        const found = alignmentNear(plane, guess, last, { reach: 2.5 + size * 0.08, step: 0.5 });
        if (!found || found.match < LEAST_MATCH) continue;
        const grid = perspectiveOf([...known, found.pair]);
        return grid && refined(plane, grid, known, layout);
    }
    const flat = flatGrid(known, size);
    return flat && bestFourth(plane, known, layout, flat);
}

/** Where the edges of the corners' patterns are. */
function edgesOf(middles) {
    return middles.flatMap(([x, y, { along, down }]) => [
        { square: { x: x - 3.5, y }, point: along.before }, { square: { x: x + 3.5, y }, point: along.behind },
        { square: { x, y: y - 3.5 }, point: down.before }, { square: { x, y: y + 3.5 }, point: down.behind },
    ]);
}

/** As seen straight from the front: the fourth corner completes a parallelogram. */
function flatGrid(known, size) {
    const [corner, right, below] = known.map(({ point }) => point);
    return perspectiveOf([...known, { square: { x: size - 3.5, y: size - 3.5 }, point: { x: right.x + below.x - corner.x, y: right.y + below.y - corner.y } }]);
}

/** Where a pattern for alignment is: the middle of the places around the expected one that look most like it. */
function alignmentNear(plane, grid, { x, y }, { reach, step }) {
    const expected = pointAt(grid, x + 0.5, y + 0.5);
    const basis = basisAt(grid, x + 0.5, y + 0.5);
    let [best, worth] = [null, -Infinity];
    const steps = Math.ceil(reach / step);
    const placed = (right, down) => ({ x: expected.x + (basis.x.x * right + basis.y.x * down) * step, y: expected.y + (basis.x.y * right + basis.y.y * down) * step });
    for (let down = -steps; down <= steps; down += 1) {
        for (let right = -steps; right <= steps; right += 1) {
            const match = alignmentMatch(plane, placed(right, down), basis);
            const value = match - Math.hypot(right, down) * step * 0.15;
            if (match && value > worth) [best, worth] = [{ right, down, match }, value];
        }
    }
    if (!best) return null;
    const sum = { right: 0, down: 0, count: 0 };
    const around = Math.ceil(1 / step);
    for (let down = best.down - around; down <= best.down + around; down += 1) {
        for (let right = best.right - around; right <= best.right + around; right += 1) {
            if (alignmentMatch(plane, placed(right, down), basis) < best.match) continue;
            sum.right += right;
            sum.down += down;
            sum.count += 1;
        }
    }
    return { pair: { square: { x: x + 0.5, y: y + 0.5 }, point: placed(sum.right / sum.count, sum.down / sum.count) }, match: best.match };
}

/** One square to the right and one down, at a place of the code. */
function basisAt(grid, x, y) {
    const [left, right, above, below] = [pointAt(grid, x - 1, y), pointAt(grid, x + 1, y), pointAt(grid, x, y - 1), pointAt(grid, x, y + 1)];
    return { x: { x: (right.x - left.x) / 2, y: (right.y - left.y) / 2 }, y: { x: (below.x - above.x) / 2, y: (below.y - above.y) / 2 } };
}

/** How many of 25 squares are as in a pattern for alignment, 0 where they are few. */
function alignmentMatch(plane, middle, basis) {
    let wrong = 0;
    for (let y = -2; y <= 2; y += 1) {
        for (let x = -2; x <= 2; x += 1) {
            const dark = Number(Math.max(Math.abs(x), Math.abs(y)) !== 1);
            if (isDark(plane, middle.x + basis.x.x * x + basis.y.x * y, middle.y + basis.x.y * x + basis.y.y * y) === dark) continue;
            wrong += 1;
            if (wrong > 25 - LEAST_MATCH) return 0;
        }
    }
    return 25 - wrong;
}

/** Without a pattern for alignment: the fourth corner with which fixed squares are as they should be, and the others are clearly dark or light. */
function bestFourth(plane, known, layout, guess) {
    const { size } = layout;
    const expected = pointAt(guess, size - 3.5, size - 3.5);
    const basis = basisAt(guess, size - 3.5, size - 3.5);
    let [best, fit, middle] = [null, 0, { right: 0, down: 0 }];
    for (const [reach, step] of [[3, 1], [0.5, 0.5], [0.25, 0.25]]) {
        const around = middle;
        for (let down = around.down - reach; down <= around.down + reach; down += step) {
            for (let right = around.right - reach; right <= around.right + reach; right += step) {
                const point = { x: expected.x + basis.x.x * right + basis.y.x * down, y: expected.y + basis.x.y * right + basis.y.y * down };
                const grid = perspectiveOf([...known, { square: { x: size - 3.5, y: size - 3.5 }, point }]);
                const value = grid ? fitOf(plane, grid, layout) + clarityOf(plane, grid, size) * 2 - (Math.abs(right) + Math.abs(down)) * 0.002 : 0;
                if (value > fit) [best, fit, middle] = [grid, value, { right, down }];
            }
        }
    }
    return best;
}

/** How far from being undecided squares are, of which so many are looked at as the smallest code has: those whose places lie across two of them are. */
function clarityOf(plane, grid, size) {
    const step = Math.ceil(size / 21);
    let [sum, count] = [0, 0];
    for (let row = 0; row < size; row += step) {
        for (let column = 0; column < size; column += step) {
            sum += Math.abs(lightOf(plane, grid, column, row));
            count += PLACES.length * 255;
        }
    }
    return sum / count;
}

/** A perspective by all patterns for alignment that are where it expects them, or near. */
function refined(plane, grid, known, { alignment }) {
    if (alignment.length < 2) return grid;
    const pairs = [...known];
    for (const each of alignment) {
        const found = alignmentNear(plane, grid, each, { reach: 1.5, step: 0.25 });
        if (found && found.match >= SURE_MATCH) pairs.push(found.pair);
    }
    return (pairs.length > 4 && perspectiveOf(pairs)) || grid;
}

/** The part of the fixed squares that are as the version has them. */
function fitOf(plane, grid, { size, squares }) {
    let [right, count] = [0, 0];
    for (let at = 0; at < squares.length; at += 1) {
        if (squares[at] >= OPEN) continue;
        const point = pointAt(grid, (at % size) + 0.5, Math.floor(at / size) + 0.5);
        count += 1;
        if (isDark(plane, point.x, point.y) === squares[at]) right += 1;
    }
    return right / count;
}
