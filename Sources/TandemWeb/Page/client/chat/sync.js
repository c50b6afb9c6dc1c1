import { byteCountOf } from '../../wire/bytes.js';
import { Alarm } from '../../wire/time.js';
import { covered, coveredBack, takeCovering, takePushed } from './arrivals.js';
import { applyEvents, applyPlaces, forgetPlaces, setBlocks, takeElements } from './changes.js';
import { isTransport } from './failures.js';
import { faceKey } from './faces.js';
import { LIMITS, conversationOf, isPerson, peerOf, whole } from './ids.js';
import { CUSTOM, TEXT, incoming, payloadOf, rowOf } from './message.js';
import { inOrder, isListed } from './transaction.js';

const FIRST_CONVERSATIONS = 50;
const FIRST_MESSAGES = 20;
const UNREAD_REACH = 2000;
/** A gap is given so long to close by itself. */
const PATIENCE = 300;
const MOST_WAITING = 512;
const PERSON_LIFE = 86_400_000;
const CLOCK_SKEW = 86_400_000;
const WAITS = [1000, 2000, 5000];
const PAGE = 100;

/**
 * Agreeing with the hub. What it tells is taken in order and asks nothing; what has to be asked is noted, and one worker asks it. Source: `docs/chat-client.md`.
 */
export class Sync {
    #options;
    #book;
    #ask;
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
        this.#ask = (path, body) => options.hub.ask(path, { userID: options.book.me, ...body });
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
            await this.#takePushed(conversation, await this.#opened(conversation, part.Msgs));
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

    // MARK: Opening

    /** Messages as this device reads them. One that is here already stays sealed: the key that opened it may be gone. None stops the others. */
    async #opened(conversation, messages) {
        const arrivals = [];
        for (const data of messages) {
            const message = incoming(data, conversation, this.#book.me);
            if (!message) continue;
            const payload = message.type === CUSTOM ? payloadOf(message.content) : null;
            const known = payload?.type === 'sealed' ? await this.#book.message(conversation, message.from, message.id) : undefined;
            const isUnopened = known !== undefined && known.trouble === null;
            const isPlain = isUnopened || !this.#options.sealing || message.isUnreadable || message.type !== TEXT && message.type !== CUSTOM;
            const opened = isPlain ? unsealed(message, payload, isUnopened) : await this.#options.sealing.open({ ...message, sender: message.from, contentType: message.type, isFromServer: payload?.destroyed === true });
            arrivals.push({ row: rowOf(message, opened), isUnopened });
        }
        return arrivals;
    }

