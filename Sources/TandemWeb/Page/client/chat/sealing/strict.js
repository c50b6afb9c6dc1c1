import { b64u, byteCountOf, fromB64u, labelled, utf8 } from '../../../wire/bytes.js';
import { canonical } from '../../../wire/json.js';
import { keyOf, sign, verifies } from '../../../wire/keys.js';
import { malformed, refusal, tooLarge } from './failures.js';

/** Times are milliseconds since 1970, up to what a number holds without loss. */
export const LATEST = Number.MAX_SAFE_INTEGER;

/** Whether a text is one in every encoding: half a surrogate pair is written differently by different programs. */
export function isWhole(text) { return !/\p{Cs}/u.test(text); }

/** The members of an object of ours, of which there is one form only: signatures are over its canonical text, so nothing may be read in two ways. */
export class StrictMembers {
    /**
     * @param {any} value
     * @param {string} subject What it is called where it is no such object.
     * @param {string[]} required
     * @param {string[]} [optional]
     */
    constructor(value, subject, required, optional = []) {
        if (value === null || typeof value !== 'object' || Array.isArray(value)) throw malformed(subject);
        const keys = Object.keys(value);
        if (!required.every((key) => keys.includes(key)) || !keys.every((key) => required.includes(key) || optional.includes(key))) throw malformed(subject);
        this.values = value;
    }

    has(key) { return Object.hasOwn(this.values, key); }

    /** A text of at most so many bytes. */
    text(key, limit) {
        const text = this.values[key];
        if (typeof text !== 'string' || !isWhole(text)) throw malformed(key);
        if (text.length > limit || byteCountOf(text) > limit) throw tooLarge(key, limit);
        return text;
    }

    integer(key, least, most) {
        const number = this.values[key];
        if (!Number.isSafeInteger(number) || number < least || number > most) throw malformed(key);
        return number;
    }

    /** @returns {any[]} */
    list(key, limit) {
        const list = this.values[key];
        if (!Array.isArray(list)) throw malformed(key);
        if (list.length > limit) throw tooLarge(key, limit);
        return list;
    }

    /** Bytes as base64url, so many of them. */
    bytes(key, count) {
        const bytes = fromB64u(this.values[key], count);
        if (bytes?.length !== count) throw malformed(key);
        return bytes;
    }

    bytesAtMost(key, limit) {
        if (this.values[key]?.length > Math.ceil(limit * 4 / 3)) throw tooLarge(key, limit);
        const bytes = fromB64u(this.values[key]);
        if (!bytes) throw malformed(key);
        return bytes;
    }

    /** A device by its key: a `did:key` of Ed25519. */
    device(key) {
        const did = this.values[key];
        if (!keyOf(did)) throw malformed(key);
        return did;
    }
}

/** What is signed of an object: a label, a zero byte, and the canonical text of all members but the signature. */
export function signedText(label, json) {
    const { sig, ...rest } = json;
    return labelled(label, utf8(canonical(rest)));
}

/** An object with its signature as `sig`. */
export async function signed(label, json, identity) { return { ...json, sig: b64u(await sign(identity, signedText(label, json))) }; }

/** Throws unless the device signed these bytes. */
export async function requireSignature(did, signature, text) {
    if (!await verifies(did, signature, text)) throw refusal('badSignature');
}
