/**
 * Where a square of a code is in the picture: eight factors of a perspective.
 *
 * @typedef {Float64Array} Perspective
 */

/** @typedef {{x: number, y: number}} Point */

/**
 * The perspective that fits pairs of points best, by least squares; by four it is exact.
 *
 * @param {{square: Point, point: Point}[]} pairs In squares, and in the picture.
 * @returns {Perspective | null} Null for points on one line.
 */
export function perspectiveOf(pairs) {
    const scale = Math.max(...pairs.map(({ square }) => Math.max(square.x, square.y)));
    const reach = Math.max(...pairs.map(({ point }) => Math.max(Math.abs(point.x), Math.abs(point.y))));
    const sums = Array.from({ length: 8 }, () => new Float64Array(9));
    const add = (row) => { for (let y = 0; y < 8; y += 1) for (let x = 0; x < 9; x += 1) sums[y][x] += row[y] * row[x]; };
    for (const { square, point } of pairs) {
        const [u, v, x, y] = [square.x / scale, square.y / scale, point.x / reach, point.y / reach];
        add([u, v, 1, 0, 0, 0, -u * x, -v * x, x]);
        add([0, 0, 0, u, v, 1, -u * y, -v * y, y]);
    }
    const [a, b, c, d, e, f, g, h] = solved(sums) ?? [];
    if (a === undefined) return null;
    return Float64Array.of((a * reach) / scale, (b * reach) / scale, c * reach, (d * reach) / scale, (e * reach) / scale, f * reach, g / scale, h / scale);
}

/** Solves eight equations by elimination. */
function solved(rows) {
    for (let at = 0; at < 8; at += 1) {
        let best = at;
        for (let other = at + 1; other < 8; other += 1) if (Math.abs(rows[other][at]) > Math.abs(rows[best][at])) best = other;
        if (Math.abs(rows[best][at]) < 1e-12) return null;
        [rows[at], rows[best]] = [rows[best], rows[at]];
        for (let other = 0; other < 8; other += 1) {
            if (other === at) continue;
            const factor = rows[other][at] / rows[at][at];
            for (let x = at; x < 9; x += 1) rows[other][x] -= factor * rows[at][x];
        }
    }
    return rows.map((row, at) => row[8] / row[at]);
}

/**
 * @param {Perspective} perspective
 * @param {number} x In squares.
 * @param {number} y
 * @returns {Point} In the picture.
 */
export function pointAt(perspective, x, y) {
    const [a, b, c, d, e, f, g, h] = perspective;
    const depth = g * x + h * y + 1;
    return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth };
}
