import { strictTextOf, utf8 } from '../../../wire/bytes.js';
import { canonical, parse } from '../../../wire/json.js';
import { keyOf } from '../../../wire/keys.js';
import { isInUse } from './chat-key.js';
import { chainOf } from './contact.js';
import { isTransport, malformed, reasonOf, refusal, refusedCode } from './failures.js';
import { indexJSON, MESSAGES, PAGES, readIndex, SIZE } from './handover-index.js';
import { LIFETIME, makeOffer, newOfferId, openOffer, readOffer, requireOfferIn } from './handover-offer.js';
import { PAGE_MESSAGES, packedPage, readPage } from './handover-page.js';
import { openFile, sealedCount, sealFile } from './media.js';
import { customPayload, isSealedKey, objectKeysOf } from './payload.js';
import { peerOf, userIdOf } from './people.js';

/**
 * @typedef {import('./handover-page.js').HandedMessage} HandedMessage
 *
 * The sealed objects of a handover at the hub: `put` uploads as `chat_sealed`, `get` fetches at most so many bytes.
 *
 * @typedef {{put(bytes: Uint8Array): Promise<string>, get(objectKey: string, limit: number): Promise<Uint8Array>}} HandoverObjects
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
 * @typedef {{stage: string, done: number, messages: number, isCut: boolean, failure: string | null}} Progress
 */

/** Milliseconds within which an offer has to be finished: the hub keeps what nothing names for 24 hours. */
const PATIENCE = 20 * 3_600_000;
/** How long a device's screen says that it has taken a history. */
const REMEMBRANCE = 86_400_000;
/** Between tries while the hub is not reached. */
const WAITS = [2_000, 10_000, 60_000, 300_000];
const TOO_MANY = 429;
const NOT_FOUND = 1004;

/** Hands what this device read of sealed conversations to other devices of the account, and takes it from them. Each step is kept before the next begins. */
export class HandoverDesk {
    #own;
    #devices;
    #objects;
    #history;
    #changed;
    #failures = new Map();
    #takingFailure = null;
    /** Offers that do not hold: they are not fetched again. */
    #refused = new Set();
    #working = null;
    #isWanted = false;
    #tries = 0;
    #stop = () => {};
    #isClosed = false;

    /**
     * @param {import('./own-devices.js').Own} own
     * @param {import('./own-devices.js').OwnDevices} devices
     * @param {{objects: HandoverObjects, history: HandoverHistory, changed?: () => void}} seams
     */
    constructor(own, devices, { objects, history, changed = () => {} }) {
        this.#own = own;
        this.#devices = devices;
        this.#objects = objects;
        this.#history = history;
        this.#changed = changed;
    }

    // MARK: Running

    /** Goes on with what was begun, and looks for offers: at the start, and when something of the account's devices changed. */
    async look() {
        this.#isWanted = true;
        this.#working ??= this.#work().finally(() => { this.#working = null; });
        await this.#working;
    }

