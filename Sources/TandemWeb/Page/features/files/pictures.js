import { pictureKind } from './entries.js';

/** Bytes of a picture that is fetched before it is looked at. */
const MOST_AHEAD = 8 * 1024 * 1024;

/** Pictures as they are looked at one after another: the one that is shown, and those beside it, which are fetched once it is there. */
export class Pictures {
    #computer;
    #held = new Map();

    /** @param {import('../../client/client.js').Computer} computer @param {import('../../life.js').Life} life */
    constructor(computer, life) {
        this.#computer = computer;
        life.add(() => this.keep([]));
    }

    /**
     * @param {import('./entries.js').Entry} entry
     * @returns {Promise<Blob>}
     */
    get(entry) {
        const key = keyOf(entry);
        if (!this.#held.has(key)) {
            const stop = new AbortController();
            const blob = this.#fetch(entry, stop.signal);
            this.#held.set(key, { blob, stop });
            // One that failed is asked for again.
            blob.catch(() => { if (this.#held.get(key)?.stop === stop) this.#held.delete(key); });
        }
        return this.#held.get(key).blob;
    }

    /** Fetches those that may be looked at next. */
    ahead(entries) {
        for (const entry of entries) if (entry && entry.size !== null && entry.size <= MOST_AHEAD) this.get(entry).catch(() => {});
    }

    /** Lets go of all but these. */
    keep(entries) {
        const kept = new Set(entries.filter(Boolean).map(keyOf));
        for (const [key, { stop }] of this.#held) {
            if (kept.has(key)) continue;
            stop.abort();
            this.#held.delete(key);
        }
    }

    async #fetch(entry, signal) {
        const { stream } = await this.#computer.download(entry.path, { signal });
        return new Blob([await new Response(stream).blob()], { type: pictureKind(entry.name) });
    }
}

function keyOf({ path, size, modified }) { return `${path} ${size} ${modified}`; }
