import { keyOf } from '../../../wire/keys.js';
import { isInUse } from './chat-key.js';
import { chainOf } from './contact.js';
import { refusal, refusedCode } from './failures.js';
import { indexJSON, MESSAGES, PAGES, SIZE } from './handover-index.js';
import { isSoonOver, putSealed, sizeOf } from './handover-objects.js';
import { LIFETIME, makeOffer, newOfferId } from './handover-offer.js';
import { PAGE_MESSAGES, packedPage } from './handover-page.js';
import { customPayload, isSealedKey, objectKeysOf } from './payload.js';
import { userIdOf } from './people.js';

/** Milliseconds within which an offer has to be finished: the hub keeps what nothing names for 24 hours. */
const PATIENCE = 20 * 3_600_000;
const NOT_FOUND = 1004;

/** What this device hands over to others. Each step is kept before the next begins. */
export class HistoryOut {
    #own;
    #seams;
    #failures = new Map();
    isClosed = false;

    /**
     * @param {import('./own-devices.js').Own} own
     * @param {import('./handover.js').Seams} seams
     */
    constructor(own, seams) {
        this.#own = own;
        this.#seams = seams;
    }

    async #isListed(did) { return chainOf(await this.#own.beliefs.contact(this.#own.uid))?.has(did) ?? false; }

    /** Notes what became of the own offers. @param {string[]} ids Of those that the hub has. */
    async settle(ids) {
        const { rows, time } = this.#own;
        for (const offering of await rows.handovers('out')) {
            if (!await this.#isListed(offering.device)) {
                await rows.saveHandover('out', offering.device, null);
            } else if (offering.stage === 'offered' && !ids.includes(offering.offer)) {
                await rows.saveHandover('out', offering.device, { ...offering, stage: time.now() - offering.began >= LIFETIME ? 'lapsed' : 'taken' });
                this.#seams.changed();
            }
        }
    }

    /** Begins to hand the history to another device of the list; one that is under way goes on. */
    async begin(did) {
        // Says at once what could not be done.
        await this.#target(did);
        if (!await this.beginAdded(did)) throw refusal('nothingToHandOver');
    }

    /**
     * As ``begin``, of a device that was added just now.
     *
     * @returns {Promise<boolean>} False where there is nothing to hand over.
     */
    async beginAdded(did) {
        const { rows } = this.#own;
        if (!keyOf(did)) throw refusal('notThatDevice');
        const messages = await this.#seams.history.count();
        if (!messages) return false;
        const known = (await rows.handovers('out')).find(({ device }) => device === did);
        if (known?.stage !== 'making') await this.#begun(did, messages);
        this.#failures.delete(did);
        this.#seams.changed();
        return true;
    }

    async #beginAnew(device) { return this.#begun(device, await this.#seams.history.count()); }

