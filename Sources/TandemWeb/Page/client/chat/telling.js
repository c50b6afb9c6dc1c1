import { byteCountOf } from '../../wire/bytes.js';
import { faceKey } from './faces.js';
import { isTransport } from './failures.js';
import { LIMITS, conversationOf, isPerson } from './ids.js';
import { inOrder, isListed } from './transaction.js';

const PERSON_LIFE = 86_400_000;

/** Tells the hub what this person did here, and asks who people are and who is there. */
export class Telling {
    #options;
    #book;
    #due;
    #ask;

    /**
     * @param {Object} options
     * @param {import('./book.js').Book} options.book
     * @param {import('./hub.js').Hub} options.hub
     * @param {import('./feed.js').Feed} options.feed
     * @param {import('./sync.js').Due} options.due
     * @param {(path: string, body: Object) => Promise<any>} options.ask
     * @param {(people: string[]) => Promise<any>} options.watch
     * @param {import('../../wire/time.js').Time} options.time
     */
    constructor(options) {
        this.#options = options;
        this.#book = options.book;
        this.#due = options.due;
        this.#ask = options.ask;
    }

    /** Tells how far this person has read, what has reached this device, and drafts. What the hub refuses is not told again. */
    async tellUntold() {
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
    async fetchPeople() {
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
    async followPresence() {
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

async function unlessRefused(asked) {
    try {
        await asked;
    } catch (error) {
        if (isTransport(error) || error?.detail?.reason === 'signedOut') throw error;
    }
}
