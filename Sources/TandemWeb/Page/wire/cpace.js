import { areEqual, concat, lv, utf8 } from './bytes.js';
import { hmac, sha512 } from './hash.js';
import { agree, makeAgreementKey } from './keys.js';

const PRIME = 2n ** 255n - 19n;
const CURVE_A = 486662n;

function power(base, exponent) {
    let result = 1n;
    for (let rest = exponent, square = base % PRIME; rest; rest >>= 1n) {
        if (rest & 1n) result = result * square % PRIME;
        square = square * square % PRIME;
    }
    return result;
}

/** A number that may be negative, modulo the prime. */
function reduced(number) { return (number % PRIME + PRIME) % PRIME; }

/** Reads 32 bytes, the least significant first, of which the top bit does not count. */
export function numberOf(bytes) { return reduced(bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) & 2n ** 255n - 1n); }

/** The 32 bytes of a number, the least significant first. */
export function bytesOf(number) {
    return Uint8Array.from({ length: 32 }, (_, at) => Number(number >> BigInt(8 * at) & 255n));
}

/**
 * Elligator 2: maps a number to the u-coordinate of a point whose discrete logarithm stays unknown, for v² = u³ + A u² + u and the non-square 2.
 *
 * Big integers take a time that depends on their values. The number comes from a hash of the digits and of nonces that serve once, so
 * that what this shows is one guess at digits that are burnt by it.
 */
export function elligator(number) {
    const candidate = reduced(-CURVE_A * power(1n + 2n * number * number, PRIME - 2n));
    const square = candidate * candidate % PRIME;
    const symbol = power(square * candidate + CURVE_A * square + candidate, (PRIME - 1n) / 2n);
    // The symbol is 1 for a square, and 0 or −1 for anything else.
    if (symbol === 1n) return candidate;
    return symbol === 0n ? reduced(-CURVE_A * power(2n, PRIME - 2n)) : reduced(-candidate - CURVE_A);
}

/** The base point of both ends, which only an end that knows the password finds. */
export async function generator({ password, channel, sessionId }) {
    const label = utf8('CPace255');
    const padding = new Uint8Array(Math.max(0, 127 - lv(password).length - lv(label).length));
    const hash = await sha512(lv(label), lv(password), lv(padding), lv(channel), lv(sessionId));
    return bytesOf(elligator(numberOf(hash.subarray(0, 32))));
}

/**
 * The initiator's end of CPace-X25519-SHA512 (draft-irtf-cfrg-cpace): two ends that know the same short password agree on a strong key, and an
 * attacker in between can test one guess a run.
 */
export class CPace {
    /**
     * @param {Object} options
     * @param {Uint8Array} options.password
     * @param {Uint8Array} options.channel What both ends know about each other and the way between them.
     * @param {Uint8Array} options.sessionId Fresh, and made by both ends.
     * @param {Uint8Array} options.associatedData Of this end, authenticated with its share.
     * @param {import('./keys.js').AgreementKey} [scalar] For test vectors only.
     */
    static async begin(options, scalar) {
        const { secret } = scalar ?? await makeAgreementKey();
        return new CPace(options, secret, await agree(secret, await generator(options)));
    }

    /** Made by ``begin``. */
    constructor(options, secret, share) {
        this.options = options;
        this.secret = secret;
        /** The public share for the other end. */
        this.share = share;
    }

    /**
     * @param {Uint8Array} share The other end's.
     * @param {Uint8Array} associatedData The other end's.
     */
    async agree(share, associatedData) {
        const { sessionId } = this.options;
        const shared = await agree(this.secret, share);
        const own = concat(lv(this.share), lv(this.options.associatedData));
        const other = concat(lv(share), lv(associatedData));
        const transcript = concat(own, other);
        const key = await sha512(lv('CPace255_ISK'), lv(sessionId), lv(shared), transcript);
        const tagKey = await sha512(utf8('CPaceMac'), sessionId, key);
        const [tag, otherTag] = await Promise.all([hmac('SHA-512', tagKey, own), hmac('SHA-512', tagKey, other)]);
        /** `isConfirmedBy` says whether the other end has the same key. */
        return { key, transcript, tag, isConfirmedBy: (/** @type {Uint8Array} */ claimed) => areEqual(claimed, otherTag) };
    }
}
