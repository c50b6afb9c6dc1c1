import { Alarm } from '../../wire/time.js';
import { takePushed } from './arrivals.js';
import { CatchingUp } from './catching-up.js';
import { applyEvents } from './changes.js';
import { conversationOf, isPerson, peerOf, whole } from './ids.js';
import { Opening } from './opening.js';
import { Telling } from './telling.js';

/** A gap is given so long to close by itself. */
const PATIENCE = 300;
const MOST_WAITING = 512;
const WAITS = [1000, 2000, 5000];

/**
 * What has to be asked or told.
 *
 * @typedef {{sync: boolean, untold: boolean, people: boolean, presence: boolean, loads: Set<string>, elements: Set<string>, repairs: Set<string>, seals: Set<string>}} Due
 *
 * Agreeing with the hub. What it tells is taken in order and asks nothing; what has to be asked is noted, and one worker asks it. Source: `docs/chat-client.md`.
 */
export class Sync {
    #options;
    #book;
    #opening;
    #catching;
    #telling;
    /** @type {Due} */
    #due = { sync: false, untold: false, people: false, presence: false, loads: new Set(), elements: new Set(), repairs: new Set(), seals: new Set() };
    /** What was pushed beyond a gap, by conversations. @type {Map<string, import('./arrivals.js').Arrival[]>} */
    #pushed = new Map();
    #patience = new Map();
    #work = null;
    #retry;
    #tries = 0;
    #isConnected = false;
    #isEnded = false;

    /**
     * @param {Object} options
     * @param {import('./book.js').Book} options.book
     * @param {import('./hub.js').Hub} options.hub
     * @param {import('./feed.js').Feed} options.feed
     * @param {any} options.sealing Of `sealing/sealing.js`; null where nothing is sealed.
     * @param {(people: string[]) => Promise<any>} options.watch
     * @param {import('../../wire/time.js').Time} options.time
     */
    constructor(options) {
        this.#options = options;
        this.#book = options.book;
        const ask = (path, body) => options.hub.ask(path, { userID: options.book.me, ...body });
        const shared = { ...options, ask, due: this.#due };
        this.#opening = new Opening(options);
        this.#telling = new Telling(shared);
        this.#catching = new CatchingUp({
            ...shared, opening: this.#opening, pushed: (id) => this.#takePushed(id, []), waiting: () => [...this.#pushed.keys()], noteEvents: (events) => this.#noteEvents(events),
            places: (id) => (this.#pushed.get(id) ?? []).map(({ row }) => row.seq),
        });
        this.#retry = new Alarm(options.time);
    }

