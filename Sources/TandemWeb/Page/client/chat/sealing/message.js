import { b64u, byteCountOf, concat, fromB64u, labelled, lv, random } from '../../../wire/bytes.js';
import { sha256 } from '../../../wire/hash.js';
import { sign } from '../../../wire/keys.js';
import { cipherKey, open, seal } from '../../../wire/noise.js';
import { DEVICE_LIMIT, ENTRY_LIMIT, lists } from './chain-entry.js';
import { isInUse, KID_BYTES } from './chat-key.js';
import { CONTENT_LIMIT, paddedContent, readContent } from './content.js';
import { malformed, refusal } from './failures.js';
import { hasLowOrder, openWith, sealFor } from './hpke.js';
import { conversationOf } from './people.js';
import { requireSignature, StrictMembers } from './strict.js';

/**
 * @typedef {import('./chain-entry.js').ChainEntry} ChainEntry
 * @typedef {import('./chat-key.js').KeyBundle} KeyBundle
 * @typedef {{kid: string, encapsulated: Uint8Array, ciphertext: Uint8Array}} WrappedKey
 *
 * What a sealed message belongs to: it opens nowhere else, under no other id, and for no other lists of devices.
 *
 * @typedef {{conversation: string, id: string, senders: ChainEntry, receivers: ChainEntry}} Binding
 *
 * An envelope whose form was checked, and nothing else. Source: `docs/protocol.md` 2.10.3.
 *
 * @typedef {{senderList: number, receiverList: number, from: string, to: WrappedKey[], body: Uint8Array, signature: Uint8Array, objects: string[], flash: string | null}} Envelope
 */

/** Devices that a message is sealed for: those of two full lists, but for the sending one. */
const RECIPIENT_LIMIT = 2 * DEVICE_LIMIT - 1;
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const OBJECT_KEY_LIMIT = 200;
const PICTURE_LIMIT = 9;
const ID_LIMIT = 128;
// One nonce does for a key that seals one message.
const ZERO_NONCE = new Uint8Array(12);

/**
 * Binds a message to its place; throws unless the lists are those of the conversation's two people.
 *
 * @param {Binding} binding
 */
export function bind(binding) {
    const { conversation, id, senders, receivers } = binding;
    if (senders.uid === receivers.uid || conversationOf(senders.uid, receivers.uid) !== conversation) throw malformed('list');
    if (typeof id !== 'string' || !id || byteCountOf(id) > ID_LIMIT) throw malformed('clientMsgID');
    return binding;
}

/** The additional data of everything that is sealed in a message. */
export function boundData({ conversation, id, senders, receivers }, from) {
    return labelled('tandem-chat-1', lv(conversation), lv(id), lv(from), lv(senders.hash), lv(receivers.hash));
}

/** The devices of both that a message is sealed for, in the order of the lists. */
function devicesBesides({ senders, receivers }, from) { return [...senders.devices, ...receivers.devices].map(({ did }) => did).filter((did) => did !== from); }

function wrappedBytes({ kid, encapsulated, ciphertext }) { return concat(fromB64u(kid, KID_BYTES), encapsulated, ciphertext); }

/** What the signature is over, but for its label. Each part has its length, so that no byte can be moved from one into the other. */
export function digestOf(data, to, body) { return sha256(lv(data), lv(concat(...to.map(wrappedBytes))), lv(body)); }

async function signedBytes(data, to, body) { return labelled('tandem-chat-sig-1', await digestOf(data, to, body)); }

// MARK: The form

/** @returns {WrappedKey} */
export function readWrapped(json) {
    const members = new StrictMembers(json, 'to', ['kid', 'enc', 'ct']);
    members.bytes('kid', KID_BYTES);
    const encapsulated = members.bytes('enc', 32);
    if (hasLowOrder(encapsulated)) throw malformed('enc');
    return { kid: json.kid, encapsulated, ciphertext: members.bytes('ct', KEY_BYTES + TAG_BYTES) };
}

/** @param {WrappedKey} key */
export function wrappedJSON({ kid, encapsulated, ciphertext }) { return { kid, enc: b64u(encapsulated), ct: b64u(ciphertext) }; }

function objectKeys(members) {
    if (!members.has('objects')) return [];
    const keys = members.list('objects', PICTURE_LIMIT);
    if (!keys.every((key) => typeof key === 'string' && byteCountOf(key) <= OBJECT_KEY_LIMIT)) throw malformed('objects');
    return keys;
}

/**
 * Reads an envelope. Its form is checked; nothing in it is believed before ``verifyMessage``.
 *
 * @returns {Envelope}
 */