    async #part(conversation, part) {
        const messages = Array.isArray(part?.Msgs) ? part.Msgs.slice(0, LIMITS.pull) : [];
        return { arrivals: await this.#opened(conversation, messages), isEnd: part?.isEnd === true, places: messages.map(({ seq }) => whole(seq)).filter(Boolean) };
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
        if (this.#due.sync) await this.#sync();
        if (this.#due.loads.size > 0) await this.load();
        if (this.#due.elements.size > 0) await this.#refreshElements();
        for (const conversation of [...this.#due.repairs]) await this.#repair(conversation);
        if (this.#due.untold) await this.#tellUntold();
        if (this.#due.people) await this.#fetchPeople();
        if (this.#due.presence) await this.#followPresence();
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

    // MARK: Asking for what is missing

    /** Asks for all changes and messages since the last ones, until nothing is left. */
    async #sync() {
        this.#due.sync = false;
        const began = this.#options.time.now();
        try {
            let mayReload = true;
            if (this.#book.event === null) {
                mayReload = false;
                await this.#reload();
                // What is asked for behind it is what came meanwhile.
                await this.load();
            }
            for (let next = await this.#syncOnce(mayReload); next.isMore; next = await this.#syncOnce(mayReload)) if (next.isReloaded) mayReload = false;
            await this.#options.sealing?.fetchedUpTo(began - CLOCK_SKEW);
        } catch (error) {
            this.#due.sync = true;
            throw error;
        }
    }

    /** @param {boolean} mayReload False once the list was loaded anew: a hub that says so again is not asked without end. */
    async #syncOnce(mayReload) {
        const event = this.#book.event ?? 0;
        const known = [...this.#book.conversations.values()].filter(({ oldest }) => oldest !== null);
        let isMore = false;
        for (let at = 0; at === 0 || at < known.length; at += LIMITS.conversations) {
            const seqs = Object.fromEntries(known.slice(at, at + LIMITS.conversations).map(({ id, applied }) => [id, applied]));
            const answer = await this.#ask('/chat/sync', { useq: event, seqs });
            if (answer.reload === true) {
                if (!mayReload) return { isMore: false };
                await this.#reload();
                await this.load();
                return { isMore: true, isReloaded: true };
            }
            if (await this.#apply(answer, event, seqs)) isMore = true;
        }
        return { isMore };
    }

    /** Everything of an answer in one transaction. @returns {Promise<boolean>} Whether the hub has more than it answered. */
    async #apply(answer, event, seqs) {
        const places = answer.seqs ?? {};
        const events = Array.isArray(answer.events) ? answer.events : [];
        const parts = [];
        for (const [id, found] of Object.entries(answer.msgs ?? {})) {
            if (!peerOf(id, this.#book.me)) continue;
            const part = await this.#part(id, found);
            const first = Math.max((seqs[id] ?? 0) + 1, whole(places[id]?.minSeq));
            parts.push({ id, arrivals: part.arrivals, range: covered(part, { first, last: whole(places[id]?.maxSeq) || first }) });
        }
        const isBehind = await this.#book.change(async (transaction) => {
            await applyEvents(transaction, events, { isAnswer: true });
            await applyPlaces(transaction, places);
            for (const { id, arrivals, range } of parts) await takeCovering(transaction, id, arrivals, range, { tells: true });
            const records = Object.keys(places).map((id) => transaction.known(id)).filter(Boolean);
            const asked = records.filter(({ id, oldest }) => oldest !== null && seqs[id] !== undefined);
            // Without progress there is no reason to ask the same again.
            return asked.some(({ id, applied }) => applied < whole(places[id]?.maxSeq)) && asked.some(({ id, applied }) => applied > seqs[id]);
        });
        for (const id of Object.keys(places)) if (this.#book.conversations.get(id)?.oldest === null) this.#due.loads.add(id);
        this.#due.untold = true;
        this.#noteEvents(events);
        for (const id of [...this.#pushed.keys()]) await this.#takePushed(id, []);
        const taken = this.#book.event ?? 0;
        return isBehind || taken > event && taken < whole(answer.useq);
    }

    /** Loads the list anew: this device has nothing yet, or changes that it lacks are not kept any more. */
    async #reload() {
        // The number first: what happens while the list comes is told again behind it.
        const event = whole((await this.#ask('/chat/sync', { useq: 0, seqs: {} })).useq);
        const before = new Map([...this.#book.conversations.values()].map(({ id, newest }) => [id, newest]));
        const [elements, blocks] = [await this.#allElements(), await this.#allBlocks()];
        await this.#book.change(async (transaction) => {
            forgetPlaces(transaction);
            await takeElements(transaction, elements, before);
            setBlocks(transaction, blocks);
            transaction.setEvent(event);
        });
        for (const { id, newest } of this.#book.conversations.values()) {
            if (newest === 0) continue;
            this.#due.loads.add(id);
            this.#due.seals.add(id);
        }
        Object.assign(this.#due, { people: true, presence: true, untold: true });
    }

    async #allElements() {
        const elements = [];
        for (let page = 1; ; page += 1) {
            const answer = await this.#ask('/conversation/get_sorted_conversation_list', { pagination: { pageNumber: page, showNumber: PAGE } });
            elements.push(...(Array.isArray(answer.conversationElems) ? answer.conversationElems : []));
            if (page * PAGE >= whole(answer.conversationTotal)) return elements;
        }
    }

    async #allBlocks() {
        const people = new Set();
        for (let page = 1; ; page += 1) {
            const answer = await this.#ask('/friend/get_black_list', { pagination: { pageNumber: page, showNumber: PAGE } });
            for (const { blackUserInfo } of Array.isArray(answer.blacks) ? answer.blacks : []) if (isPerson(blackUserInfo?.userID) && blackUserInfo.userID !== this.#book.me) people.add(blackUserInfo.userID);
            if (page * PAGE >= whole(answer.total)) return people;
        }
    }

    /** Loads the newest page of conversations that have none, the newest conversations first, and behind it what is unread. */
    async load(wanted = null) {
        if (wanted) this.#due.loads.add(wanted);
        while (this.#due.loads.size > 0) {
            const asked = [...this.#due.loads];
            // Where all was cleared there is nothing to load: an answer about the next place would say that it was seen.
            const part = asked.map((id) => this.#book.conversations.get(id)).filter((record) => record && record.oldest === null && record.newest >= Math.max(record.lowest, 1))
                .sort((one, other) => other.preview - one.preview).slice(0, FIRST_CONVERSATIONS);
            if (part.length === 0) {
                for (const id of asked) this.#due.loads.delete(id);
                return;
            }
            const ranges = part.map(({ id, lowest, newest }) => ({ id, first: Math.max(lowest, newest - FIRST_MESSAGES + 1), last: newest }));
            const answer = await this.#pull(ranges, FIRST_MESSAGES, 1);
            for (const range of ranges) {
                const found = await this.#part(range.id, answer[range.id]);
                const places = answer[range.id] ? coveredBack(found, range) : null;
                if (!places) continue;
                await this.#book.change((transaction) => takeCovering(transaction, range.id, found.arrivals, places, { tells: true }));
                this.#due.loads.delete(range.id);
                this.#due.elements.add(range.id);
                await this.#reachUnread(range.id);
                await this.#takePushed(range.id, []);
            }
            // Conversations of which the hub said nothing are asked for with the next sync.
            if (part.every(({ id }) => this.#due.loads.has(id))) for (const { id } of part) this.#due.loads.delete(id);
        }
    }

    async #pull(ranges, count, order) {
        const seqRanges = ranges.map(({ id, first, last }) => ({ conversationID: id, begin: first, end: last, num: count }));
        return (await this.#ask('/msg/pull_msg_by_seq', { order, seqRanges })).msgs ?? {};
    }

    /** Has everything unread here, so that it is counted here. */
    async #reachUnread(id) {
        for (let turn = 0; turn < UNREAD_REACH / LIMITS.pull; turn += 1) {
            const record = this.#book.conversations.get(id);
            if (!record || record.oldest === null || record.oldest <= record.readUpTo + 1 || record.oldest <= record.lowest || !await this.pullOlder(id)) return;
        }
    }

    /** Asks for what lies before everything that is here. @returns {Promise<boolean>} False where nothing came. */
    async pullOlder(id) {
        const { oldest, lowest } = this.#book.conversations.get(id);
        if (oldest === null || oldest <= lowest) return false;
        const range = { id, first: Math.max(lowest, oldest - LIMITS.pull), last: oldest - 1 };
        const answer = await this.#pull([range], LIMITS.pull, 1);
        const found = await this.#part(id, answer[id]);
        const places = answer[id] ? coveredBack(found, range) : null;
        if (!places) return false;
        await this.#book.change((transaction) => takeCovering(transaction, id, found.arrivals, places, { tells: false }));
        return true;
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

    /** Asks for what is missing before what was pushed or sent. */
    async #repair(id) {
        for (let record = this.#book.conversations.get(id); record && record.oldest !== null; record = this.#book.conversations.get(id)) {
            const waiting = Math.min(Infinity, ...(this.#pushed.get(id) ?? []).map(({ row }) => row.seq));
            const end = Number.isFinite(waiting) ? waiting - 1 : record.newest;
            if (end <= record.applied) break;
            const range = { id, first: record.applied + 1, last: Math.min(end, record.applied + LIMITS.pull) };
            const answer = await this.#pull([range], LIMITS.pull, 0);
            const found = await this.#part(id, answer[id]);
            const places = answer[id] ? covered(found, range) : null;
            if (!places) break;
            await this.#book.change((transaction) => takeCovering(transaction, id, found.arrivals, places, { tells: true }));
        }
        this.#due.repairs.delete(id);
        await this.#takePushed(id, []);
    }

    /** Asks how conversations stand that are new here, or that the hub changed without telling a place. */
    async #refreshElements() {
        while (this.#due.elements.size > 0) {
            const asked = [...this.#due.elements].filter((id) => peerOf(id, this.#book.me)).slice(0, LIMITS.people);
            const event = this.#book.event;
            const before = new Map(asked.map((id) => [id, this.#book.conversations.get(id)?.newest ?? 0]));
            const answer = await this.#ask('/conversation/get_sorted_conversation_list', { conversationIDs: asked, pagination: { pageNumber: 1, showNumber: PAGE } });
            const elements = Array.isArray(answer.conversationElems) ? answer.conversationElems : [];
            // Where a change came meanwhile the answer may be from before: it is asked for again.
            const isNew = await this.#book.change(async (transaction) => {
                if (transaction.event !== event) return false;
                await takeElements(transaction, elements, before);
                return true;
            });
            if (isNew) for (const id of asked) this.#due.elements.delete(id);
        }
    }

    // MARK: What the hub is told

    /** Tells how far this person has read, what has reached this device, and drafts. What the hub refuses is not told again. */
    async #tellUntold() {
        this.#due.untold = false;
        try {
            for (const { id } of [...this.#book.conversations.values()]) await this.#tell(id);
        } catch (error) {
            this.#due.untold = true;
            throw error;
        }
    }

    async #tell(id) {
        const { newest, applied, readUpTo, readTold, receivedTold, isDraftTold, draft, isSealed } = this.#book.conversations.get(id);
        const read = Math.min(readUpTo, newest);
        if (read > readTold) {
            await unlessRefused(this.#ask('/msg/mark_conversation_as_read', { conversationID: id, hasReadSeq: read }));
            await this.#change(id, (record) => { record.readTold = Math.max(record.readTold, read); });
        }
        if (applied > Math.max(receivedTold, read)) await unlessRefused(this.#ask('/chat/received', { conversationID: id, seq: applied }));
        if (newest > 0 && applied > receivedTold) await this.#change(id, (record) => { record.receivedTold = Math.max(record.receivedTold, applied); });
        if (isDraftTold) return;
        // Drafts of sealed conversations stay here.
        if (!isSealed) await unlessRefused(this.#options.hub.ask('/conversation/set_conversations', { userIDs: [this.#book.me], conversation: { conversationID: id, draftText: draft ?? '' } }));
        await this.#change(id, (record) => { if (record.draft === draft) record.isDraftTold = true; });
    }

    #change(id, work) { return this.#book.change((transaction) => work(transaction.conversation(id))); }

    // MARK: People

    /** Asks for names that are not known, or not any more. Source: rule L4. */
    async #fetchPeople() {
        this.#due.people = false;
        const old = this.#options.time.now() - PERSON_LIFE;
        const people = [...this.#book.conversations.values()].map(({ peer }) => peer).filter((user) => (this.#book.people.get(user)?.at ?? 0) < old);
        for (let at = 0; at < people.length; at += LIMITS.people) await unlessRefused(this.askPeople(people.slice(at, at + LIMITS.people)));
    }

    /** Asks for the names and pictures of some people now. */
    async askPeople(people) {
        const answer = await this.#options.hub.ask('/user/profile/openim-batch', { user_ids: people.map((user) => Number(user.slice(3))), scene: 'list' });
        const found = new Map((Array.isArray(answer) ? answer : []).map((each) => [`tb_${each?.uid}`, each]));
        await this.#book.change((transaction) => {
            for (const user of people) {
                const { username, avatar } = found.get(user) ?? {};
                const known = this.#book.people.get(user);
                const name = typeof username === 'string' && byteCountOf(username) <= LIMITS.name ? username : known?.name ?? '';
                // Who has no profile is asked about again as late as the others.
                transaction.keepPerson(user, { name, avatar: found.has(user) ? faceKey(avatar) ?? '' : known?.avatar ?? '', at: this.#options.time.now() });
                const id = user === this.#book.me ? null : conversationOf(this.#book.me, user);
                if (id && transaction.known(id)) transaction.conversation(id);
            }
        });
        return found;
    }

    /** Follows who is there, of the people at the top of the list. */
    async #followPresence() {
        this.#due.presence = false;
        const { me } = this.#book;
        const people = [...this.#book.conversations.values()].filter((record) => isListed(record) && record.request === null).sort(inOrder).slice(0, LIMITS.people).map(({ peer }) => peer);
        if (people.length === 0) return;
        try {
            const answer = await this.#options.watch(people);
            const statuses = Array.isArray(answer) ? answer : answer?.statuses ?? [];
            for (const { userID, status } of statuses) if (isPerson(userID) && userID !== me) this.#options.feed.setOnline(userID, conversationOf(me, userID), status === 1);
        } catch {
            // Nobody is shown as there; the next connection asks again.
        }
    }
}

/** What a message is where nothing opens it. */
function unsealed(message, payload, isUnopened) {
    const isSealed = payload?.type === 'sealed';
    return { contentType: message.type, content: message.content, isSealed, trouble: isSealed && !isUnopened ? 'otherDevice' : null, isUnexpectedlyClear: false };
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

async function unlessRefused(asked) {
    try {
        await asked;
    } catch (error) {
        if (isTransport(error) || error?.detail?.reason === 'signedOut') throw error;
    }
}
