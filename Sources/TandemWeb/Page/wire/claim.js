import { b64u, fromB64u, labelled, lv, strictTextOf, utf8 } from './bytes.js';
import { unproven } from './error.js';
import { sign, verifies } from './keys.js';
import { deviceInfoOf, isIdentifier } from './peer-text.js';

/** Bytes of a handshake's payload. */
const LONGEST = 4096;

/** @typedef {'initiator' | 'responder'} Part Which end of a handshake it is. */

/**
 * @param {Part} part
 * @param {Uint8Array} hash The handshake's, just before the payload is sealed.
 * @param {Uint8Array} key The signer's static X25519 key.
 */
function bound(part, hash, key) { return labelled('tandem-bind-v1', lv(part), lv(hash), lv(key)); }

/**
 * The payload of a handshake's message: who its sender is, bound to its static key and to this handshake. Source: `docs/protocol.md` 2.3.2.
 *
 * @param {import('./keys.js').Identity} identity
 * @param {Part} part
 * @param {Uint8Array} hash
 * @param {Object<string, any>} members What else it says.
 */
export async function claim(identity, part, hash, members) {
    const signature = await sign(identity, bound(part, hash, identity.agreement.bytes));
    return utf8(JSON.stringify({ did: identity.did, sig: b64u(signature), ...members }));
}

/**
 * Reads the other side's payload.
 *
 * @param {Uint8Array} payload
 * @param {Part} part The signer's own.
 * @param {Uint8Array} hash
 * @param {Uint8Array} key The static key that the handshake proved to be the signer's.
 * @returns {Promise<Object<string, any>>} Its members; `did` is proven, and everything else is the signer's claim.
 */
export async function proven(payload, part, hash, key) {
    let members = null;
    try {
        members = payload.length <= LONGEST ? JSON.parse(strictTextOf(payload) ?? '') : null;
    } catch {
        // Said below.
    }
    const signature = fromB64u(members?.sig, 64);
    if (!signature || !(await verifies(members.did, signature, bound(part, hash, key)))) throw unproven('its identity');
    return members;
}

/**
 * The device that a pairing's payload describes.
 *
 * @throws {import('./error.js').WireError} Where what names it could not be kept.
 */
export function deviceOf(members) {
    const device = members.device;
    if (!isIdentifier(device?.id)) throw unproven('its description');
    return { id: device.id, ...deviceInfoOf(device), version: typeof device.version === 'string' ? device.version.slice(0, 64) : '' };
}
