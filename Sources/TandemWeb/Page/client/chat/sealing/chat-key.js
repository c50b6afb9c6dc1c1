import { areEqual, b64u } from '../../../wire/bytes.js';
import { sha256 } from '../../../wire/hash.js';
import { malformed } from './failures.js';
import { hasLowOrder } from './hpke.js';
import { LATEST, requireSignature, signed, signedText, StrictMembers } from './strict.js';

/**
 * A chat key's public half, signed by its device. Source: `docs/protocol.md` 2.10.2.
 *
 * @typedef {{did: string, kid: string, key: Uint8Array, made: number, until: number}} KeyBundle
 */

const LABEL = 'tandem-chat-key-1';
export const KID_BYTES = 8;
const DAY = 86_400_000;
/** Between two keys of a device. */
const INTERVAL = 7 * DAY;
/** A key is sealed for until then: what comes between a successor's making and its arrival everywhere. */
const USE = 10 * DAY;
/** The private half is kept for what was sent until so long after its successor was published. */
export const OVERLAP = 7 * DAY;
/** The private half is deleted at the latest. */
const LONGEST = 90 * DAY;
/** What the clock of another device may be off. */
export const SKEW = DAY;

/** The name of a chat key: the first 8 bytes of its hash, as base64url. */
export async function kidOf(key) { return b64u((await sha256(key)).subarray(0, KID_BYTES)); }

/**
 * Reads a bundle: its form and its signature. Whether its device is to be believed says the account's chain.
 *
 * @returns {Promise<KeyBundle>}
 */
export async function readBundle(json) {
    const members = new StrictMembers(json, 'bundle', ['did', 'key', 'kid', 'made', 'sig', 'until', 'v']);
    members.integer('v', 1, 1);
    const [did, key, name] = [members.device('did'), members.bytes('key', 32), members.bytes('kid', KID_BYTES)];
    if (hasLowOrder(key)) throw malformed('key');
    if (!areEqual((await sha256(key)).subarray(0, KID_BYTES), name)) throw malformed('kid');
    const made = members.integer('made', 0, LATEST - USE);
    const until = members.integer('until', made + USE, made + USE);
    await requireSignature(did, members.bytes('sig', 64), signedText(LABEL, json));
    return { did, kid: json.kid, key, made, until };
}

/** A key's bundle as it is published. */
export async function makeBundle(key, made, identity) {
    return signed(LABEL, { v: 1, did: identity.did, key: b64u(key), kid: await kidOf(key), made, until: made + USE }, identity);
}

/** Whether something may be sealed for a key now. A clock that is up to a day off is taken. */
export function isInUse({ made, until }, now) { return now >= made - SKEW && now <= until; }

/** Whether a device makes a new key; `made` is when its newest was, undefined for none. */
export function isDue(made, now) {
    // A clock that was set back makes no key last longer.
    return made === undefined || now - made >= INTERVAL || now < made - SKEW;
}

/**
 * Whether a private half is to be deleted.
 *
 * @param {{made: number, succeeded: number | null}} key `succeeded` is when its successor was published, null while it is the newest.
 * @param {number} fetched Everything that was sent until then was fetched, by the hub's clock.
 * @param {number} now
 */
export function isOver({ made, succeeded }, fetched, now) {
    return now - made >= LONGEST || succeeded !== null && fetched >= succeeded + OVERLAP;
}