    end() {
        this.#isEnded = true;
        this.#retry.clear();
        for (const stop of this.#patience.values()) stop();
    }

    /** Whether nothing is due or on its way: what tests wait for. */
    get isSettled() { return this.#work === null && !this.#asksHub && this.#pushed.size === 0 && this.#patience.size === 0 && this.#due.seals.size === 0; }

    // MARK: What the hub tells

    connected() {
        this.#isConnected = true;
        this.#options.feed.setStanding('connecting');
        Object.assign(this.#due, { sync: true, presence: true, untold: true });
        this.#options.sealing?.connected();
        this.poke();
    }

    lost() {
        this.#isConnected = false;
        this.#options.feed.setStanding('away');
    }

    /** One push. */
    async push(data) {
        if (data?.resync === true) {
            this.#options.sealing?.resynced();
            this.#due.sync = true;
            this.poke();
            return;
        }
        // Notices for other clients come with an event, which says the same.
        if (Array.isArray(data?.events)) { await this.#takeEvents(data.events); return; }
        for (const [conversation, part] of Object.entries(data?.msgs ?? {})) {
            if (!peerOf(conversation, this.#book.me) || !Array.isArray(part?.Msgs)) continue;
            try {
                await this.#takePushed(conversation, await this.#opening.opened(conversation, part.Msgs));
            } catch {
                // They are asked for again.
                this.#due.sync = true;
                this.poke();
            }
        }
    }

    async #takeEvents(events) {
        for (const event of events) if (!whole(event?.useq)) this.#takeLive(event ?? {});
        const kept = events.filter((event) => whole(event?.useq));
        if (kept.length === 0) return;
        try {
            if (!await this.#book.change((transaction) => applyEvents(transaction, kept, {}))) this.#due.sync = true;
            this.#noteEvents(kept);
        } catch {
            this.#due.sync = true;
        }
        this.poke();
    }

    /** The event of a request names no place, so the hub's list tells what it hid. */
    #noteEvents(events) {
        for (const { event, conversationID } of events) if (event === 'requestDeclined' || event === 'requestAccepted') this.#due.elements.add(conversationID);
    }

    /** What is told once and not kept. */
    #takeLive({ event, conversationID, userID, isOnline, seq }) {
        const { me } = this.#book;
        if (event === 'keysChanged' && isPerson(userID)) this.#options.sealing?.keysChanged(userID);
        if (event === 'presence' && isPerson(userID) && userID !== me) this.#options.feed.setOnline(userID, conversationOf(me, userID), isOnline === true);
        if (!this.#book.conversations.has(conversationID)) return;
        if (event === 'typing') this.#options.feed.setTyping(conversationID);
        if (event === 'peerReceived') {
            this.#book.change((transaction) => {
                const record = transaction.conversation(conversationID);
                record.peerReceived = Math.max(record.peerReceived, whole(seq));
            }).catch(() => {});
        }
    }

    async #takePushed(conversation, arrivals) {
        const waiting = this.#pushed.get(conversation) ?? [];
        this.#pushed.delete(conversation);
        if (waiting.length + arrivals.length === 0) return;
        try {
            const isNew = (this.#book.conversations.get(conversation)?.oldest ?? null) === null;
            const left = await this.#book.change((transaction) => takePushed(transaction, conversation, [...waiting, ...arrivals]));
            this.#keep(conversation, left);
            const record = this.#book.conversations.get(conversation);
            if (record.oldest === null) this.#due.loads.add(conversation);
            else if (left.length > 0) this.beginPatience(conversation);
            if (isNew) this.noteNew(conversation);
            if (record.newest > record.receivedTold) this.#due.untold = true;
        } catch {
            // They are asked for again.
            this.#due.sync = true;
        }
        this.poke();
    }

    /** Beyond the bound the highest are let go, and pulled later. */
    #keep(conversation, arrivals) {
        if (arrivals.length > 0) this.#pushed.set(conversation, [...arrivals].sort((one, other) => one.row.seq - other.row.seq).slice(0, MOST_WAITING));
    }

    /** A conversation that this device has not seen. */
    noteNew(conversation) {
        this.#due.elements.add(conversation);
        this.#due.seals.add(conversation);
        Object.assign(this.#due, { people: true, presence: true });
    }

    // MARK: What screens wait for

    /** Loads the newest part of a conversation. */
    load(id) { return this.#catching.load(id); }

    /** Asks for what lies before everything that is here. */
    pullOlder(id) { return this.#catching.pullOlder(id); }

    askPeople(people) { return this.#telling.askPeople(people); }

    // MARK: What this device did

    /** An own act has a number that is not pushed to the device that caused it. */
    acted() { this.#note({ sync: true }); }
    noteUntold() { this.#note({ untold: true }); }
    notePresence() { this.#note({ presence: true, untold: true }); }

    #note(members) {
        Object.assign(this.#due, members);
        this.poke();
    }

    noteSeal(conversation) {
        this.#due.seals.add(conversation);
        this.poke();
    }

    noteSent(conversation, hasGap) {
        const record = this.#book.conversations.get(conversation);
        if (record.oldest === null) this.#due.loads.add(conversation);
        else if (hasGap) this.beginPatience(conversation);
        // The first message to somebody is a request until it is answered.
        if (record.newest === 1) this.noteNew(conversation);
        this.poke();
    }

    // MARK: The worker

    /** Has the worker look at what is due. */
    poke() {
        if (this.#isEnded || this.#work) return;
        this.#retry.clear();
        this.#work = this.#run().finally(() => {
            this.#work = null;
            if (this.#retry.at === null && (this.#asksHub || this.#due.seals.size > 0)) this.poke();
        });
    }

    get #asksHub() {
        const { sync, untold, people, presence, loads, elements, repairs } = this.#due;
        return this.#isConnected && (sync || untold || people || presence || loads.size + elements.size + repairs.size > 0);
    }

    async #run() {
        while (!this.#isEnded && (this.#due.seals.size > 0 || this.#asksHub)) {
            try {
                await this.#runOnce();
                this.#tries = 0;
            } catch (error) {
                if (this.#isEnded || error?.detail?.reason === 'signedOut') return;
                this.#retry.set(WAITS[Math.min(this.#tries, WAITS.length - 1)], () => this.poke());
                this.#tries += 1;
                return;
            }
        }
    }

    /** Does all that is due, in the order in which it builds on each other. */
    async #runOnce() {
        await this.#refreshSeals();
        if (!this.#isConnected) return;
        if (this.#due.sync) await this.#catching.sync();
        if (this.#due.loads.size > 0) await this.#catching.load();
        if (this.#due.elements.size > 0) await this.#catching.refreshElements();
        for (const conversation of [...this.#due.repairs]) await this.#catching.repair(conversation);
        if (this.#due.untold) await this.#telling.tellUntold();
        if (this.#due.people) await this.#telling.fetchPeople();
        if (this.#due.presence) await this.#telling.followPresence();
        if (this.#isConnected && !this.#due.sync) this.#options.feed.setStanding('live');
    }

    async #refreshSeals() {
        const { sealing, time } = this.#options;
        const ids = [...this.#due.seals];
        this.#due.seals.clear();
        if (!sealing) return;
        for (const id of ids) {
            const { isSealed, isVerified, trouble } = await sealing.standing(id);
            const known = this.#book.conversations.get(id);
            if (!known) continue;
            const devices = await sealing.deviceChanges(id, known.devicePlace);
            if (known.isSealed === isSealed && known.isVerified === isVerified && known.trouble === trouble && !devices) continue;
            await this.#book.change((transaction) => {
                const record = transaction.conversation(id);
                Object.assign(record, { isSealed, isVerified, trouble });
                if (devices) noteDevices(transaction, record, devices, time.now());
            });
        }
    }

    /** Gives a gap its time to close by itself, then has it asked for. Source: invariant I4. */
    beginPatience(id) {
        if (this.#patience.has(id)) return;
        this.#patience.set(id, this.#options.time.after(PATIENCE, () => {
            this.#patience.delete(id);
            this.#due.repairs.add(id);
            this.poke();
        }));
    }
}

/** Lines of this phone: the other person's list of devices changed. */
function noteDevices(transaction, record, { upTo, changes }, now) {
    record.devicePlace = upTo;
    changes.forEach(({ added, removed, isAnew }, at) => {
        const id = now * 1000 + at;
        const notice = { id, conversation: record.id, after: record.newest, time: now, added, removed, isAnew };
        transaction.write('chat-notices', transaction.key(record.id, String(id)), notice);
        transaction.news.notices.push(notice);
    });
}
