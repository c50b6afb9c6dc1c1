import { b64u } from '../../../wire/bytes.js';
import { emptyHistory } from './history.js';

/**
 * What this device believes of a person's devices, and what it knows of the conversation with them; a value. The account's own person has one, too.
 *
 * @typedef {Object} Contact
 * @property {number} uid
 * @property {import('./chain.js').AccountChain[]} chains Those that were believed, the one in force last.
 * @property {Trouble | null} trouble
 * @property {boolean} isVerified
 * @property {string | null} pin The hash of entry 0 that a link named.
 * @property {boolean} allowsClear
 * @property {boolean} hasSealed
 * @property {number | null} sealedFrom The first place with a sealed message that is known.
 * @property {number} sent Messages that this device sealed in the conversation.
 * @property {import('./history.js').SealedHistory} history
 *
 * Why nothing is sealed until the person agrees: the chain began anew, is no continuation, or could be written to in the clear alone.
 *
 * @typedef {'restarted' | 'forked' | 'clear'} Trouble
 */

/** @returns {Contact} */
export function strangerOf(uid) {
    return { uid, chains: [], trouble: null, isVerified: false, pin: null, allowsClear: false, hasSealed: false, sealedFrom: null, sent: 0, history: emptyHistory() };
}

/**
 * The chain in force.
 *
 * @param {Contact} contact
 */
export function chainOf({ chains }) { return chains[chains.length - 1]; }

/**
 * With a chain that began anew, or another one, in place of the one in force. The one before stays, for messages of its time.
 *
 * @param {Contact} contact
 * @returns {Contact}
 */
export function replacing(contact, chain) {
    const history = { ...contact.history, lists: null };
    return { ...contact, chains: [...contact.chains, chain], history, trouble: null, isVerified: false, pin: null };
}

/**
 * With a longer copy of the chain in force.
 *
 * @param {Contact} contact
 * @returns {Contact}
 */
export function growing(contact, chain) {
    return { ...contact, chains: [...contact.chains.slice(0, -1), chain], trouble: contact.trouble === 'clear' ? 'clear' : null };
}

/**
 * Believes what holds, and notes what does not. A chain that began anew or is another one waits until the person agrees to it.
 *
 * @param {Contact} contact
 * @param {import('./chain-fetch.js').ChainOffer} offer
 * @returns {Contact}
 */
export function taking(contact, offer) {
    if (offer.kind === 'none') return contact;
    if (offer.kind !== 'chain') return { ...contact, trouble: 'forked' };
    const known = chainOf(contact);
    if (!known) {
        // A link said which one it has to be.
        const isMeant = contact.pin === null || contact.pin === b64u(offer.chain.start.hash);
        return isMeant ? growing(contact, offer.chain) : { ...contact, trouble: 'forked' };
    }
    const news = known.news(offer.chain);
    if (news === 'same' || news === 'grown') return growing(contact, offer.chain);
    return { ...contact, trouble: news === 'restarted' ? 'restarted' : 'forked' };
}