export function readEnvelope(json) {
    const members = new StrictMembers(json, 'sealed', ['body', 'from', 'list', 'sig', 'to', 'type', 'v'], ['flash', 'objects']);
    members.integer('v', 1, 1);
    if (json.type !== 'sealed') throw malformed('type');
    const numbers = members.list('list', 2);
    if (numbers.length !== 2 || !numbers.every((number) => Number.isInteger(number) && number >= 0 && number < ENTRY_LIMIT)) throw malformed('list');
    const to = members.list('to', RECIPIENT_LIMIT).map(readWrapped);
    if (!to.length || new Set(to.map(({ kid }) => kid)).size !== to.length) throw malformed('to');
    const body = members.bytesAtMost('body', CONTENT_LIMIT + TAG_BYTES);
    if (body.length <= TAG_BYTES) throw malformed('body');
    return {
        senderList: numbers[0], receiverList: numbers[1], from: members.device('from'), to, body, signature: members.bytes('sig', 64), objects: objectKeys(members),
        flash: members.has('flash') ? members.text('flash', OBJECT_KEY_LIMIT) : null,
    };
}

// MARK: Sealing

/**
 * Of each device that a message goes to the newest bundle in use; a device without one gets no key.
 *
 * @param {KeyBundle[]} bundles
 * @param {Binding} binding
 */
export function chosenBundles(bundles, binding, from, now) {
    return devicesBesides(binding, from).flatMap((did) => {
        const [first, ...others] = bundles.filter((bundle) => bundle.did === did && isInUse(bundle, now));
        return first ? [others.reduce((newest, bundle) => (bundle.made > newest.made ? bundle : newest), first)] : [];
    });
}

/** @returns {Promise<WrappedKey>} */
export async function wrap(key, { kid, key: recipient }, info, ephemeral) {
    return { kid, ...await sealFor(recipient, { info, aad: fromB64u(kid, KID_BYTES) }, key, ephemeral) };
}

/** The key that was wrapped for a chat key; null where anything of it was not made so. */
export function unwrap(own, { kid, encapsulated, ciphertext }, info) { return openWith(own, { info, aad: fromB64u(kid, KID_BYTES) }, { encapsulated, ciphertext }); }

/**
 * Seals a message for every device of both people but the sending one.
 *
 * @param {import('./content.js').Content} content
 * @param {Binding} binding
 * @param {KeyBundle[]} bundles One of each device that has one in use, as ``chosenBundles`` gives them.
 * @param {{did: string, signing: CryptoKey}} sender
 * @param {{objects?: string[], flash?: string | null, key?: Uint8Array, ephemerals?: import('../../../wire/keys.js').AgreementKey[]}} [options] Key and
 *     ephemeral keys are random; vectors have their own.
 * @returns {Promise<Object<string, any>>} The envelope.
 */
export async function sealMessage(content, binding, bundles, sender, options = {}) {
    const { senders, receivers } = bind(binding);
    const devices = devicesBesides(binding, sender.did);
    if (!lists(senders, sender.did) || !bundles.every(({ did }) => devices.includes(did))) throw refusal('notListed');
    // A message that its receiver has no device for would be one that only its sender reads.
    if (!bundles.some(({ did }) => lists(receivers, did))) throw refusal('nobodyToSealFor');
    if (new Set(bundles.map(({ kid }) => kid)).size !== bundles.length) throw malformed('to');
    const { objects = [], flash = null, key = random(KEY_BYTES), ephemerals = [] } = options;
    const data = boundData(binding, sender.did);
    const body = await seal(await cipherKey(key), ZERO_NONCE, paddedContent(content), data);
    const to = await Promise.all(bundles.map((bundle, at) => wrap(key, bundle, data, ephemerals[at])));
    return {
        type: 'sealed', v: 1, list: [senders.n, receivers.n], from: sender.did, to: to.map(wrappedJSON), body: b64u(body),
        sig: b64u(await sign(sender, await signedBytes(data, to, body))), ...objects.length && { objects }, ...flash && { flash },
    };
}

// MARK: Opening

/**
 * Throws unless a message is its sender's, for this place and these lists. Nothing is opened.
 *
 * @param {Envelope} envelope
 * @param {Binding} binding
 */
export async function verifyMessage(envelope, binding) {
    const { senders, receivers } = binding;
    if (senders.n !== envelope.senderList || receivers.n !== envelope.receiverList) throw refusal('unknownList');
    if (!lists(senders, envelope.from)) throw refusal('notListed');
    await requireSignature(envelope.from, envelope.signature, await signedBytes(boundData(binding, envelope.from), envelope.to, envelope.body));
}

/**
 * Verifies a message, then opens it.
 *
 * @param {Envelope} envelope
 * @param {{kid: string, pair: import('../../../wire/keys.js').AgreementKey}[]} keys This device's, newer ones and older ones.
 * @param {Binding} binding
 * @returns {Promise<import('./content.js').Content>}
 */
export async function openMessage(envelope, keys, binding) {
    await verifyMessage(envelope, binding);
    for (const wrapped of envelope.to) {
        const own = keys.find(({ kid }) => kid === wrapped.kid);
        if (own) return contentOf(envelope.body, await unwrap(own.pair, wrapped, boundData(binding, envelope.from)), boundData(binding, envelope.from));
    }
    throw refusal('otherDevice');
}

async function contentOf(body, key, data) {
    if (key?.length !== KEY_BYTES) throw refusal('damaged');
    const padded = await open(await cipherKey(key), ZERO_NONCE, body, data);
    if (!padded) throw refusal('damaged');
    return readContent(padded);
}
