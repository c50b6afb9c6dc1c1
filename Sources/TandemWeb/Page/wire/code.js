import { fromB64u, utf8 } from './bytes.js';
import { failure } from './error.js';
import { canonical, parse } from './json.js';
import { codeOfLink, isLink } from './link.js';
import { deviceInfoOf, isIdentifier, nameOf } from './peer-text.js';

/**
 * A code that another device shows.
 *
 * @typedef {Object} Code
 * @property {string} digits
 * @property {string} id The computer's.
 * @property {string} name
 * @property {string} platform
 * @property {number} at When it was made, by its maker's clock.
 * @property {import('./error.js').WireError | null} ageDoubt Where it is too old, or from the future, by this device's clock.
 * @property {string | null} signalingUrl Checked before it is used.
 * @property {string | null} relayUrl
 * @property {{key: Uint8Array, secret: Uint8Array}} offer
 * @property {Object<string, any>} json All of it, since both ends hash it.
 */

const LARGEST = 4096;
const LIFETIME = 300_000;

/** Whether these are the six digits of a code. */
export function isDigits(text) { return typeof text === 'string' && /^[1-9]\d{5}$/.test(text); }

/**
 * Reads a computer's code, a link or JSON, and sends nothing.
 *
 * @param {string} text
 * @param {number} now
 * @returns {Code}
 * @throws {import('./error.js').WireError} For the first thing that is wrong.
 */
export function readCode(text, now) {
    const trimmed = typeof text === 'string' ? text.trim() : '';
    const json = trimmed.length <= LARGEST && utf8(trimmed).length <= LARGEST ? isLink(trimmed) ? codeOfLink(trimmed) : parse(trimmed) : undefined;
    if (json === null || typeof json !== 'object' || Array.isArray(json) || typeof json.type !== 'string') {
        throw failure('bad-request', 'notAPairingCode', 'This is not a pairing code. Scan the one under "Pair a phone" on the computer.');
    }
    if (json.type !== 'desktop-pairing') {
        const found = nameOf(json.type);
        throw failure('bad-request', 'wrongKindOfCode', `This code is of another kind (${found}). Scan the one that the other device shows for pairing.`, { found });
    }
    if (!isDigits(json.code)) throw failure('bad-request', 'codeNotSixDigits', 'A pairing code has six digits, and this one has not. Make a new code on the other device.');
    if (!isIdentifier(json.pcPeerId)) throw failure('bad-request', 'missingDesktopID', 'The code does not say which computer it is from. Make a new code on the computer.');
    const at = typeof json.timestamp === 'number' ? json.timestamp : 0;
    const info = deviceInfoOf(json.deviceInfo);
    return {
        digits: json.code, id: json.pcPeerId, ...info, at, ageDoubt: ageDoubt(at, now), signalingUrl: addressText(json.signalingUrl), relayUrl: addressText(json.relayUrl),
        offer: offerIn(json.e2e, info.name), json,
    };
}

function addressText(value) { return typeof value === 'string' ? value : null; }

/** A browser only pairs sealed: of a computer that cannot seal nothing is asked. */
function offerIn(e2e, name) {
    if (e2e === undefined || e2e === null) {
        throw failure('refused', 'notEndToEnd', `${name} cannot seal what it sends, so others on the way could read it. Update the program there.`, { name });
    }
    const [key, secret] = [fromB64u(e2e.pk, 32), fromB64u(e2e.psk, 16)];
    if (!key || !secret || !Number.isInteger(e2e.v) || e2e.v < 1) {
        throw failure('bad-request', 'damagedCode', 'A part of the code is missing or damaged (e2e). Make a new code on the other device.', { field: 'e2e' });
    }
    return { key, secret };
}

function ageDoubt(at, now) {
    const age = now - at;
    if (age > LIFETIME) {
        const seconds = Math.floor(age / 1000);
        const message = seconds < 3600
            ? `The code is ${Math.floor(seconds / 60)} min ${seconds % 60} s old by this device's clock; codes are valid for five minutes. Make a new one.`
            : 'The code is more than an hour old, or the clocks differ. Check both clocks, then make a new code.';
        return failure('expired', 'codeExpired', message, { ageSeconds: seconds });
    }
    if (age >= -LIFETIME) return null;
    const ahead = Math.floor(-age / 1000);
    return failure('bad-request', 'codeFromTheFuture', `The code is from ${Math.floor(ahead / 60)} min in the future. Check the clocks of both devices, then make a new code.`, { aheadSeconds: ahead });
}

/**
 * The digits that a person typed, without spaces and hyphens.
 *
 * @throws {import('./error.js').WireError} Unless they are ten, or six.
 */
export function typedDigits(text) {
    const digits = String(text).replace(/[\s-]/g, '');
    if (!/^\d*$/.test(digits)) throw failure('bad-request', 'codeHasOtherCharacters', 'A pairing code has digits only. Check the code on the computer and type it again.');
    if ((digits.length !== 10 && digits.length !== 6) || digits[0] === '0') {
        throw failure('bad-request', 'wrongDigitCount', `A pairing code has ten digits, or six on older screens; this one has ${digits.length}. Type all of it.`, { count: digits.length });
    }
    return digits;
}

/** The code of a phone that shows its own, as it is drawn. */
export function shownCode({ digits, did, device, offer, now }) {
    const json = { type: 'device-pairing', code: digits, did, deviceInfo: { deviceId: device.id, name: device.name, platform: device.platform }, timestamp: now, e2e: offer };
    return { json, text: canonical(json) };
}
