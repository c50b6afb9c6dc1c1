import { findersIn, triplesOf } from './finders.js';
import { gridsOf } from './grid.js';
import { byBlocks, byMeans, greyOf, halved, inverted, smoothed } from './plane.js';
import { readSquares } from './squares.js';

const MOST_TRIPLES = 24;
/** A picture is looked at in sizes down to this one: what is smaller shows a code no better. */
const SMALLEST = 400;
/** The size to begin with: there most codes are found soonest. */
const FIRST = 1100;

/**
 * What the codes in a picture say.
 *
 * @param {{width: number, height: number, data: Uint8ClampedArray}} picture
 * @param {() => boolean} hasTime Whether to try on where nothing was found yet.
 * @returns {string[]} None where no code could be read.
 */
export function readCodes(picture, hasTime) {
    const whole = greyOf(picture);
    const sizes = [whole];
    while (Math.max(sizes.at(-1).width, sizes.at(-1).height) >= SMALLEST * 2) sizes.push(halved(sizes.at(-1)));
    const distance = ({ width, height }) => Math.abs(Math.log(Math.max(width, height) / FIRST));
    sizes.sort((one, other) => distance(one) - distance(other));
    for (const turned of [(grey) => grey, smoothed, inverted]) {
        for (const size of sizes) {
            for (const planeOf of [byBlocks, byMeans]) {
                const texts = readPlane(planeOf(turned(size)));
                if (texts.length) return texts;
                if (!hasTime()) return [];
            }
        }
    }
    return [];
}

/** @param {import('./plane.js').Plane} plane */
function readPlane(plane) {
    const texts = new Set();
    const used = new Set();
    for (const triple of triplesOf(findersIn(plane), MOST_TRIPLES)) {
        const corners = [triple.corner, triple.right, triple.below];
        if (corners.some((each) => used.has(each))) continue;
        const text = readTriple(plane, triple);
        if (text === null) continue;
        corners.forEach((each) => used.add(each));
        texts.add(text);
    }
    return [...texts];
}

function readTriple(plane, triple) {
    for (const { squares, size } of gridsOf(plane, triple)) {
        const text = readSquares(squares, size) ?? readSquares(mirrored(squares, size), size);
        if (text !== null) return text;
    }
    return null;
}

/** As it is seen in a mirror. */
function mirrored(squares, size) { return squares.map((_, at) => squares[(at % size) * size + Math.floor(at / size)]); }
