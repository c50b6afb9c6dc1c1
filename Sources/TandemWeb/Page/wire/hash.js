import { concat } from './bytes.js';

const subtle = globalThis.crypto?.subtle;

async function digest(name, parts) { return new Uint8Array(await subtle.digest(name, concat(...parts))); }

/** @param {...Uint8Array} parts */
export function sha256(...parts) { return digest('SHA-256', parts); }

/** @param {...Uint8Array} parts */
export function sha512(...parts) { return digest('SHA-512', parts); }

/**
 * HMAC over the parts.
 *
 * @param {'SHA-256' | 'SHA-512'} hash
 * @param {Uint8Array} key
 * @param {...(Uint8Array | number[])} parts
 */
export async function hmac(hash, key, ...parts) {
    const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['sign']);
    return new Uint8Array(await subtle.sign('HMAC', imported, concat(...parts)));
}

/** A secret as a key that can only be derived from, and never read again. */
export function secretKey(bytes) { return subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits']); }

/**
 * HKDF with SHA-256.
 *
 * @param {Uint8Array | CryptoKey} secret
 * @param {number} count Bytes of the result.
 * @param {{salt?: Uint8Array, info?: Uint8Array}} [options]
 */
export async function hkdf(secret, count, options) {
    const { salt = new Uint8Array(), info = new Uint8Array() } = options ?? {};
    const key = secret instanceof Uint8Array ? await secretKey(secret) : secret;
    return new Uint8Array(await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, 8 * count));
}
