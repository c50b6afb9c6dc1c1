const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';
const [END, NUMERIC, LETTERS, BYTES, CHARSET, KANJI, FIRST_POSITION, SECOND_POSITION] = [0, 1, 2, 4, 7, 8, 5, 9];
/** Bits of a segment's length in versions to 9, to 26 and to 40. */
const LENGTHS = { [NUMERIC]: [10, 12, 14], [LETTERS]: [9, 11, 13], [BYTES]: [8, 16, 16], [KANJI]: [8, 10, 12] };
/** The character sets that ECI numbers name, by the names that browsers have for them. */
const CHARSETS = { 1: 'latin1', 3: 'latin1', 4: 'iso-8859-2', 9: 'iso-8859-7', 20: 'shift_jis', 22: 'windows-1251', 25: 'utf-16be', 26: 'utf-8', 27: 'latin1', 28: 'big5', 29: 'gb18030', 30: 'euc-kr' };

class Bits {
    #bytes;
    #at = 0;

    constructor(bytes) { this.#bytes = bytes; }
    get left() { return this.#bytes.length * 8 - this.#at; }

    /** @throws {RangeError} Behind the end. */
    take(count) {
        if (count > this.left) throw new RangeError('A segment is longer than the code.');
        let value = 0;
        for (let end = this.#at + count; this.#at < end; this.#at += 1) value = value * 2 + ((this.#bytes[this.#at >> 3] >> (7 - (this.#at & 7))) & 1);
        return value;
    }
}

/**
 * The text that the bytes of a code say.
 *
 * @param {Uint8Array} bytes
 * @param {number} version
 * @returns {string | null} Null for one that is not whole, is a part of a text on several codes, or has characters of a set that is not known.
 */
export function textOf(bytes, version) {
    const bits = new Bits(bytes);
    const text = new Text();
    try {
        while (bits.left >= 4) {
            const mode = bits.take(4);
            if (mode === END) break;
            else if (mode === CHARSET) text.change(charsetNumber(bits));
            else if (mode === SECOND_POSITION) bits.take(8);
            else if (mode !== FIRST_POSITION) takeSegment(bits, mode, version, text);
        }
        return text.end();
    } catch {
        return null;
    }
}

function takeSegment(bits, mode, version, text) {
    const lengths = LENGTHS[mode];
    if (!lengths) throw new RangeError('This kind of segment is not known.');
    let left = bits.take(lengths[version < 10 ? 0 : version < 27 ? 1 : 2]);
    if (mode === NUMERIC) {
        for (; left > 0; left -= 3) {
            const count = Math.min(left, 3);
            text.say(bits.take([4, 7, 10][count - 1]).toString().padStart(count, '0'));
        }
    } else if (mode === LETTERS) {
        for (; left > 0; left -= 2) {
            const value = bits.take(left > 1 ? 11 : 6);
            text.say(left > 1 ? letter(Math.floor(value / 45)) + letter(value % 45) : letter(value));
        }
    } else if (mode === BYTES) {
        for (; left > 0; left -= 1) text.byte(bits.take(8));
    } else {
        for (; left > 0; left -= 1) text.say(kanji(bits.take(13)));
    }
}

function letter(value) {
    if (value >= ALPHANUMERIC.length) throw new RangeError('This is no letter.');
    return ALPHANUMERIC[value];
}

/** A character of Shift JIS in 13 bits. */
function kanji(value) {
    const packed = (Math.floor(value / 0xc0) << 8) | (value % 0xc0);
    const code = packed + (packed < 0x1f00 ? 0x8140 : 0xc140);
    return new TextDecoder('shift_jis').decode(Uint8Array.of(code >> 8, code & 0xff));
}

function charsetNumber(bits) {
    if (bits.take(1) === 0) return bits.take(7);
    if (bits.take(1) === 0) return bits.take(14);
    return bits.take(22);
}

/** A text whose bytes are kept until they end: a character may go from one segment into the next. */
class Text {
    #said = '';
    #bytes = [];
    #charset = null;

    byte(value) { this.#bytes.push(value); }

    say(text) {
        this.#flush();
        this.#said += text;
    }

    change(number) {
        this.#flush();
        this.#charset = CHARSETS[number];
        if (!this.#charset) throw new RangeError('This character set is not known.');
    }

    end() {
        this.#flush();
        return this.#said;
    }

    /** Without a named set, bytes are UTF-8, which nearly all writers mean, or else Latin 1, which the standard means. */
    #flush() {
        if (this.#bytes.length === 0) return;
        const bytes = Uint8Array.from(this.#bytes);
        this.#bytes = [];
        if (this.#charset) {
            this.#said += new TextDecoder(this.#charset).decode(bytes);
            return;
        }
        try {
            this.#said += new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
        } catch {
            this.#said += new TextDecoder('latin1').decode(bytes);
        }
    }
}
