import { b64u, fromB64u, hex, Reader, strictTextOf } from './bytes.js';
import { failure } from './error.js';

const PLATFORMS = [null, 'ios', 'android', 'darwin', 'win32', 'linux'];
// The page's address, and the code behind it.
const LINK = /^(https?):\/\/([^/?#@\s]{1,255})\/phone\/#([\w-]{1,4096})$/;
// What a member of the code that is an address may be.
const ABSENT = 0;
const NULL = 1;
const TEXT = 2;
const LONGEST_ADDRESS = 1024;

/** Whether a text is meant as a link, and not as a code in JSON. */
export function isLink(text) { return /^https?:\/\//i.test(text); }

/**
 * The code in a link, as the JSON that the computer shows too: both ends hash that. Source: `docs/protocol.md` 2.3.7.
 *
 * @param {string} text
 * @returns {Object<string, any>}
 * @throws {import('./error.js').WireError}
 */
export function codeOfLink(text) {
    const found = LINK.exec(text);
    if (!found) throw damaged('link');
    const [, scheme, authority, fragment] = found;
    const bytes = fromB64u(fragment);
    if (!bytes) throw damaged('link');
    const origin = `${scheme === 'https' ? 'wss' : 'ws'}://${authority}`;
    return codeOfBytes(bytes, origin);
}

function damaged(field) {
    return failure('bad-request', 'damagedCode', `A part of the code is missing or damaged (${field}). Make a new code on the other device.`, { field });
}

function codeOfBytes(bytes, origin) {
    const reader = new Reader(bytes);
    const version = reader.integer(1);
    if (version !== 1) throw version === null ? damaged('link') : failure('bad-request', 'codeOfNewerProgram', 'The code is of a newer version of Tandem. Reload this page to update it, then scan again.');
    const shape = reader.integer(1);
    if (!(shape < 32)) throw damaged('shape');
    const platformCode = reader.integer(1);
    const digits = reader.integer(3);
    const timestamp = reader.integer(6);
    const pcPeerId = shape & 16 ? hexOf(reader.take(16)) : textIn(reader, 256);
    const name = textIn(reader, 128);
    const platform = platformCode === 0 ? textIn(reader, 256) : PLATFORMS[platformCode ?? -1];
    const pk = reader.take(32);
    const psk = reader.take(16);
    const signalingUrl = addressIn(reader, shape & 3, origin);
    const relayUrl = addressIn(reader, shape >> 2 & 3, origin);
    if (reader.isBroken || reader.left || platform === undefined) throw damaged('link');
    return {
        type: 'desktop-pairing', code: String(digits), pcPeerId, deviceInfo: { name, platform }, timestamp,
        ...(signalingUrl === undefined ? {} : { signalingUrl }), ...(relayUrl === undefined ? {} : { relayUrl }),
        e2e: { v: 1, pk: b64u(pk), psk: b64u(psk) },
    };
}

function hexOf(bytes) { return bytes && hex(bytes); }

function textIn(reader, limit) {
    const bytes = reader.lv(limit);
    const text = bytes && strictTextOf(bytes);
    if (text === null) throw damaged('link');
    return text;
}

function addressIn(reader, kind, origin) {
    if (kind === ABSENT) return undefined;
    if (kind === NULL) return null;
    return kind === TEXT ? textIn(reader, LONGEST_ADDRESS) : origin;
}
