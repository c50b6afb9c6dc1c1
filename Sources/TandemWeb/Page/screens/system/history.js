import { Ring } from '../../components/index.js';

const CAPACITY = 61;
/** A longer gap would be drawn as if nothing had been missed. */
const GAP = 30_000;

const kept = new Map();

/** The last five minutes of a computer's figures; kept while the page is open, so that another tab does not empty the charts. */
export function historyOf(id) {
    const found = kept.get(id);
    if (found && Date.now() - found.at < GAP) return found;
    const rings = Object.fromEntries(['processor', 'memory', 'down', 'up'].map((name) => [name, new Ring(CAPACITY)]));
    const made = { at: Date.now(), former: null, rings };
    kept.set(id, made);
    return made;
}
