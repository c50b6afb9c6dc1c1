/** @typedef {Uint8Array} Bytes */

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A text as UTF-8. */
export function utf8(text) { return encoder.encode(text); }

/** How many bytes a text takes as UTF-8. */
export function byteCountOf(text) { return encoder.encode(text).length; }

/** UTF-8 as a text; wrong bytes become U+FFFD. */
export function textOf(bytes) { return decoder.decode(bytes); }

/** UTF-8 as a text, null where it is none. */
export function strictTextOf(bytes) {
    try {
        return strict.decode(bytes);
    } catch {
        return null;
    }
}

/**
 * @param {...(Bytes | number[])} parts
 * @returns {Bytes}
 */
export function concat(...parts) {
    const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        joined.set(part, at);
        at += part.length;
    }
    return joined;
}

/** Whether two byte strings are equal. It takes the same time wherever they differ. */
export function areEqual(one, other) {
    if (one.length !== other.length) return false;
    let difference = 0;
    for (let at = 0; at < one.length; at += 1) difference |= one[at] ^ other[at];
    return difference === 0;
}

/** @returns {Bytes} */
export function random(count) { return crypto.getRandomValues(new Uint8Array(count)); }

/** A random UUID in lower case. */
export function randomId() { return crypto.randomUUID(); }

export function hex(bytes) { return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''); }

/** The bytes of hexadecimal digits, null where they are none. */
export function fromHex(text) {
    if (typeof text !== 'string' || text.length % 2 || !/^[0-9a-fA-F]*$/.test(text)) return null;
    return Uint8Array.from({ length: text.length / 2 }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

/** Base64 with padding. */
export function base64(bytes) {
    let letters = '';
    for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(letters);
}

/** The bytes of base64, null where it is none. */
export function fromBase64(text) {
    try {
        const letters = atob(text);
        const bytes = new Uint8Array(letters.length);
        for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
        return bytes;
    } catch {
        return null;
    }
}

/** base64url without padding. */
export function b64u(bytes) { return base64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, ''); }

/**
 * The bytes of base64url without padding. Only the form that ``b64u`` writes is read.
 *
 * @param {any} text
 * @param {number} [count] How many bytes there have to be.
 * @returns {Bytes | null} Null where the text is anything else.
 */
export function fromB64u(text, count) {
    if (typeof text !== 'string' || !/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
    if (count !== undefined && text.length !== Math.ceil(count * 4 / 3)) return null;
    const bytes = fromBase64(text.replace(/-/g, '+').replace(/_/g, '/'));
    return bytes && b64u(bytes.subarray(bytes.length - bytes.length % 3)) === text.slice(text.length - text.length % 4) ? bytes : null;
}

/** The length of a byte string or text as LEB128, then itself. */
export function lv(value) {
    const bytes = typeof value === 'string' ? utf8(value) : value;
    const length = [];
    let rest = bytes.length;
    do {
        length.push(rest % 128 + (rest > 127 ? 128 : 0));
        rest = Math.floor(rest / 128);
    } while (rest);
    return concat(length, bytes);
}

/** A label, a zero byte, then the parts as they are: how everything that is signed or hashed here begins. */
export function labelled(label, ...parts) { return concat(utf8(label), [0], ...parts); }

/** A whole number below 2^53 as `count` bytes, the most significant first. */
export function integer(value, count) {
    const bytes = new Uint8Array(count);
    for (let at = count - 1, rest = value; at >= 0; at -= 1, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
    return bytes;
}

/** The number that bytes say, the most significant first; infinite where it is above 2^53. */
export function integerOf(bytes) {
    let value = 0;
    for (const byte of bytes) value = value * 256 + byte;
    return value <= Number.MAX_SAFE_INTEGER ? value : Infinity;
}

/** Reads a byte string from its beginning. Whoever reads too much gets null, from then on for everything. */
export class Reader {
    #bytes;
    #at = 0;
    isBroken = false;

    constructor(bytes) { this.#bytes = bytes; }

    get left() { return this.#bytes.length - this.#at; }

    take(count) {
        if (this.isBroken || !(count <= this.left)) {
            this.isBroken = true;
            return null;
        }
        this.#at += count;
        return this.#bytes.subarray(this.#at - count, this.#at);
    }

    integer(count) {
        const bytes = this.take(count);
        return bytes && integerOf(bytes);
    }

    /** A byte string behind its length, of at most `limit` bytes. */
    lv(limit) {
        let length = 0;
        for (let shift = 1; ; shift *= 128) {
            const byte = this.integer(1);
            if (byte === null || shift > 128 ** 3) break;
            length += byte % 128 * shift;
            // A length that ends in a zero byte has another form that is shorter.
            if (byte < 128) return length <= limit && (byte || shift === 1) ? this.take(length) : this.#fail();
        }
        return this.#fail();
    }

    #fail() {
        this.isBroken = true;
        return null;
    }
}
