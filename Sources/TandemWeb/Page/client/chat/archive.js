import { utf8 } from '../../wire/bytes.js';

/** Bytes that are read of a file at a time. */
const PIECE = 1 << 20;
/** What the fields of 16 and 32 bits hold; beyond it the fields of 64 bits say it. */
const [MOST_16, MOST_32] = [0xFFFF, 0xFFFF_FFFF];
/** Names are UTF-8. */
const FLAGS = 0x0800;
const [PLAIN, WIDE] = [20, 45];
/** A file that its owner alone reads and writes, made by a system that has such rights. */
const [MADE_BY, RIGHTS] = [3 << 8, 0o100600 * 0x1_0000];

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? value >>> 1 ^ 0xEDB8_8320 : value >>> 1;
    return value;
});

/** A ZIP archive whose files are stored as they are, written from its beginning to its end. Source: PKWARE's APPNOTE, 6.3. */
export class Archive {
    #write;
    #stamp;
    #offset = 0;
    #entries = [];

    /**
     * @param {(bytes: Uint8Array | Blob) => Promise<void>} write
     * @param {number} now When the files count as made, in milliseconds since 1970.
     */
    constructor(write, now) {
        this.#write = write;
        this.#stamp = stampOf(new Date(now));
    }

    /** Adds a file of less than 4 GiB. @param {string} path @param {Blob} blob */
    async add(path, blob) {
        const name = utf8(path);
        const sum = await sumOf(blob);
        const entry = { name, sum, size: blob.size, offset: this.#offset };
        this.#entries.push(entry);
        await this.#put(packed([4, 0x0403_4B50], [2, PLAIN], ...this.#about(entry), [2, name.length], [2, 0]), name, blob);
    }

    /** Writes the list of all files: without it the archive is none. */
    async end() {
        const start = this.#offset;
        for (const entry of this.#entries) {
            const isWide = entry.offset >= MOST_32;
            const extra = isWide ? packed([2, 1], [2, 8], [8, entry.offset]) : new Uint8Array();
            await this.#put(packed(
                [4, 0x0201_4B50], [2, MADE_BY | WIDE], [2, isWide ? WIDE : PLAIN], ...this.#about(entry), [2, entry.name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, RIGHTS],
                [4, Math.min(entry.offset, MOST_32)],
            ), entry.name, extra);
        }
        const [count, size, end] = [this.#entries.length, this.#offset - start, this.#offset];
        if (count >= MOST_16 || end >= MOST_32) {
            await this.#put(packed([4, 0x0606_4B50], [8, 44], [2, WIDE], [2, WIDE], [4, 0], [4, 0], [8, count], [8, count], [8, size], [8, start]), packed([4, 0x0706_4B50], [4, 0], [8, end], [4, 1]));
        }
        const listed = Math.min(count, MOST_16);
        await this.#put(packed([4, 0x0605_4B50], [2, 0], [2, 0], [2, listed], [2, listed], [4, Math.min(size, MOST_32)], [4, Math.min(start, MOST_32)], [2, 0]));
    }

    /** What both lists say of a file: stored, its time, its sum and its size. @returns {[number, number][]} */
    #about({ sum, size }) { return [[2, FLAGS], [2, 0], [2, this.#stamp.time], [2, this.#stamp.date], [4, sum], [4, size], [4, size]]; }

    /** @param {(Uint8Array | Blob)[]} parts */
    async #put(...parts) {
        for (const part of parts) {
            await this.#write(part);
            this.#offset += part instanceof Blob ? part.size : part.length;
        }
    }
}

/** Numbers as bytes, the lowest first. @param {[count: number, value: number][]} fields */
function packed(...fields) {
    return Uint8Array.from(fields.flatMap(([count, value]) => Array.from({ length: count }, (_, at) => Math.floor(value / 2 ** (8 * at)) % 256)));
}

/** The sum of a file by CRC-32, a piece at a time. @param {Blob} blob */
async function sumOf(blob) {
    let sum = MOST_32;
    for (let start = 0; start < blob.size; start += PIECE) {
        for (const byte of new Uint8Array(await blob.slice(start, start + PIECE).arrayBuffer())) sum = TABLE[(sum ^ byte) & 0xFF] ^ sum >>> 8;
    }
    return (sum ^ MOST_32) >>> 0;
}

/** A time as a ZIP has it, from 1980 on in steps of two seconds. @param {Date} date */
function stampOf(date) {
    return {
        time: date.getHours() << 11 | date.getMinutes() << 5 | date.getSeconds() >> 1,
        date: Math.min(Math.max(0, date.getFullYear() - 1980), 127) << 9 | date.getMonth() + 1 << 5 | date.getDate(),
    };
}
