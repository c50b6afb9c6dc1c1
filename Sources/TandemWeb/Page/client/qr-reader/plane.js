/**
 * A picture without colours, and for each of its points below which brightness it counts as dark.
 *
 * @typedef {Object} Plane
 * @property {number} width
 * @property {number} height
 * @property {Uint8Array} grey
 * @property {Uint8Array} limits
 * @property {Uint8Array} dark 1 where it is.
 */

/** @typedef {{width: number, height: number, grey: Uint8Array}} Grey */

const BLOCK = 8;
/** Within a block, a smaller difference than this is noise on one colour. */
const CONTRAST = 24;

/**
 * A picture's brightness, from black to white whatever its light was.
 *
 * @param {{width: number, height: number, data: Uint8ClampedArray}} picture
 * @returns {Grey}
 */
export function greyOf({ width, height, data }) {
    const grey = new Uint8Array(width * height);
    const counts = new Uint32Array(256);
    for (let at = 0; at < grey.length; at += 1) {
        // What is transparent lies on white.
        const [clear, from] = [255 - data[at * 4 + 3], at * 4];
        const light = ((data[from] * 77 + data[from + 1] * 150 + data[from + 2] * 29) >> 8);
        grey[at] = clear ? Math.round((light * (255 - clear)) / 255 + clear) : light;
        counts[grey[at]] += 1;
    }
    const [low, high] = [levelAt(counts, grey.length * 0.005), levelAt(counts, grey.length * 0.995)];
    const range = Math.max(high - low, 8);
    const stretched = Uint8Array.from(counts, (_, level) => Math.max(0, Math.min(255, Math.round(((level - low) * 255) / range))));
    return { width, height, grey: grey.map((level) => stretched[level]) };
}

function levelAt(counts, part) {
    let sum = 0;
    return counts.findIndex((count) => { sum += count; return sum > part; });
}

/**
 * Half as wide and half as high: each point is the mean of four.
 *
 * @param {Grey} picture
 * @returns {Grey}
 */
export function halved({ width, height, grey }) {
    const [half, rows] = [width >> 1, height >> 1];
    const small = new Uint8Array(half * rows);
    for (let y = 0; y < rows; y += 1) {
        for (let x = 0; x < half; x += 1) {
            const at = y * 2 * width + x * 2;
            small[y * half + x] = (grey[at] + grey[at + 1] + grey[at + width] + grey[at + width + 1] + 2) >> 2;
        }
    }
    return { width: half, height: rows, grey: small };
}

/**
 * Each point the mean of itself and its eight neighbours: noise of single points goes.
 *
 * @param {Grey} picture
 * @returns {Grey}
 */
export function smoothed({ width, height, grey }) {
    const rows = new Uint16Array(width * height);
    const smooth = grey.slice();
    for (let at = 1; at < grey.length - 1; at += 1) rows[at] = grey[at - 1] + grey[at] + grey[at + 1];
    for (let y = 1; y < height - 1; y += 1) {
        for (let at = y * width + 1; at < (y + 1) * width - 1; at += 1) smooth[at] = (rows[at - width] + rows[at] + rows[at + width]) / 9;
    }
    return { width, height, grey: smooth };
}

/**
 * Dark for light.
 *
 * @param {Grey} picture
 * @returns {Grey}
 */
export function inverted({ width, height, grey }) { return { width, height, grey: grey.map((level) => 255 - level) }; }

/**
 * Limits by the blocks around each point, which follow shadows closely.
 *
 * @param {Grey} picture
 * @returns {Plane}
 */
export function byBlocks({ width, height, grey }) {
    const [columns, rows] = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)];
    const means = blockMeans({ width, height, grey }, columns, rows);
    const limits = new Uint8Array(width * height);
    const reach = 2;
    for (let row = 0; row < rows; row += 1) {
        for (let column = 0; column < columns; column += 1) {
            const [middleRow, middleColumn] = [inside(row, reach, rows), inside(column, reach, columns)];
            let [sum, count] = [0, 0];
            for (let y = Math.max(0, middleRow - reach); y <= Math.min(rows - 1, middleRow + reach); y += 1) {
                for (let x = Math.max(0, middleColumn - reach); x <= Math.min(columns - 1, middleColumn + reach); x += 1) {
                    sum += means[y * columns + x];
                    count += 1;
                }
            }
            const right = Math.min(width, (column + 1) * BLOCK);
            for (let y = row * BLOCK; y < Math.min(height, (row + 1) * BLOCK); y += 1) limits.fill(sum / count, y * width + column * BLOCK, y * width + right);
        }
    }
    return withDark({ width, height, grey }, limits);
}

function inside(at, reach, count) { return count <= reach * 2 ? at : Math.max(reach, Math.min(count - 1 - reach, at)); }

/** The brightness between dark and light in each block; in one of a single colour, what makes it the colour that its neighbours have there. */
function blockMeans({ width, height, grey }, columns, rows) {
    const means = new Uint8Array(columns * rows);
    for (let row = 0; row < rows; row += 1) {
        for (let column = 0; column < columns; column += 1) {
            const [top, left] = [Math.max(0, Math.min(row * BLOCK, height - BLOCK)), Math.max(0, Math.min(column * BLOCK, width - BLOCK))];
            let [sum, least, most, count] = [0, 255, 0, 0];
            for (let y = top; y < Math.min(height, top + BLOCK); y += 1) {
                for (let at = y * width + left; at < y * width + Math.min(width, left + BLOCK); at += 1) {
                    const level = grey[at];
                    sum += level;
                    count += 1;
                    if (level < least) least = level;
                    if (level > most) most = level;
                }
            }
            let mean = sum / count;
            if (most - least <= CONTRAST) {
                mean = least / 2;
                if (row > 0 && column > 0) {
                    const at = row * columns + column;
                    const around = (means[at - columns] + means[at - 1] * 2 + means[at - columns - 1]) / 4;
                    if (least < around) mean = around;
                }
            }
            means[row * columns + column] = mean;
        }
    }
    return means;
}

/**
 * Limits by the mean of a wide square around each point, which noise and large squares of one colour do not disturb.
 *
 * @param {Grey} picture
 * @returns {Plane}
 */
export function byMeans({ width, height, grey }) {
    const sums = new Uint32Array((width + 1) * (height + 1));
    const stride = width + 1;
    for (let y = 0; y < height; y += 1) {
        let line = 0;
        for (let x = 0; x < width; x += 1) {
            line += grey[y * width + x];
            sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + line;
        }
    }
    const reach = Math.max(12, Math.round(Math.max(width, height) / 24));
    const limits = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
        const [top, bottom] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)];
        for (let x = 0; x < width; x += 1) {
            const [left, right] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)];
            const sum = sums[bottom * stride + right] - sums[top * stride + right] - sums[bottom * stride + left] + sums[top * stride + left];
            limits[y * width + x] = (sum / ((bottom - top) * (right - left))) * 0.97;
        }
    }
    return withDark({ width, height, grey }, limits);
}

function withDark({ width, height, grey }, limits) {
    return { width, height, grey, limits, dark: grey.map((level, at) => Number(level < limits[at])) };
}
