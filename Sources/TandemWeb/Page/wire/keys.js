import { b64u, concat, hex, labelled, lv, utf8 } from './bytes.js';
import { failure, unproven } from './error.js';
import { sha256 } from './hash.js';

/**
 * A key pair of X25519.
 *
 * @typedef {{secret: CryptoKey, bytes: Uint8Array}} AgreementKey `bytes` is the public half.
 *
 * Who this device is: an Ed25519 key that signs, whose name is the DID, and the X25519 key of its handshakes.
 *
 * @typedef {{did: string, signing: CryptoKey, agreement: AgreementKey}} Identity
 */

const subtle = globalThis.crypto?.subtle;
const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
// The multicodec of an Ed25519 key.
const ED25519 = [0xed, 0x01];
// PKCS #8 around 32 bytes of a private key, by the last byte of the algorithm's object identifier.
const X25519_PREFIX = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e, 0x04, 0x22, 0x04, 0x20];
const ED25519_PREFIX = X25519_PREFIX.map((byte, at) => (at === 11 ? 0x70 : byte));

/** Base58 with Bitcoin's letters. */
export function base58(bytes) {
    let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    let text = '';
    for (; number; number /= 58n) text = LETTERS[Number(number % 58n)] + text;
    const zeros = bytes.findIndex((byte) => byte !== 0);
    return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** The bytes of a base58 text of 34 bytes, null where it is none. */
function fromBase58(text) {
    let number = 0n;
    for (const letter of text) {
        const value = LETTERS.indexOf(letter);
        if (value < 0) return null;
        number = number * 58n + BigInt(value);
    }
    const digits = number.toString(16);
    return digits.length > 68 ? null : Uint8Array.from({ length: 34 }, (_, at) => parseInt(digits.padStart(68, '0').slice(2 * at, 2 * at + 2), 16));
}

/** The DID of a public Ed25519 key. */
export function didOf(key) { return `did:key:z${base58(concat(ED25519, key))}`; }

/** The public Ed25519 key of a DID; null for any other text, also for another spelling of the same key. */
export function keyOf(did) {
    if (typeof did !== 'string' || did.length > 64 || !did.startsWith('did:key:z')) return null;
    const bytes = fromBase58(did.slice(9));
    if (!bytes || bytes[0] !== ED25519[0] || bytes[1] !== ED25519[1]) return null;
    const key = bytes.subarray(2);
    return didOf(key) === did ? key : null;
}

/** The words that people compare. Source: `docs/protocol.md` 2.3.6. */
export async function words(did) {
    const hash = await sha256(utf8(did));
    const [consonants, vowels] = ['bdfghjklmnprstvz', 'aiou'];
    return [0, 2, 4, 6].map((at) => {
        const number = hash[at] * 256 + hash[at + 1];
        return consonants[number >> 12] + vowels[number >> 10 & 3] + consonants[number >> 6 & 15] + vowels[number >> 4 & 3] + consonants[number & 15];
    }).join('-');
}

/** The id of a computer whose key this is. */
export async function certifiedId(did) { return hex((await sha256(labelled('tandem-device-id-v1', lv(did)))).subarray(0, 16)); }

/** @returns {Promise<Uint8Array>} A signature of 64 bytes. */
export async function sign(identity, bytes) { return new Uint8Array(await subtle.sign('Ed25519', identity.signing, bytes)); }

/** Whether the key of a DID signed these bytes. */
export async function verifies(did, signature, bytes) {
    const key = keyOf(did);
    if (!key || signature?.length !== 64) return false;
    try {
        return await subtle.verify('Ed25519', await subtle.importKey('raw', key, 'Ed25519', false, ['verify']), signature, bytes);
    } catch {
        return false;
    }
}

/** @returns {Promise<AgreementKey>} A new key pair. */
export async function makeAgreementKey() {
    const pair = /** @type {CryptoKeyPair} */ (await subtle.generateKey('X25519', false, ['deriveBits']));
    return { secret: pair.privateKey, bytes: new Uint8Array(await subtle.exportKey('raw', pair.publicKey)) };
}

/** The key pair of a secret that is known, as test vectors have them. */
export async function agreementKeyOf(secret) {
    const key = await subtle.importKey('pkcs8', concat(X25519_PREFIX, secret), 'X25519', false, ['deriveBits']);
    const base = Uint8Array.from({ length: 32 }, (_, at) => (at ? 0 : 9));
    return { secret: key, bytes: await agree(key, base) };
}

/** The signing key of a seed that is known, as test vectors have them, and its DID. */
export async function signingKeyOf(seed) {
    const key = await subtle.importKey('pkcs8', concat(ED25519_PREFIX, seed), 'Ed25519', true, ['sign']);
    const { x } = await subtle.exportKey('jwk', key);
    return { signing: key, did: didOf(Uint8Array.from(atob(x.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))) };
}

/**
 * The secret that two keys share.
 *
 * @throws {WireError} For a key of low order, whose secret everybody knows.
 */
export async function agree(secret, bytes) {
    if (bytes?.length !== 32) throw unproven('a key of another length');
    // RFC 7748 ignores the topmost bit. Firefox refuses some keys that have it.
    const key = Uint8Array.from(bytes);
    key[31] &= 0x7F;
    let shared;
    try {
        shared = new Uint8Array(await subtle.deriveBits({ name: 'X25519', public: await subtle.importKey('raw', key, 'X25519', false, []) }, secret, 256));
    } catch {
        throw unproven('a key of low order');
    }
    if (shared.every((byte) => byte === 0)) throw unproven('a key of low order');
    return shared;
}

/**
 * This device's identity out of the store, made where there is none. Its keys cannot be exported, not by this page either.
 *
 * @param {import('./store.js').Store} store
 * @returns {Promise<Identity>}
 */
export async function ownIdentity(store) {
    const kept = await store.get('keys', 'identity');
    if (kept) return kept;
    const identity = await makeIdentity();
    await store.put('keys', 'identity', identity);
    return identity;
}

/** @returns {Promise<Identity>} */
export async function makeIdentity() {
    try {
        const pair = /** @type {CryptoKeyPair} */ (await subtle.generateKey('Ed25519', false, ['sign', 'verify']));
        const key = new Uint8Array(await subtle.exportKey('raw', pair.publicKey));
        return { did: didOf(key), signing: pair.privateKey, agreement: await makeAgreementKey() };
    } catch {
        throw failure('unknown-method', 'browserTooOld', 'This browser cannot seal: it knows neither Ed25519 nor X25519. Chrome has them from version 137, Firefox from 130, Safari from 17.');
    }
}

/** What is signed to prove an id to a server. Source: `docs/protocol.md` 2.1. */
export async function registrationProof(identity, peerId, nonce, host) {
    return b64u(await sign(identity, labelled('tandem-register-v1', lv(peerId), lv(nonce), lv(host.toLowerCase()))));
}