    async #begun(device, messages) {
        const { rows, time } = this.#own;
        const offering = { device, offer: newOfferId(), began: time.now(), messages, place: null, stage: 'making', pages: [] };
        await rows.saveHandover('out', device, offering);
        return offering;
    }

    /** How far each device came, by its key. @returns {Promise<[string, import('./handover.js').Progress][]>} */
    async progress() {
        return (await this.#own.rows.handovers('out')).map(({ device, stage, pages, messages }) => {
            const done = stage === 'making' ? pages.reduce((sum, { count }) => sum + count, 0) : messages;
            return [device, { stage, done, messages, isCut: messages > MESSAGES, failure: this.#failures.get(device)?.message ?? null }];
        });
    }

    /** The newest list, and a key of a device in it that something may be sealed for. */
    async #target(did) {
        const { uid, identity, beliefs, time } = this.#own;
        beliefs.forgetWhatWasTold([uid]);
        const contact = await beliefs.current(uid);
        const chain = chainOf(contact);
        if (contact.trouble || !chain?.has(identity.did)) throw refusal('deviceNotAdded');
        if (did === identity.did || !chain.has(did)) throw refusal('notThatDevice');
        const [bundle] = (await beliefs.keyBundles([uid])).filter((one) => one.did === did && isInUse(one, time.now())).sort((one, other) => other.made - one.made);
        if (!bundle) throw refusal('keyNotInUse');
        return { entry: chain.newest, bundle };
    }

    /** @returns {Promise<boolean>} False where one is to be tried again soon. */
    async goOn() {
        let isDone = true;
        for (const offering of await this.#own.rows.handovers('out')) {
            if (offering.stage !== 'making') continue;
            try {
                await this.#offer(offering);
                this.#failures.delete(offering.device);
            } catch (error) {
                this.#failures.set(offering.device, error);
                if (isSoonOver(error)) isDone = false;
            }
            this.#seams.changed();
        }
        return isDone;
    }

    async #offer(begun) {
        const { uid, identity, hub, rows, time } = this.#own;
        // What was uploaded may be gone from the hub by now.
        const fresh = time.now() - begun.began >= PATIENCE ? await this.#beginAnew(begun.device) : begun;
        const { offering, isCut } = await this.#uploadPages(fresh);
        // Nothing but view-once pictures.
        if (!offering.pages.length) return void await rows.saveHandover('out', offering.device, null);
        const index = indexJSON(offering.pages, isCut);
        const sealed = await putSealed(this.#seams.objects, index);
        const offer = await makeOffer({ id: offering.offer, ...await this.#target(offering.device), index: sealed, key: sealed.key, now: time.now() }, identity);
        try {
            await hub.ask('/chat/handover/offer', { userID: userIdOf(uid), offer, objects: [sealed.object, ...offering.pages.map(({ object }) => object)] });
        } catch (error) {
            // The hub let go of a page: the next try begins anew.
            if (refusedCode(error) === NOT_FOUND) await this.#beginAnew(offering.device);
            throw error;
        }
        // The hub has what opens the pages, sealed for the other device.
        await rows.saveHandover('out', offering.device, { ...offering, stage: 'offered', messages: index.messages, began: time.now(), pages: [] });
    }

    /** Uploads the pages that are missing. */
    async #uploadPages(begun) {
        const { rows } = this.#own;
        let offering = begun;
        for (;;) {
            if (this.isClosed) throw refusal('cancelled');
            const found = await this.#seams.history.after(offering.place, PAGE_MESSAGES);
            if (!found.length) return { offering, isCut: false };
            const handed = [];
            for (const { message, place } of found) {
                const one = await this.#handed(message);
                if (one) handed.push({ message: one, place });
            }
            const page = packedPage(handed.map(({ message }) => message));
            // The next page begins behind what this one has, or behind all where none of the rest is handed over.
            const { place } = page && page.used < handed.length ? handed[page.used - 1] : found[found.length - 1];
            if (page && !hasRoom(offering.pages, page)) return { offering, isCut: true };
            const pages = page ? [...offering.pages, { ...await putSealed(this.#seams.objects, page.json), count: page.count }] : offering.pages;
            offering = { ...offering, place, pages };
            await rows.saveHandover('out', offering.device, offering);
            this.#seams.changed();
        }
    }

    /** A message with what opens its files; null for what stays on this device. */
    async #handed(message) {
        const names = objectKeysOf(customPayload(message.contentType, message.content));
        if (!names.every(isSealedKey)) return null;
        const files = await Promise.all(names.map(async (name) => ({ name, object: await this.#own.rows.object(name) })));
        return { ...message, files: files.filter(({ object }) => object) };
    }
}

/** Whether a page more is within the bounds of an offer. */
function hasRoom(pages, { json, count }) {
    const size = pages.reduce((sum, page) => sum + page.size, sizeOf(json));
    return pages.length < PAGES && size <= SIZE && pages.reduce((sum, page) => sum + page.count, count) <= MESSAGES;
}
