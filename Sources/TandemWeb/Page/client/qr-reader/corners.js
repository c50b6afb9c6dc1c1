import { isDark } from './light.js';

/**
 * @typedef {import('./plane.js').Plane} Plane
 * @typedef {import('./perspective.js').Point} Point
 */

/**
 * A corner's pattern as it lies in the picture: where its edges are in the directions of the code's rows and columns.
 *
 * @typedef {Object} Corner
 * @property {Point} middle
 * @property {Reach} along
 * @property {Reach} down
 */

/** @typedef {{before: Point, behind: Point, square: number}} Reach Three squares and a half before the middle and behind it, and how long a square is. */

const LEAST_MATCH = 41;

/**
 * The corners of a code, measured.
 *
 * @param {Plane} plane
 * @param {import('./finders.js').Triple} triple
 * @returns {{corner: Corner, right: Corner, below: Corner} | null} Null where one of them does not look like a corner.
 */
export function cornersOf(plane, { corner, right, below }) {
    const along = direction(corner, right);
    const down = direction(corner, below);
    const measured = (finder) => ({ middle: finder, along: reachOf(plane, finder, along), down: reachOf(plane, finder, down) });
    const corners = { corner: measured(corner), right: measured(right), below: measured(below) };
    return Object.values(corners).every((each) => matches(plane, each)) ? corners : null;
}

function direction(from, to) {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

/** @returns {Reach} By the pattern's edges, or where they are not clear, by the length that its squares were found with. */
function reachOf(plane, finder, way) {
    const [behind, before] = [edgeAlong(plane, finder, way.x, way.y), edgeAlong(plane, finder, -way.x, -way.y)];
    const isClear = behind !== null && before !== null && behind < before * 1.7 && before < behind * 1.7;
    const [on, back] = isClear ? [behind, before] : [finder.square * 3.5, finder.square * 3.5];
    return {
        before: { x: finder.x - way.x * back, y: finder.y - way.y * back }, behind: { x: finder.x + way.x * on, y: finder.y + way.y * on }, square: (on + back) / 7,
    };
}

/** How far the pattern goes from its middle: dark, light, dark, and light. */
function edgeAlong(plane, finder, stepX, stepY) {
    let [colour, changes] = [1, 0];
    for (let way = 0; way < finder.square * 7; way += 0.25) {
        if (isDark(plane, finder.x + stepX * way, finder.y + stepY * way) === colour) continue;
        changes += 1;
        colour = 1 - colour;
        if (changes === 3) return way - 0.125;
    }
    return null;
}

/** Whether most of the pattern's 49 squares are as they should be. */
function matches(plane, { middle, along, down }) {
    const right = { x: (along.behind.x - along.before.x) / 7, y: (along.behind.y - along.before.y) / 7 };
    const below = { x: (down.behind.x - down.before.x) / 7, y: (down.behind.y - down.before.y) / 7 };
    let wrong = 0;
    for (let y = -3; y <= 3; y += 1) {
        for (let x = -3; x <= 3; x += 1) {
            const dark = Number(Math.max(Math.abs(x), Math.abs(y)) !== 2);
            if (isDark(plane, middle.x + right.x * x + below.x * y, middle.y + right.y * x + below.y * y) === dark) continue;
            wrong += 1;
            if (wrong > 49 - LEAST_MATCH) return false;
        }
    }
    return true;
}