    close() {
        this.#isClosed = true;
        this.#stop();
    }

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
            await this.#settle(offers);
            const hasTaken = await this.#takeAll(offers.filter(({ to }) => to === this.#own.identity.did));
            return await this.#offerAll() && hasTaken;
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
        const told = Array.isArray(answer?.offers) ? answer.offers.slice(0, 8) : [];
        const read = await Promise.all(told.map((json) => readOffer(json).catch(() => null)));
        return read.filter((offer) => offer?.uid === uid);
    }

    /** Notes what became of the own offers, and of one that was being taken. */
    async #settle(offers) {
        const { rows, identity, time } = this.#own;
        const ids = offers.map(({ id }) => id);
        const [taking] = await this.#takings();
        // One that is over, or was replaced. What came of it stays.
        if (taking && taking.next < taking.pages && !ids.includes(taking.offer)) await rows.saveHandover('in', taking.offer, null);
        if (!offers.some(({ to }) => to === identity.did)) this.#takingFailure = null;
        for (const offering of await rows.handovers('out')) {
            if (!await this.#isListed(offering.device)) {
                await rows.saveHandover('out', offering.device, null);
            } else if (offering.stage === 'offered' && !ids.includes(offering.offer)) {
                await rows.saveHandover('out', offering.device, { ...offering, stage: time.now() - offering.began >= LIFETIME ? 'lapsed' : 'taken' });
                this.#changed();
            }
        }
    }

    /** What was begun to be taken, the newest first. */
    async #takings() { return (await this.#own.rows.handovers('in')).sort((one, other) => other.began - one.began); }

    async #isListed(did) { return chainOf(await this.#own.beliefs.contact(this.#own.uid))?.has(did) ?? false; }

    // MARK: What the person asks

    /** Begins to hand this device's history to another one of the list; one that is under way goes on. */
    async handOver(did) {
        // Says at once what could not be done.
        await this.#target(did);
        if (!await this.#begin(did)) throw refusal('nothingToHandOver');
    }

    /** As ``handOver``, of a device that was added to the list just now: what stands in the way is told with its progress. */
    async handOverToAdded(did) {
        if (!keyOf(did)) throw refusal('notThatDevice');
        await this.#begin(did);
    }

    async #begin(did) {
        const { rows } = this.#own;
        if (!await this.#history.count()) return false;
        const known = (await rows.handovers('out')).find(({ device }) => device === did);
        if (known?.stage !== 'making') await this.#beginAnew(did);
        this.#failures.delete(did);
        this.#changed();
        this.look();
        return true;
    }

    async #beginAnew(device) {
        const { rows, time } = this.#own;
        const offering = { device, offer: newOfferId(), began: time.now(), messages: await this.#history.count(), place: null, stage: 'making', pages: [] };
        await rows.saveHandover('out', device, offering);
        return offering;
    }

    /**
     * What is said of each device, by its key: of others what they get from this one, of this one what it takes.
     *
     * @returns {Promise<Object<string, Progress>>}
     */
    async progress() {
        const { rows, identity, time } = this.#own;
        /** @type {Object<string, Progress>} */
        const all = {};
        for (const { device, stage, pages, messages } of await rows.handovers('out')) {
            const done = stage === 'making' ? pages.reduce((sum, { count }) => sum + count, 0) : messages;
            all[device] = { stage, done, messages, isCut: messages > MESSAGES, failure: this.#failures.get(device)?.message ?? null };
        }
        const [taking] = await this.#takings();
        const failure = this.#takingFailure?.message ?? null;
        const isDone = taking && taking.next >= taking.pages;
        if (taking && (!isDone || time.now() - taking.began < REMEMBRANCE)) {
            all[identity.did] = { stage: isDone ? 'done' : 'taking', done: taking.taken, messages: taking.messages, isCut: taking.isCut, failure: isDone ? null : failure };
        } else if (failure) {
            all[identity.did] = { stage: 'taking', done: 0, messages: 0, isCut: false, failure };
        }
        return all;
    }

    // MARK: Handing over

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
    async #offerAll() {
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
            this.#changed();
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
        const sealed = await this.#put(index);
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
            if (this.#isClosed) throw refusal('cancelled');
            const found = await this.#history.after(offering.place, PAGE_MESSAGES);
            if (!found.length) return { offering, isCut: false };
            const handed = [];
            for (const { message, place } of found) {
                const one = await this.#handed(message);
                if (one) handed.push({ message: one, place });
            }
            const page = packedPage(handed.map(({ message }) => message));
            // Nothing of these is handed over, or all that fits; the next page begins behind what was looked at.
            const { place } = page && page.used < handed.length ? handed[page.used - 1] : found[found.length - 1];
            if (page && !hasRoom(offering.pages, page)) return { offering, isCut: true };
            const pages = page ? [...offering.pages, { ...await this.#put(page.json), count: page.count }] : offering.pages;
            offering = { ...offering, place, pages };
            await rows.saveHandover('out', offering.device, offering);
            this.#changed();
        }
    }

    /** A message with what opens its files; null for what stays on this device. */
    async #handed(message) {
        const names = objectKeysOf(customPayload(message.contentType, message.content));
        if (!names.every(isSealedKey)) return null;
        const files = await Promise.all(names.map(async (name) => ({ name, object: await this.#own.rows.object(name) })));
        return { ...message, files: files.filter(({ object }) => object) };
    }

    /** Seals a value under a new key and uploads it. */
    async #put(json) {
        const text = utf8(canonical(json));
        const { bytes, key, hash } = await sealFile(text);
        return { object: await this.#objects.put(bytes), key, hash, size: text.length };
    }

    // MARK: Taking

    /** @returns {Promise<boolean>} False where one is to be tried again soon. */
    async #takeAll(offers) {
        let isDone = true;
        for (const offer of offers) {
            if (this.#refused.has(offer.id)) continue;
            try {
                await this.#take(offer);
                this.#takingFailure = null;
            } catch (error) {
                const isLie = isOfOffer(error);
                if (isLie) this.#refused.add(offer.id);
                else if (isSoonOver(error)) isDone = false;
                this.#takingFailure = isLie ? refusal('handoverUnreadable') : error;
            }
            this.#changed();
        }
        return isDone;
    }

    async #take(offer) {
        const { uid, hub, rows, time } = this.#own;
        let taking = (await this.#takings()).find((one) => one.offer === offer.id);
        if (!taking || taking.next < taking.pages) {
            const key = await this.#keyOf(offer);
            const index = readIndex(await this.#get(offer.index, key));
            taking ??= { offer: offer.id, next: 0, pages: index.pages.length, taken: 0, messages: index.messages, isCut: index.isCut, began: time.now() };
            if (taking.pages !== index.pages.length || taking.messages !== index.messages) throw refusal('otherFile');
            for (; taking.next < taking.pages; this.#changed()) {
                if (this.#isClosed) throw refusal('cancelled');
                taking = await this.#takePage(index.pages[taking.next], taking);
            }
            await Promise.all((await this.#takings()).filter(({ began }) => began < time.now() - 2 * LIFETIME).map((old) => rows.saveHandover('in', old.offer, null)));
        }
        await hub.ask('/chat/handover/done', { userID: userIdOf(uid), id: offer.id });
    }

    async #takePage(listed, taking) {
        const { uid, rows } = this.#own;
        const { messages, count } = readPage(await this.#get(listed, listed.key));
        if (count !== listed.count) throw refusal('wrongLength');
        const own = messages.filter(({ conversation }) => peerOf(conversation, uid) !== null);
        // First what opens the files: a message that is shown can be looked at. A name that its own message does not have could stand for another's file.
        const files = own.flatMap((message) => message.files.filter(({ name }) => isSealedKey(name) && objectKeysOf(customPayload(message.contentType, message.content)).includes(name)));
        await rows.addObjects(files);
        const next = { ...taking, next: taking.next + 1, taken: taking.taken + count };
        await this.#history.take(own, [rows.handoverWrite('in', taking.offer, next)]);
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

    /** Fetches an object and opens it. */
    async #get({ object, hash, size }, key) {
        const sealed = await this.#objects.get(object, sealedCount(size));
        const text = strictTextOf(await openFile(sealed, { key, hash, limit: size }));
        const json = text === null ? undefined : parse(text);
        if (json === undefined) throw malformed('handover');
        return json;
    }
}

/** Whether a page more is within the bounds of an offer. */
function hasRoom(pages, { json, count }) {
    const size = pages.reduce((sum, page) => sum + page.size, utf8(canonical(json)).length);
    return pages.length < PAGES && size <= SIZE && pages.reduce((sum, page) => sum + page.count, count) <= MESSAGES;
}

/** Whether trying again a little later may help, without anything else that changes. */
function isSoonOver(error) { return isTransport(error) || refusedCode(error) === TOO_MANY; }

/** Whether an error says that what was handed over is not what it said. */
function isOfOffer(error) {
    return ['malformed', 'tooLarge', 'badSignature', 'notListed', 'unknownList', 'otherDevice', 'damaged', 'keyNotInUse', 'otherFile', 'wrongLength'].includes(reasonOf(error));
}
