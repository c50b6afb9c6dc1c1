import { concat, hex, integer } from './bytes.js';
import { sha256 } from './hash.js';
import { cipherKey, seal } from './noise.js';

const BLOCK = 262_144;
const TAG = 16;
const NOTHING = new Uint8Array();

/** The checksum `gmac-256k` of a file, of which each block is taken by itself and in any order. Source: `docs/protocol.md` 3.2.3. */
export class FileDigest {
    #key;
    #size;
    #tags;
    #missing;

    /**
     * @param {Uint8Array} key 32 bytes of this transfer alone.
     * @param {number} size
     */
    constructor(key, size) {
        this.#key = cipherKey(key);
        this.#size = size;
        const count = Math.ceil(size / BLOCK);
        this.#tags = new Uint8Array(count * TAG);
        this.#missing = new Set(Array.from({ length: count }, (_, at) => at));
    }

    /** Takes a piece that begins at a block's beginning, and ends at one or at the file's end. */
    async take(offset, bytes) {
        const key = await this.#key;
        const blocks = [];
        for (let at = 0; at < bytes.length; at += BLOCK) blocks.push(this.#tag(key, (offset + at) / BLOCK, bytes.subarray(at, at + BLOCK)));
        await Promise.all(blocks);
    }

    async #tag(key, index, block) {
        const tag = await seal(key, concat(new Uint8Array(4), integer(index, 8)), NOTHING, block);
        this.#tags.set(tag, index * TAG);
        this.#missing.delete(index);
    }

    /** @returns {Promise<string | null>} Null where a block was not taken. */
    async finish() {
        if (this.#missing.size) return null;
        return `gmac-256k:${hex(await sha256(this.#tags, integer(this.#size, 8)))}`;
    }
}
