import { reasonOf } from './failures.js';
import { HistoryIn } from './handover-in.js';
import { isSoonOver } from './handover-objects.js';
import { readOffer } from './handover-offer.js';
import { HistoryOut } from './handover-out.js';
import { userIdOf } from './people.js';

/**
 * @typedef {import('./handover-page.js').HandedMessage} HandedMessage
 *
 * What this device read of sealed conversations and is still there by the hub's word. `after` gives the messages behind a place, the newest first; `take`
 * applies handed messages and the writes beside them in one transaction. Of a message that is here and could not be opened, for `otherDevice` or `keyGone`
 * alone, the words are filled in; of one that is not here yet they wait.
 *
 * @typedef {Object} HandoverHistory
 * @property {() => Promise<number>} count
 * @property {(place: any, limit: number) => Promise<{place: any, message: Omit<HandedMessage, 'files'>}[]>} after
 * @property {(messages: HandedMessage[], writes: import('../../../wire/store.js').Write[]) => Promise<void>} take
 *
 * @typedef {{objects: import('./handover-objects.js').HandoverObjects, history: HandoverHistory, changed: () => void}} Seams
 *
 * @typedef {{stage: string, done: number, messages: number, isCut: boolean, failure: string | null}} Progress
 */

/** Between tries while the hub is not reached, in milliseconds. */
const WAITS = [2_000, 10_000, 60_000, 300_000];
/** Offers of one account. */
const OFFER_LIMIT = 8;

/** Hands what this device read of sealed conversations to other devices of the account, and takes it from them; both go on where they were cut. */
export class HandoverDesk {
    #own;
    #out;
    #in;
    #working = null;
    #isWanted = false;
    #isClosed = false;
    #tries = 0;
    #stop = () => {};

    /**
     * @param {import('./own-devices.js').Own} own
     * @param {import('./own-devices.js').OwnDevices} devices
     * @param {{objects: import('./handover-objects.js').HandoverObjects, history: HandoverHistory, changed?: () => void}} seams
     */
    constructor(own, devices, seams) {
        const all = { changed: () => {}, ...seams };
        this.#own = own;
        this.#out = new HistoryOut(own, all);
        this.#in = new HistoryIn(own, devices, all);
    }

    /** Goes on with what was begun, and looks for offers: at the start, and when something of the account's devices changed. */
    async look() {
        this.#isWanted = true;
        this.#working ??= this.#work().finally(() => { this.#working = null; });
        await this.#working;
    }

    close() {
        this.#isClosed = true;
        this.#out.isClosed = true;
        this.#in.isClosed = true;
        this.#stop();
    }

    /** Begins to hand this device's history to another one of the list; one that is under way goes on. */
    async handOver(did) {
        await this.#out.begin(did);
        this.look();
    }

    /** As ``handOver``, of a device that was added to the list just now: what stands in the way is told with its progress. */
    async handOverToAdded(did) { if (await this.#out.beginAdded(did)) this.look(); }

    /**
     * What is said of each device, by its key: of others what they get from this one, of this one what it takes.
     *
     * @returns {Promise<Object<string, Progress>>}
     */
    async progress() { return Object.fromEntries([...await this.#out.progress(), ...await this.#in.progress()]); }

    async #work() {
        while (this.#isWanted && !this.#isClosed) {
            this.#stop();
            this.#isWanted = false;
            if (await this.#workOnce()) {
                this.#tries = 0;
                continue;
            }
            const wait = WAITS[Math.min(this.#tries, WAITS.length - 1)];
            this.#tries += 1;
            this.#stop = this.#own.time.after(wait, () => { this.look(); });
        }
    }

    /** @returns {Promise<boolean>} False where it is to be tried again soon. */
    async #workOnce() {
        try {
            const offers = await this.#offers();
            const mine = offers.filter(({ to }) => to === this.#own.identity.did);
            await this.#in.settle(mine.map(({ id }) => id));
            await this.#out.settle(offers.map(({ id }) => id));
            const hasTaken = await this.#in.goOn(mine);
            return await this.#out.goOn() && hasTaken;
        } catch (error) {
            return !isSoonOver(error);
        }
    }

    /** The offers at the hub. What is none is passed over: it is a later version's, or a lie. */
    async #offers() {
        const { uid, hub } = this.#own;
        const answer = await hub.ask('/chat/handover/get', { userID: userIdOf(uid) }).catch((error) => {
            // A hub of before.
            if (reasonOf(error) === 'noChat') return { offers: [] };
            throw error;
        });
        const told = Array.isArray(answer?.offers) ? answer.offers.slice(0, OFFER_LIMIT) : [];
        const read = await Promise.all(told.map((json) => readOffer(json).catch(() => null)));
        return read.filter((offer) => offer?.uid === uid);
    }
}
