import { covered, coveredBack, takeCovering } from './arrivals.js';
import { applyEvents, applyPlaces, forgetPlaces, setBlocks, takeElements } from './changes.js';
import { LIMITS, isPerson, peerOf, whole } from './ids.js';

const FIRST_CONVERSATIONS = 50;
const FIRST_MESSAGES = 20;
const UNREAD_REACH = 2000;
const CLOCK_SKEW = 86_400_000;
const PAGE = 100;

/**
 * Asks the hub for what is missing here. Source: invariant I4.
 */
export class CatchingUp {
    #options;
    #book;
    #due;
    #opening;
    #ask;

    /**
     * @param {Object} options
     * @param {import('./book.js').Book} options.book
     * @param {import('./opening.js').Opening} options.opening
     * @param {import('./sync.js').Due} options.due
     * @param {any} options.sealing
     * @param {(path: string, body: Object) => Promise<any>} options.ask
     * @param {import('../../wire/time.js').Time} options.time
     * @param {(id: string) => Promise<void>} options.pushed Takes what was pushed beyond a gap that may be closed now.
     * @param {() => string[]} options.waiting Conversations of which something waits so.
     * @param {(id: string) => number[]} options.places Where that is.
     * @param {(events: any[]) => void} options.noteEvents
     */
    constructor(options) {
        this.#options = options;
        this.#book = options.book;
        this.#due = options.due;
        this.#opening = options.opening;
        this.#ask = options.ask;
    }

    /** Asks for all changes and messages since the last ones, until nothing is left. */
    async sync() {
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
            const part = await this.#opening.part(id, found);
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
        this.#options.noteEvents(events);
        for (const id of this.#options.waiting()) await this.#options.pushed(id);
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
                const found = await this.#opening.part(range.id, answer[range.id]);
                const places = answer[range.id] ? coveredBack(found, range) : null;
                if (!places) continue;
                await this.#book.change((transaction) => takeCovering(transaction, range.id, found.arrivals, places, { tells: true }));
                this.#due.loads.delete(range.id);
                this.#due.elements.add(range.id);
                await this.#reachUnread(range.id);
                await this.#options.pushed(range.id);
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
        const found = await this.#opening.part(id, answer[id]);
        const places = answer[id] ? coveredBack(found, range) : null;
        if (!places) return false;
        await this.#book.change((transaction) => takeCovering(transaction, id, found.arrivals, places, { tells: false }));
        return true;
    }

    /** Asks for what is missing before what was pushed or sent. */
    async repair(id) {
        for (let record = this.#book.conversations.get(id); record && record.oldest !== null; record = this.#book.conversations.get(id)) {
            const waiting = Math.min(Infinity, ...this.#options.places(id));
            const end = Number.isFinite(waiting) ? waiting - 1 : record.newest;
            if (end <= record.applied) break;
            const range = { id, first: record.applied + 1, last: Math.min(end, record.applied + LIMITS.pull) };
            const answer = await this.#pull([range], LIMITS.pull, 0);
            const found = await this.#opening.part(id, answer[id]);
            const places = answer[id] ? covered(found, range) : null;
            if (!places) break;
            await this.#book.change((transaction) => takeCovering(transaction, id, found.arrivals, places, { tells: true }));
        }
        this.#due.repairs.delete(id);
        await this.#options.pushed(id);
    }

    /** Asks how conversations stand that are new here, or that the hub changed without telling a place. */
    async refreshElements() {
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
}
