import { areEqual, b64u } from '../../../wire/bytes.js';
import { sha256 } from '../../../wire/hash.js';
import { malformed, refusal, tooLarge } from './failures.js';
import { LATEST, requireSignature, signed, signedText, StrictMembers } from './strict.js';

/**
 * @typedef {{did: string, name: string, since: number}} ListedDevice
 *
 * One list of an account's devices, signed by one of them. Source: `docs/protocol.md` 2.10.1.
 *
 * @typedef {{json: any, uid: number, n: number, previous: Uint8Array | null, devices: ListedDevice[], reason: string, signer: string, hash: Uint8Array}} ChainEntry
 */

export const DEVICE_LIMIT = 32;
export const ENTRY_LIMIT = 1000;
const BYTE_LIMIT = 16 << 10;
const NAME_LIMIT = 64;
const LABEL = 'tandem-chat-entry-1';
const REASONS = ['first', 'added', 'removed', 'lost'];

/** A name as lists have it: without control characters, at most 64 bytes. */
export function listedName(name) {
    const letters = [...String(name).replace(/[\p{Cc}\p{Cs}]/gu, '')];
    const encoder = new TextEncoder();
    let size = 0;
    const end = letters.findIndex((letter) => { size += encoder.encode(letter).length; return size > NAME_LIMIT; });
    return (end < 0 ? letters : letters.slice(0, end)).join('') || 'device';
}

/** @returns {ListedDevice} */
function deviceOf(json) {
    const members = new StrictMembers(json, 'devices', ['did', 'name', 'since']);
    const device = { did: members.device('did'), name: members.text('name', NAME_LIMIT), since: members.integer('since', 0, LATEST) };
    if (!device.name || /\p{Cc}/u.test(device.name)) throw malformed('name');
    return device;
}

/** The members of an entry, without a look at its signature. */
function entryMembers(json) {
    const members = new StrictMembers(json, 'entry', ['devices', 'n', 'prev', 'reason', 'sig', 'signer', 'uid', 'v']);
    members.integer('v', 1, 1);
    const previous = members.bytesAtMost('prev', 32);
    if (previous.length % 32) throw malformed('prev');
    const devices = members.list('devices', DEVICE_LIMIT).map(deviceOf);
    if (!devices.length || new Set(devices.map(({ did }) => did)).size !== devices.length) throw malformed('devices');
    return {
        uid: members.integer('uid', 1, LATEST), n: members.integer('n', 0, ENTRY_LIMIT - 1), previous: previous.length ? previous : null, devices,
        reason: members.text('reason', 16), signer: members.device('signer'), signature: members.bytes('sig', 64),
    };
}

/**
 * Reads an entry: its form and its signature, not its place in a chain.
 *
 * @returns {Promise<ChainEntry>}
 */
export async function readEntry(json) {
    const { signature, ...entry } = entryMembers(json);
    if (!REASONS.includes(entry.reason)) throw malformed('reason');
    // A chain begins with one device, which signs for itself, and only there.
    const isStart = entry.reason === 'first' || entry.reason === 'lost';
    if (isStart !== (entry.n === 0)) throw malformed('reason');
    if ((entry.previous === null) !== (entry.reason === 'first')) throw malformed('prev');
    if (isStart && (entry.devices.length !== 1 || entry.devices[0].did !== entry.signer)) throw malformed('devices');
    const text = signedText(LABEL, json);
    if (text.length > BYTE_LIMIT) throw tooLarge('entry', BYTE_LIMIT);
    await requireSignature(entry.signer, signature, text);
    return { json, ...entry, hash: await sha256(text) };
}

/**
 * Makes an entry.
 *
 * @param {{uid: number, n: number, previous: Uint8Array | null, devices: ListedDevice[], reason: string}} values
 * @param {{did: string, signing: CryptoKey}} identity
 */
export async function makeEntry({ uid, n, previous, devices, reason }, identity) {
    return readEntry(await signed(LABEL, { v: 1, uid, n, prev: previous ? b64u(previous) : '', devices, reason, signer: identity.did }, identity));
}

/** Whether an entry lists a device. */
export function lists(entry, did) { return entry.devices.some((device) => device.did === did); }

function has(devices, { did, name, since }) { return devices.some((other) => other.did === did && other.name === name && other.since === since); }

function isStrictlyWithin(some, all) { return some.length < all.length && some.every((device) => has(all, device)); }

/**
 * Throws unless an entry is the next one of the chain whose newest is `last`.
 *
 * @param {ChainEntry} entry
 * @param {ChainEntry} last
 */
export function requireFollows(entry, last) {
    if (last.n + 1 >= ENTRY_LIMIT) throw tooLarge('chain', ENTRY_LIMIT);
    if (entry.uid !== last.uid || entry.n !== last.n + 1 || !entry.previous || !areEqual(entry.previous, last.hash)) throw refusal('notContinuation');
    if (!lists(last, entry.signer)) throw refusal('notListed');
    const isSaid = entry.reason === 'added' ? isStrictlyWithin(last.devices, entry.devices) : entry.reason === 'removed' && isStrictlyWithin(entry.devices, last.devices);
    if (!isSaid) throw refusal('notContinuation');
}
