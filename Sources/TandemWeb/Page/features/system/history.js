import { Ring } from '../../kit/pictures.js';
import { rates } from './figures.js';

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

/**
 * Puts a further point behind those that are there.
 *
 * @param {Object} history
 * @param {Object} info As `figures` made it.
 * @returns {{down: number | null, up: number | null}} The rates since the point before.
 */
export function record(history, info) {
    const { rings, former } = history;
    if (history.isNew) fill(history, info.history);
    history.isNew = false;
    const now = rates(former, info);
    rings.processor.push(info.processor.usage ?? NaN);
    rings.memory.push(info.memory.total ? (100 * info.memory.used) / info.memory.total : NaN);
    if (former) {
        rings.down.push(now.down ?? NaN);
        rings.up.push(now.up ?? NaN);
    }
    Object.assign(history, { former: info, at: Date.now() });
    return now;
}

/** Puts what a computer kept before the first point. Its points may be further apart, or closer, than those of the charts. */
function fill({ rings }, history) {
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
