import { areEqual, b64u, byteCountOf, fromB64u, labelled, lv, random } from '../../../wire/bytes.js';
import { canonical } from '../../../wire/json.js';
import { ENTRY_LIMIT, lists } from './chain-entry.js';
import { isInUse, SKEW } from './chat-key.js';
import { malformed, refusal, tooLarge } from './failures.js';
import { INDEX_LIMIT } from './handover-index.js';
import { readWrapped, unwrap, wrap, wrappedJSON } from './message.js';
import { userIdOf } from './people.js';
import { LATEST, requireSignature, signed, signedText, StrictMembers } from './strict.js';

/**
 * An offer of one device of an account to another: where the index of what it read of sealed conversations is, and its key for that device alone.
 * Source: `docs/protocol.md` 2.10.7.
 *
 * @typedef {Object} Offer
 * @property {any} json
 * @property {string} id
 * @property {number} uid
 * @property {number} list The number of the list that has both devices.
 * @property {Uint8Array} listHash
 * @property {string} from
 * @property {string} to
 * @property {import('./handover-index.js').Part} index
 * @property {number} made
 * @property {import('./message.js').WrappedKey} wrapped
 */

const BYTE_LIMIT = 4 << 10;
const ID_BYTES = 16;
const KEY_BYTES = 32;
const OBJECT_KEY_LIMIT = 200;
/** How long a hub keeps an offer, in milliseconds. */
export const LIFETIME = 7 * 86_400_000;
const LABEL = 'tandem-chat-handover-sig-1';

/** The id of a new offer. */
export function newOfferId() { return b64u(random(ID_BYTES)); }

function binding({ id, uid, from, to, listHash, indexHash }) {
    return labelled('tandem-chat-handover-1', lv(fromB64u(id, ID_BYTES)), lv(userIdOf(uid)), lv(from), lv(to), lv(listHash), lv(indexHash));
}

/**
 * Reads an offer: its form and its signature. Whether its devices are to be believed says the account's chain.
 *
 * @returns {Promise<Offer>}
 */
export async function readOffer(json) {
    const members = new StrictMembers(json, 'offer', ['at', 'ct', 'enc', 'entry', 'from', 'id', 'index', 'kid', 'n', 'sha256', 'sig', 'size', 'to', 'uid', 'v']);
    members.integer('v', 1, 1);
    members.bytes('id', ID_BYTES);
    const { id, kid, enc, ct } = json;
    const offer = {
        json, id, uid: members.integer('uid', 1, LATEST), list: members.integer('n', 0, ENTRY_LIMIT - 1), listHash: members.bytes('entry', 32), from: members.device('from'),
        to: members.device('to'), made: members.integer('at', 0, LATEST), wrapped: readWrapped({ kid, enc, ct }),
        index: { object: members.text('index', OBJECT_KEY_LIMIT), hash: members.bytes('sha256', 32), size: members.integer('size', 1, INDEX_LIMIT) },
    };
    if (offer.from === offer.to) throw malformed('to');
    if (byteCountOf(canonical(json)) > BYTE_LIMIT) throw tooLarge('offer', BYTE_LIMIT);
    await requireSignature(offer.from, members.bytes('sig', 64), signedText(LABEL, json));
    return offer;
}

/**
 * Makes an offer.
 *
 * @param {Object} values
 * @param {string} values.id
 * @param {import('./chain-entry.js').ChainEntry} values.entry The newest list, which has both devices.
 * @param {import('./chat-key.js').KeyBundle} values.bundle A key of the receiving device that is in use.
 * @param {import('./handover-index.js').Part} values.index
 * @param {Uint8Array} values.key Opens the index.
 * @param {number} values.now
 * @param {{did: string, signing: CryptoKey}} identity
 * @returns {Promise<Object<string, any>>}
 */
export async function makeOffer({ id, entry, bundle, index, key, now }, identity) {
    if (!lists(entry, identity.did) || !lists(entry, bundle.did)) throw refusal('notListed');
    if (!isInUse(bundle, now)) throw refusal('keyNotInUse');
    const info = binding({ id, uid: entry.uid, from: identity.did, to: bundle.did, listHash: entry.hash, indexHash: index.hash });
    return signed(LABEL, {
        v: 1, id, uid: entry.uid, n: entry.n, entry: b64u(entry.hash), from: identity.did, to: bundle.did, ...wrappedJSON(await wrap(key, bundle, info)), index: index.object,
        sha256: b64u(index.hash), size: index.size, at: now,
    }, identity);
}

/**
 * Throws unless the account's own chain has both devices as an offer says, and has them still.
 *
 * @param {Offer} offer
 * @param {import('./chain.js').AccountChain} chain
 * @param {number} now
 */
export function requireOfferIn({ uid, list, listHash, from, to, made }, chain, now) {
    const entry = chain.entry(list);
    if (chain.uid !== uid || !entry || !areEqual(entry.hash, listHash)) throw refusal('unknownList');
    if (![entry, chain.newest].every((each) => lists(each, from) && lists(each, to))) throw refusal('notListed');
    if (now < made - SKEW || now > made + LIFETIME) throw refusal('keyNotInUse');
}

/**
 * The index's key, once ``requireOfferIn`` has passed.
 *
 * @param {Offer} offer
 * @param {{kid: string, pair: import('../../../wire/keys.js').AgreementKey}[]} keys
 */
export async function openOffer(offer, keys) {
    const own = keys.find(({ kid }) => kid === offer.wrapped.kid);
    if (!own) throw refusal('otherDevice');
    const key = await unwrap(own.pair, offer.wrapped, binding({ ...offer, indexHash: offer.index.hash }));
    if (key?.length !== KEY_BYTES) throw refusal('damaged');
    return key;
}
