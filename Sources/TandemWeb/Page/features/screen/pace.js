/** The longest pause between two pictures of a screen on which nothing happens, in milliseconds. */
const LONGEST = 2000;
/** More would be seen by nobody: ten in a second. */
const SHORTEST = 100;

/**
 * How fast it pays to ask for pictures: at once again while the screen changes, ever more slowly while it does not. What takes long to
 * come is asked for less often, so that other things get through beside it.
 */
export class Pace {
    #same = 0;
    #rates = [];

    /** @param {boolean} isSame Whether the picture is the one before. @param {number} took Milliseconds. @returns {number} How long to wait. */
    next(isSame, took) {
        this.#same = isSame ? this.#same + 1 : 0;
        this.#rates.push(took);
        if (this.#rates.length > 8) this.#rates.shift();
        if (this.#same > 2) return Math.min(LONGEST, SHORTEST * 2 ** (this.#same - 2));
        return Math.max(SHORTEST - took, took / 4, 0);
    }

    /** How long a picture takes, on average of the last ones, in milliseconds. */
    get average() {
        return this.#rates.reduce((sum, each) => sum + each, 0) / Math.max(1, this.#rates.length);
    }

    /** The person did something: what follows from it should be seen soon. */
    hurry() { this.#same = 0; }
}

/** Whether two pictures are the same, byte by byte, without keeping the former: its digest. */
export async function digest(blob) {
    const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
    return bytes.join(',');
}
