import { areEqual, fromB64u } from '../../../wire/bytes.js';
import { AccountChain } from './chain.js';
import { ENTRY_LIMIT, readEntry } from './chain-entry.js';
import { reasonOf, refusal } from './failures.js';
import { userIdOf } from './people.js';

/** Entries of one person's chain in one answer. */
const PART_LIMIT = 64;

/**
 * What a hub offers as a person's chain, against what is believed of it: nothing; a chain that holds together, or the believed one with what came to it;
 * entries that are missing though they were there before, up to `newest`; entries that no device of the person signed.
 *
 * @typedef {{kind: 'none'} | {kind: 'chain', chain: AccountChain} | {kind: 'behind', newest: number} | {kind: 'broken'}} ChainOffer
 *
 * @typedef {{newest: number, start: Uint8Array, entries: any[]}} Part
 */

/** Asks the hub for a person's chain, in parts. */
export class ChainFetch {
    #hub;

    /** @param {import('./beliefs.js').Hub} hub */
    constructor(hub) { this.#hub = hub; }

    /**
     * @param {number} uid
     * @param {AccountChain} [known]
     * @returns {Promise<ChainOffer>}
     */
    async offer(uid, known) {
        const part = await this.#part(uid, known ? known.newest.n : -1);
        if (!part) return { kind: 'none' };
        if (!known || !areEqual(part.start, known.start.hash)) return this.whole(uid);
        return part.newest < known.newest.n ? { kind: 'behind', newest: part.newest } : this.#grown(known, part);
    }

    /**
     * The chain from its beginning.
     *
     * @returns {Promise<ChainOffer>}
     */
    async whole(uid) {
        const part = await this.#part(uid, -1);
        if (!part) return { kind: 'none' };
        const [first, ...entries] = part.entries;
        try {
            const chain = AccountChain.begin(await readEntry(first));
            if (chain.uid !== uid || !areEqual(chain.start.hash, part.start)) return { kind: 'broken' };
            return await this.#grown(chain, { ...part, entries });
        } catch (error) {
            if (isOfHub(error)) throw error;
            return { kind: 'broken' };
        }
    }

    /** @returns {Promise<ChainOffer>} */
    async #grown(known, first) {
        let [chain, part] = [known, first];
        for (;;) {
            try {
                for (const json of part.entries) chain = chain.appending(await readEntry(json));
            } catch {
                return { kind: 'broken' };
            }
            if (chain.newest.n >= part.newest) return { kind: 'chain', chain };
            const next = await this.#part(chain.uid, chain.newest.n);
            if (!next?.entries.length || !areEqual(next.start, chain.start.hash)) throw refusal('wrongAnswer');
            part = next;
        }
    }

    /** @returns {Promise<Part | null>} */
    async #part(uid, after) {
        let answer;
        try {
            answer = await this.#hub.ask('/chat/chain/get', { users: [{ userID: userIdOf(uid), after }] });
        } catch (error) {
            // A hub of an earlier version keeps no lists: as one where the person has none.
            if (reasonOf(error) === 'noChat') return null;
            throw error;
        }
        if (!Array.isArray(answer?.chains)) throw refusal('wrongAnswer');
        const part = answer.chains.find((one) => one?.userID === userIdOf(uid));
        return part ? readPart(part) : null;
    }
}

/** Whether an error says that the hub was not asked, or did not go on: no word about the chain. */
function isOfHub(error) { return !['malformed', 'tooLarge', 'badSignature', 'notListed', 'notContinuation'].includes(reasonOf(error)); }

/** @returns {Part} */
function readPart({ newest, start: text, entries }) {
    const start = fromB64u(text, 32);
    const isRight = Number.isInteger(newest) && newest >= 0 && newest < ENTRY_LIMIT && start?.length === 32 && Array.isArray(entries) && entries.length <= PART_LIMIT;
    if (!isRight) throw refusal('wrongAnswer');
    return { newest, start, entries };
}
