import { ClientError } from '../client.js';
import { clientErrorOf } from './failures.js';
import { aborted, untilAborted } from './method-table.js';
import { whileReached } from './call-methods.js';

/** A third of what a subscription lasts, in milliseconds. */
const RENEWAL = 30_000;
/** Agents put a file away for a moment while they write it anew: so long after a thread is gone the computer is asked whether it is. */
const ABSENCE = 3000;
/** Failures after which another try may be answered. */
const PASSING = new Set(['away', 'offline', 'gone', 'lost', 'cancelled', 'internal', 'full']);

const LIST_EVENTS = new Set(['threads.changed', 'threads.removed', 'threads.approval', 'threads.approval.closed']);

/** How many follow the same at a computer: what the last one leaves is not subscribed to any more. */
const followers = new Map();

/**
 * @param {import('./method-table.js').MethodTable} table
 * @param {{phone: any, paired: import('./paired.js').Paired}} context
 */
export function serveThreads(table, { phone, paired }) {
    table.serve('threads.follow', async ({ device, id, source, after }, { item, signal }) => {
        if (id && !source) throw new ClientError('bad-request', 'The agent of the conversation is missing (source).');
        const computer = paired.computer(device);
        const following = new Following({ phone, computer, thread: id ? { id, source } : null, after: after ?? null, item, signal });
        await following.run();
        return null;
    });
}

/** A thread of a computer, or its list, followed until its asker has gone or the computer is forgotten. */
class Following {
    #options;
    #cursor;
    #timers = new Set();
    #asking = null;
    #isAskedAgain = false;
    /** @type {(error: any) => void} */
    #fail = () => {};

    /** @param {{phone: any, computer: any, thread: {id: string, source: string} | null, after: string | null, item: (value: any) => void, signal: AbortSignal}} options */
    constructor(options) {
        this.#options = options;
        this.#cursor = options.after;
    }

    async run() {
        const { phone, computer, thread, item, signal } = this.#options;
        const key = JSON.stringify([computer.id, thread?.source ?? '', thread?.id ?? '']);
        followers.set(key, (followers.get(key) ?? 0) + 1);
        const early = [];
        let isTold = false;
        const stop = computer.events('*', (event) => { if (isTold) this.#take(event); else early.push(event); });
        try {
            const first = await this.#subscribe(this.#cursor);
            this.#cursor = first.newer ?? this.#cursor;
            item({ subscribed: first });
            isTold = true;
            for (const event of early.splice(0)) this.#take(event);
            await untilAborted(this.#goOn(phone, computer, signal), signal);
        } finally {
            stop();
            for (const timer of this.#timers) clearTimeout(timer);
            this.#leave(key);
        }
    }

    /** Asks again whenever something may be missing, until the computer refuses or is forgotten. */
    #goOn(phone, computer, signal) {
        return new Promise((resolve, reject) => {
            this.#fail = reject;
            let isFirst = true;
            whileReached(phone, computer.id, signal, (isReached) => {
                if (isReached && !isFirst) this.#ask();
                isFirst = false;
            }).then(() => resolve(undefined), reject);
            const renew = () => this.#later(RENEWAL, () => { this.#ask(); renew(); });
            renew();
            aborted(signal).then(() => resolve(undefined));
        });
    }

    #later(milliseconds, work) {
        const timer = setTimeout(() => { this.#timers.delete(timer); work(); }, milliseconds);
        this.#timers.add(timer);
    }

    #subscribe(after) {
        const { computer, thread, signal } = this.#options;
        return computer.call('threads.subscribe', { ...thread, ...(thread && after !== null && { after }) }, { signal, isRepeatable: true });
    }

    #take({ event, members }) {
        const { thread, item } = this.#options;
        if (!this.#concerns(event, members)) return;
        // Behind a gap too: the follower asks for what is missing itself.
        if (event === 'threads.items' && typeof members.newer === 'string') this.#cursor = members.newer;
        item({ ...members, event });
        if (thread && event === 'threads.removed') this.#later(ABSENCE, () => this.#ask());
    }

    #concerns(event, members) {
        const { thread } = this.#options;
        if (!thread) return LIST_EVENTS.has(event);
        const isOurs = (named) => named?.id === thread.id && named?.source === thread.source;
        switch (event) {
            case 'threads.items': case 'threads.delta': case 'threads.removed': case 'threads.approval.closed': return isOurs(members);
            case 'threads.changed': return isOurs(members.thread);
            case 'threads.approval': return members.approval?.thread_id === thread.id && members.approval?.source === thread.source;
            default: return false;
        }
    }

    /** One question at a time; a reason that comes meanwhile asks once more. */
    #ask() {
        this.#isAskedAgain = true;
        this.#asking ??= this.#askAll().finally(() => { this.#asking = null; });
    }

    async #askAll() {
        const { thread, item, signal } = this.#options;
        while (this.#isAskedAgain && !signal.aborted) {
            this.#isAskedAgain = false;
            const asked = this.#cursor;
            try {
                const page = await this.#subscribe(asked);
                if (signal.aborted || !thread || typeof page.newer !== 'string' || (!page.replaces && page.newer === asked)) continue;
                if (this.#cursor === asked) this.#cursor = page.newer;
                // Not where the follower is by now: an event may have told of these items meanwhile.
                item({
                    event: 'threads.items', ...thread, ...(asked !== null && { after: asked }), items: page.items ?? [], newer: page.newer, is_end: page.is_end === true,
                    replaces: page.replaces === true,
                });
                if (page.is_end === false) this.#isAskedAgain = true;
            } catch (error) {
                const failed = clientErrorOf(error);
                if (!PASSING.has(failed.code)) { this.#fail(failed); return; }
            }
        }
    }

    #leave(key) {
        const { computer, thread } = this.#options;
        const left = followers.get(key) - 1;
        if (left > 0) { followers.set(key, left); return; }
        followers.delete(key);
        if (computer.state === 'ready') computer.call('threads.unsubscribe', { ...thread }).catch(() => {});
    }
}
