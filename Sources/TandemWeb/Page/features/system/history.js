import { Ring } from '../../kit/pictures.js';

const CAPACITY = 61;
/** Between two points of a chart, in milliseconds. */
const STEP = 5000;
/** A longer gap would be drawn as if nothing had been missed. */
const GAP = 30_000;

const kept = new Map();

/**
 * The last five minutes of a computer's figures; kept while the page is open, so that another tab does not empty the charts. With `isNew` it holds
 * nothing yet: the computer is asked for what it kept itself.
 */
export function historyOf(id) {
    const found = kept.get(id);
    if (found && Date.now() - found.at < GAP) return found;
    const rings = Object.fromEntries(['processor', 'memory', 'down', 'up'].map((name) => [name, new Ring(CAPACITY)]));
    const made = { at: Date.now(), former: null, rings, isNew: true };
    kept.set(id, made);
    return made;
}

/** Puts what a computer kept before the first point. Its points may be further apart, or closer, than those of the charts. */
export function fill({ rings }, history) {
    if (!history) return;
    for (const [name, ring] of Object.entries(rings)) {
        const points = history[name];
        const count = Math.min(CAPACITY - 1, Math.round((points.length * history.step) / STEP));
        for (let at = count; at > 0; at -= 1) {
            const point = Math.max(0, points.length - 1 - Math.floor(((at - 1) * STEP) / history.step));
            ring.push(points[point]);
        }
    }
}
