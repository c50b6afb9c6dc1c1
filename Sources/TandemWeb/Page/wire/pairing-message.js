import { b64u, fromB64u, labelled, lv, utf8 } from './bytes.js';
import { sha256 } from './hash.js';
import { canonical } from './json.js';
import { sign } from './keys.js';

/** The message of a phone that answers a code. */
export function ack({ digits, identity, device, seal, now }) {
    return {
        type: 'pair-ack', pairingCode: digits, mobileDid: identity.did, deviceInfo: { deviceId: device.id, name: device.name, platform: device.platform }, timestamp: now,
        e2e: { v: 1, ...seal },
    };
}

/** One more message of a typed code. */
export function exchange(digits, seal) { return { type: 'pairing:e2e', pairingCode: digits, e2e: { v: 1, ...seal } }; }

/** A refusal of this phone. */
export function reject(digits, reason) {
    return { type: 'pairing:reject', pairingCode: digits, reason, message: 'The phone does not pair by this code.' };
}

/** Whether a payload is a message of pairing about this code. Programs also write the code as a number. */
export function concerns(payload, type, digits) { return payload.type === type && String(payload.pairingCode) === digits; }

/** The bytes of a member of a payload's seal, null where there are none. */
export function sealed(payload, ...path) {
    const value = path.reduce((from, key) => from?.[key], payload.e2e);
    return typeof value === 'string' && value.length <= 5600 ? fromB64u(value) : null;
}

/** What makes one message the same as another. */
export function digestOf(payload) { return sha256(utf8(canonical(payload))); }

/** The message with which a phone takes its question back. Source: `docs/protocol.md` 2.3.4. */
export async function withdrawal({ digits, identity, question }) {
    const signature = await sign(identity, labelled('tandem-withdraw-v1', lv(digits), lv(await digestOf(question))));
    return { type: 'pairing:withdraw', pairingCode: digits, mobileDid: identity.did, e2e: { v: 1, wd: b64u(signature) } };
}

/** The prologue of the handshake of a code that is shown as a picture. */
export async function codePrologue(json, digits) {
    return labelled('tandem-pair-v1', lv(await digestOf(json)), lv('scanner>shower'), lv(digits));
}
