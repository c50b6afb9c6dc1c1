import { b64u, fromB64u } from '../../../wire/bytes.js';
import { chainOf, replacing } from './contact.js';
import { isTransport, malformed, refusal } from './failures.js';
import { numberOf, requirePeer } from './people.js';
import { safetyNumber } from './safety-number.js';

/**
 * How sealing stands in a conversation; `trouble` is why nothing is sent until the person agrees, `number` and `code` are empty without keys of both.
 *
 * @typedef {{isSealed: boolean, isVerified: boolean, trouble: import('./contact.js').Trouble | null, number: string[], code: string}} Standing
 *
 * One entry of a person's lists of devices: up to it they were told.
 *
 * @typedef {{start: string, number: number}} DevicePlace
 *
 * @typedef {{upTo: DevicePlace, changes: {added: string[], removed: string[], isAnew: boolean}[]}} DeviceChanges
 */

/** What a person does about sealing: compares numbers, and agrees to what sealing refuses without a deliberate act. */
export class Safety {
    #own;

    /** @param {import('./own-devices.js').Own} own */
    constructor(own) { this.#own = own; }

    #peer(conversation) { return requirePeer(conversation, this.#own.uid); }

    /** @returns {Promise<Standing>} */
    async standing(conversation) {
        const { uid, identity, beliefs } = this.#own;
        const [mine, other] = await Promise.all([beliefs.contact(uid), beliefs.contact(this.#peer(conversation))]);
        const [ours, theirs] = [chainOf(mine), chainOf(other)];
        const standing = { isSealed: false, isVerified: other.isVerified, trouble: mine.trouble ?? other.trouble, number: [], code: '' };
        if (!ours || !theirs) return standing;
        const { groups, code } = await safetyNumber(ours, theirs);
        return { ...standing, isSealed: ours.has(identity.did) && !other.allowsClear, number: groups, code };
    }

    /** As ``standing``, of the newest lists: the hub is asked first, where it is there. */
    async safety(conversation) {
        const { uid, beliefs } = this.#own;
        for (const person of [uid, this.#peer(conversation)]) {
            await beliefs.current(person).catch((error) => {
                // What was believed before is shown.
                if (!isTransport(error)) throw error;
            });
        }
        return this.standing(conversation);
    }

    /** Notes that the numbers were compared and are the same, or takes that back. */
    async verify(conversation, isVerified) {
        const { uid, beliefs } = this.#own;
        const peer = this.#peer(conversation);
        if (!chainOf(await beliefs.contact(peer)) || !chainOf(await beliefs.contact(uid))) throw refusal('nothingToAgree');
        await beliefs.change(peer, (contact) => ({ ...contact, isVerified: Boolean(isVerified) }));
        return this.standing(conversation);
    }

    /**
     * @param {string} conversation
     * @param {'newKeys' | 'clear'} kind
     */
    async agree(conversation, kind) {
        const { beliefs } = this.#own;
        const peer = this.#peer(conversation);
        const { trouble } = await beliefs.contact(peer);
        if (kind === 'clear') {
            if (trouble !== 'clear') throw refusal('nothingToAgree');
            await beliefs.change(peer, (contact) => ({ ...contact, allowsClear: true, trouble: null }));
            return this.standing(conversation);
        }
        const offer = kind === 'newKeys' && (trouble === 'restarted' || trouble === 'forked') ? await beliefs.fetch.whole(peer) : null;
        if (offer?.kind !== 'chain') throw refusal('nothingToAgree');
        beliefs.forgetWhatWasTold([peer]);
        await beliefs.change(peer, (contact) => replacing(contact, offer.chain));
        return this.standing(conversation);
    }

    /** The hash of the first entry of the own list, for the own link; null before there is one. */
    async ownChain() {
        const chain = chainOf(await this.#own.beliefs.contact(this.#own.uid));
        return chain ? b64u(chain.start.hash) : null;
    }

    /** A link named a person with the hash of their first entry: the hub can put no other in its place. */
    async met(userId, start) {
        const { beliefs } = this.#own;
        const uid = numberOf(userId);
        if (uid === null || fromB64u(start, 32)?.length !== 32) throw malformed('link');
        const known = chainOf(await beliefs.contact(uid));
        if (known) {
            if (b64u(known.start.hash) === start) return;
            await beliefs.change(uid, (contact) => ({ ...contact, trouble: 'forked' }));
            throw refusal('keysForked');
        }
        await beliefs.change(uid, (contact) => ({ ...contact, pin: start }));
        await beliefs.refreshed(uid);
    }

    /**
     * What came to the other person's lists of devices; null where they have none.
     *
     * @param {string} conversation
     * @param {DevicePlace | null} place Up to here it is known; null for nothing, and then nothing counts as a change.
     * @returns {Promise<DeviceChanges | null>}
     */
    async deviceChanges(conversation, place) {
        const chain = chainOf(await this.#own.beliefs.contact(this.#peer(conversation)));
        if (!chain) return null;
        const upTo = { start: b64u(chain.start.hash), number: chain.newest.n };
        if (!place || place.start === upTo.start && place.number === upTo.number) return { upTo, changes: [] };
        if (place.start !== upTo.start) return { upTo, changes: [{ added: chain.newest.devices.map(({ name }) => name), removed: [], isAnew: true }] };
        return { upTo, changes: chain.entries.filter(({ n }) => n > place.number && n > 0).map((entry) => changeBetween(chain.entry(entry.n - 1), entry)) };
    }
}

function namesOfOthers(devices, known) { return devices.filter(({ did }) => !known.some((device) => device.did === did)).map(({ name }) => name); }

function changeBetween(before, after) {
    return { added: namesOfOthers(after.devices, before.devices), removed: namesOfOthers(before.devices, after.devices), isAnew: false };
}
