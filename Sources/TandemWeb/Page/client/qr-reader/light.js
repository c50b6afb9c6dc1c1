/** @typedef {import('./plane.js').Plane} Plane */

/**
 * How much brighter a place of the picture is than what counts as dark there; between its points, by their weights.
 *
 * @param {Plane} plane
 * @param {number} x
 * @param {number} y
 */
export function brightness({ width, height, grey, limits }, x, y) {
    const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
    if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return 255;
    const [right, down] = [x - 0.5 - left, y - 0.5 - top];
    const at = top * width + left;
    const upper = grey[at] * (1 - right) + grey[at + 1] * right;
    const lower = grey[at + width] * (1 - right) + grey[at + width + 1] * right;
    return upper * (1 - down) + lower * down - limits[at];
}

/** @returns {number} 1 where it is dark. */
export function isDark(plane, x, y) { return Number(brightness(plane, x, y) < 0); }
