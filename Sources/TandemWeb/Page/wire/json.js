/** Containers inside of each other that are read. */
const DEEPEST = 64;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
// eslint-disable-next-line no-control-regex
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * Reads JSON as strictly as RFC 8259 says, without a key that comes twice in an object: two ends that hash it must have read the same. Whole
 * numbers beyond 2^53 are big integers.
 *
 * @param {string} text
 * @returns {any} Undefined where it is no such text.
 */
export function parse(text) {
    const reader = new TextReader(text);
    try {
        const value = reader.value(0);
        reader.skip(SPACE);
        return reader.at === text.length ? value : undefined;
    } catch {
        return undefined;
    }
}

class TextReader {
    at = 0;

    constructor(text) { this.text = text; }

    skip(pattern) {
        pattern.lastIndex = this.at;
        const found = pattern.exec(this.text);
        if (!found) throw new SyntaxError(`at ${this.at}`);
        this.at = pattern.lastIndex;
        return found[0];
    }

    /** Whether the next letter is this one, which is passed then. */
    takes(letter) {
        this.skip(SPACE);
        if (this.text[this.at] !== letter) return false;
        this.at += 1;
        return true;
    }

    expect(letter) {
        if (!this.takes(letter)) throw new SyntaxError(`at ${this.at}`);
    }

    value(depth) {
        if (depth > DEEPEST) throw new SyntaxError('too deep');
        if (this.takes('{')) return this.object(depth);
        if (this.takes('[')) return this.array(depth);
        const letter = this.text[this.at];
        if (letter === '"') return this.string();
        if (letter === '-' || letter >= '0' && letter <= '9') return numberOf(this.skip(NUMBER));
        return JSON.parse(this.skip(WORD));
    }

    string() { return JSON.parse(this.skip(TEXT)); }

    object(depth) {
        const members = Object.create(null);
        if (this.takes('}')) return members;
        do {
            this.skip(SPACE);
            const key = this.string();
            if (key in members) throw new SyntaxError('a key comes twice');
            this.expect(':');
            members[key] = this.value(depth + 1);
        } while (this.takes(','));
        this.expect('}');
        return members;
    }

    array(depth) {
        const items = [];
        if (this.takes(']')) return items;
        do items.push(this.value(depth + 1)); while (this.takes(','));
        this.expect(']');
        return items;
    }
}

function numberOf(text) {
    const value = Number(text);
    if (!Number.isFinite(value)) throw new SyntaxError('beyond a double');
    if (Number.isSafeInteger(value) || !/^-?\d+$/.test(text)) return value;
    const whole = BigInt(text);
    return BigInt.asIntN(64, whole) === whole ? whole : value;
}

/**
 * The canonical form of a JSON value, which is what is hashed and signed: keys sorted by their UTF-8 bytes, no white space. Source:
 * `docs/protocol.md` 2.3.1.
 *
 * @returns {string}
 */
export function canonical(value) {
    if (typeof value === 'string') return quoted(value);
    if (typeof value === 'number') return digits(value);
    if (value === null || typeof value !== 'object') return String(value);
    if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
    const keys = Object.keys(value).filter((key) => value[key] !== undefined).sort(byCodePoints);
    return `{${keys.map((key) => `${quoted(key)}:${canonical(value[key])}`).join(',')}}`;
}

/** The order of UTF-8 bytes, which is that of code points. JavaScript's own order is that of UTF-16, where surrogates come too early. */
function byCodePoints(one, other) {
    const [a, b] = [[...one], [...other]];
    const at = a.findIndex((letter, index) => letter !== b[index]);
    if (at < 0) return a.length - b.length;
    return at < b.length ? a[at].codePointAt(0) - b[at].codePointAt(0) : 1;
}

function quoted(text) {
    // JSON.stringify writes \b and \f, where the canonical form has the number of the character.
    return JSON.stringify(text).replace(/\\(?:[^bf]|([bf]))/g, (escape, short) => (short === 'b' ? '\\u0008' : short === 'f' ? '\\u000c' : escape));
}

function digits(value) {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return BigInt(value).toString();
    const [mantissa, power] = value.toExponential().split('e');
    const exponent = Number(power);
    if (exponent >= -4 && exponent < 16) return String(value);
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
