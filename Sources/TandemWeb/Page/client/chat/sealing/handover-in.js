import { chainOf } from './contact.js';
import { reasonOf, refusal } from './failures.js';
import { readIndex } from './handover-index.js';
import { getSealed, isSoonOver } from './handover-objects.js';
import { LIFETIME, openOffer, requireOfferIn } from './handover-offer.js';
import { readPage } from './handover-page.js';
import { customPayload, isSealedKey, objectKeysOf } from './payload.js';
import { peerOf, userIdOf } from './people.js';

/** How long a device's screen says that it has taken a history. */
const REMEMBRANCE = 86_400_000;
/** Reasons that say that what was handed over is not what it said. */
const LIES = ['malformed', 'tooLarge', 'badSignature', 'notListed', 'unknownList', 'otherDevice', 'damaged', 'keyNotInUse', 'otherFile', 'wrongLength'];

/** What this device takes from others. Each page is applied in one transaction with its number. */
export class HistoryIn {
    #own;
    #devices;
    #seams;
    #failure = null;
    /** Offers that do not hold: they are not fetched again. */
    #refused = new Set();
    isClosed = false;

    /**
     * @param {import('./own-devices.js').Own} own
     * @param {import('./own-devices.js').OwnDevices} devices
     * @param {import('./handover.js').Seams} seams
     */
    constructor(own, devices, seams) {
        this.#own = own;
        this.#devices = devices;
        this.#seams = seams;
    }

    /** What was begun to be taken, the newest first. */
    async #takings() { return (await this.#own.rows.handovers('in')).sort((one, other) => other.began - one.began); }

    /** Forgets one that is over or was replaced; what came of it stays. @param {string[]} ids Of the offers that the hub has for this device. */
    async settle(ids) {
        const [taking] = await this.#takings();
        if (taking && !isDone(taking) && !ids.includes(taking.offer)) await this.#own.rows.saveHandover('in', taking.offer, null);
        if (!ids.length) this.#failure = null;
    }

    /** How far this device came, nothing where there is nothing to say. @returns {Promise<[string, import('./handover.js').Progress][]>} */
    async progress() {
        const { identity, time } = this.#own;
        const [taking] = await this.#takings();
        const failure = this.#failure?.message ?? null;
        if (taking && (!isDone(taking) || time.now() - taking.began < REMEMBRANCE)) {
            const { taken: done, messages, isCut } = taking;
            return [[identity.did, { stage: isDone(taking) ? 'done' : 'taking', done, messages, isCut, failure: isDone(taking) ? null : failure }]];
        }
        return failure ? [[identity.did, { stage: 'taking', done: 0, messages: 0, isCut: false, failure }]] : [];
    }

    /** @returns {Promise<boolean>} False where one is to be tried again soon. */
    async goOn(offers) {
        let isOver = true;
        for (const offer of offers) {
            if (this.#refused.has(offer.id)) continue;
            try {
                await this.#take(offer);
                this.#failure = null;
            } catch (error) {
                const isLie = LIES.includes(reasonOf(error));
                if (isLie) this.#refused.add(offer.id);
                else if (isSoonOver(error)) isOver = false;
                this.#failure = isLie ? refusal('handoverUnreadable') : error;
            }
            this.#seams.changed();
        }
        return isOver;
    }

    async #take(offer) {
        const { uid, hub, rows, time } = this.#own;
        let taking = (await this.#takings()).find((one) => one.offer === offer.id);
        if (!taking || !isDone(taking)) {
            const index = readIndex(await getSealed(this.#seams.objects, offer.index, await this.#keyOf(offer)));
            taking ??= { offer: offer.id, next: 0, pages: index.pages.length, taken: 0, messages: index.messages, isCut: index.isCut, began: time.now() };
            if (taking.pages !== index.pages.length || taking.messages !== index.messages) throw refusal('otherFile');
            for (; !isDone(taking); this.#seams.changed()) {
                if (this.isClosed) throw refusal('cancelled');
                taking = await this.#takePage(index.pages[taking.next], taking);
            }
            // The hub cannot have these any more.
            for (const { offer: id, began } of await this.#takings()) if (began < time.now() - 2 * LIFETIME) await rows.saveHandover('in', id, null);
        }
        await hub.ask('/chat/handover/done', { userID: userIdOf(uid), id: offer.id });
    }

    async #takePage(listed, taking) {
        const { uid, rows } = this.#own;
        const { messages, count } = readPage(await getSealed(this.#seams.objects, listed, listed.key));
        if (count !== listed.count) throw refusal('wrongLength');
        const own = messages.filter(({ conversation }) => peerOf(conversation, uid) !== null);
        // First what opens the files: a message that is shown can be looked at.
        await rows.addObjects(own.flatMap(filesOf));
        const next = { ...taking, next: taking.next + 1, taken: taking.taken + count };
        await this.#seams.history.take(own, [rows.handoverWrite('in', taking.offer, next)]);
        return next;
    }

    /** The key of an offer's index, once the own chain has both of its devices. */
    async #keyOf(offer) {
        const { uid, beliefs, time } = this.#own;
        let contact = await beliefs.current(uid);
        // The list that has this device may be newer than what it knows.
        if (!chainOf(contact)?.entry(offer.list)) contact = await beliefs.refreshed(uid);
        const chain = chainOf(contact);
        if (contact.trouble || !chain) throw refusal('unknownList');
        requireOfferIn(offer, chain, time.now());
        return openOffer(offer, await this.#devices.pairs());
    }
}

function isDone({ next, pages }) { return next >= pages; }

/** The files of a handed message. A name that the message itself does not have could stand for another message's file. */
function filesOf({ contentType, content, files }) {
    const names = objectKeysOf(customPayload(contentType, content));
    return files.filter(({ name }) => isSealedKey(name) && names.includes(name));
}
