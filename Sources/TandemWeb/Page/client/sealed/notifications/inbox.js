import { clientErrorOf } from '../failures.js';
import { callOf } from './mark.js';
import { changeIn, itemIn } from './item.js';

/** How long after events the computer is told that they are kept: events in between cost one call. In milliseconds. */
const ACKNOWLEDGEMENT = 1000;
/** How long a computer that failed to answer is let alone. */
const RETRIES = [2000, 10_000, 60_000];
/** How long a mark waits for its answer before it counts as queued, in seconds. */
const PATIENCE = 10;
const PAGE = 200;
const MOST_CHANGES = 500;
/** Pushes of the same within this time count once, of a computer that does not count. */
const SAME_WITHIN = 30_000;
/** The number of failures that another try may not meet. */
const [TOO_MANY, BUSY, FAILED] = [-32003, -32005, -32603];

/** One computer's notifications on this phone: it catches up whenever the computer is reached, takes what it tells, and carries marks to it. */
export class Inbox {
    #computer;
    #kept;
    #queue;
    #push;
    /** How the computer is caught up with: by the numbers of its changes, or by what all programs know. */
    #countsChanges = true;
    #isReached = false;
    #isAskedAgain = false;
    #isAsking = false;
    #acknowledged = null;
    #events = [];
    #isTaking = false;
    #timer = null;
    #failures = 0;
    #isPushInDoubt = false;
    #recent = new Map();
    #stops;

    /**
     * @param {{computer: any, kept: import('./kept.js').KeptNotifications, queue: import('../queue.js').Queue, push: import('./push.js').PushTold}} options
     */
    constructor({ computer, kept, queue, push }) {
        this.#computer = computer;
        this.#kept = kept;
        this.#queue = queue;
        this.#push = push;
        this.#stops = [
            computer.on('state', (state) => this.#stood(state)),
            computer.on('restarted', () => this.restarted()),
            computer.events('*', ({ event, members }) => this.#take(event, members)),
        ];
        this.#stood(computer.state);
    }

    get id() { return this.#computer.id; }
    get computer() { return this.#computer; }

    /** Another program may know more, or count otherwise. */
    restarted() {
        this.#countsChanges = true;
        this.ask();
    }

    /** Asks for what was missed without the right, once this phone has it. */
    allowed() {
        this.#isPushInDoubt = true;
        this.#failures = 0;
        this.ask();
    }

    end() {
        this.#isReached = false;
        clearTimeout(this.#timer);
        this.#stops.forEach((stop) => stop());
    }

    #stood(state) {
        const isReached = state === 'ready';
        if (isReached === this.#isReached) return;
        this.#isReached = isReached;
        clearTimeout(this.#timer);
        if (!isReached) return;
        this.#isPushInDoubt = true;
        this.#failures = 0;
        this.restarted();
    }

    // MARK: Catching up

    /** Brings the list up to date: what a person asks for. */
    refresh() { return this.#catchUp(); }

    ask() {
        this.#isAskedAgain = true;
        if (!this.#isAsking && this.#isReached) this.#answerAsks();
    }

    async #answerAsks() {
        this.#isAsking = true;
        while (this.#isAskedAgain && this.#isReached) {
            this.#isAskedAgain = false;
            try {
                await this.#catchUp();
                await this.tellPush();
                this.#failures = 0;
            } catch (error) {
                // What was asked meanwhile is asked with what is so by now: a right that came, a connection that is another one.
                if (!this.#isReached || !isWorthRepeating(error)) continue;
                this.#isAskedAgain = true;
                this.#ring(RETRIES[Math.min(this.#failures, RETRIES.length - 1)]);
                this.#failures += 1;
                break;
            }
        }
        // In the same step as the loop's last look, so that no ask falls between the two.
        this.#isAsking = false;
    }

    #ring(milliseconds) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.ask(), milliseconds);
    }

    async #catchUp() {
        await this.#kept.ready();
        if (this.#countsChanges) {
            try {
                await this.#catchUpByNumbers();
                return;
            } catch (error) {
                if (error.code !== 'unknown-method') throw error;
                this.#countsChanges = false;
            }
        }
        const newest = this.#kept.newest;
        const history = historyIn(await this.#call('notification.getHistory', { limit: MOST_CHANGES }));
        await this.#kept.change(this.id, (rows) => rows.applyHistory(history, newest));
    }

    async #catchUpByNumbers() {
        for (let isBehind = true; isBehind;) {
            const asked = this.#kept.of(this.id).position;
            const answer = answerIn(await this.#call('notification.sync', { ...(asked.epoch !== null && { epoch: asked.epoch }), after: asked.after, limit: PAGE }));
            this.#acknowledged = asked;
            ({ isBehind } = await this.#kept.change(this.id, (rows) => rows.applyAnswer(answer, asked)));
        }
        const { epoch, after } = this.#kept.of(this.id).position;
        if (epoch !== this.#acknowledged.epoch || after !== this.#acknowledged.after) this.#ring(ACKNOWLEDGEMENT);
    }

    #call(method, params) { return this.#computer.call(method, params, { isRepeatable: true }); }

    /** Tells the computer where this phone is woken, if it does not know, and once after it may have lost it. @returns {Promise<boolean>} Whether it knows. */
    async tellPush() {
        const isInDoubt = this.#isReached && this.#isPushInDoubt;
        const wanted = await this.#push.toTell(this.id, isInDoubt);
        if (wanted === undefined) return true;
        if (!this.#isReached) return false;
        if (isInDoubt) this.#isPushInDoubt = false;
        try {
            if (wanted) await this.#call('notification.registerPush', { ...wanted, device: this.id });
            else await this.#call('notification.unregisterPush', {});
        } catch (error) {
            if (error.code === 'unknown-method') return false;
            this.#isPushInDoubt ||= isInDoubt;
            throw error;
        }
        await this.#push.told(this.id, wanted);
        return true;
    }

    // MARK: What it tells

    #take(event, members) {
        const told = eventIn(event, members);
        if (!told) return;
        if (told.sequence === null || told.epoch === null) { this.#takeUncounted(told); return; }
        if (this.#events.length < MOST_CHANGES) this.#events.push(told);
        else this.#isAskedAgain = true;
        if (!this.#isTaking) this.#takeEvents();
    }

    /** Takes all events that came meanwhile, in one transaction. */
    async #takeEvents() {
        this.#isTaking = true;
        // Those of the same moment come together.
        await null;
        while (this.#events.length > 0) {
            const batch = this.#events.splice(0);
            try {
                const { isBehind } = await this.#kept.change(this.id, (rows) => rows.applyEvents(batch));
                if (isBehind || this.#isAskedAgain) this.ask();
                else this.#ring(ACKNOWLEDGEMENT);
            } catch {
                // The disk is full: what was not kept is asked for again.
                this.#ring(RETRIES.at(-1));
            }
        }
        this.#isTaking = false;
    }

    #takeUncounted(told) {
        const now = Date.now();
        if (told.kind === 'received') {
            const { item } = told;
            if (item.createdAt <= 0) item.createdAt = now;
            for (const [key, at] of this.#recent) if (now - at > SAME_WITHIN) this.#recent.delete(key);
            const key = JSON.stringify([item.id, item.title, item.body]);
            if (this.#recent.has(key)) return;
            this.#recent.set(key, now);
        }
        this.#kept.change(this.id, (rows) => rows.applyUncounted(told)).catch(() => {});
    }

    // MARK: Marks

    /**
     * Marks or deletes. It shows at once; where the computer refuses, it is as before again.
     *
     * @param {import('./mark.js').Mark} mark
     * @returns {Promise<{queued: boolean, count: number}>}
     */
    async mark(mark) {
        const own = crypto.randomUUID();
        const { mark: numbered } = await this.#kept.change(this.id, (rows) => rows.mark(mark, own));
        const { method, params } = callOf(numbered);
        try {
            const { queued, result, command } = await this.#queue.call(this.id, method, params, { timeout: PATIENCE });
            if (queued) {
                await this.#kept.change(this.id, (rows) => { rows.join(own, command.id); return { news: null }; });
                return { queued: true, count: 0 };
            }
            await this.ended(own, true);
            const count = [result?.markedCount, result?.clearedCount, result?.count].find(Number.isInteger) ?? 0;
            return { queued: false, count: Math.min(count, mark.ids?.length ?? count) };
        } catch (error) {
            await this.ended(own, false);
            throw clientErrorOf(error);
        }
    }

    /** A command that carried marks was done, or will not be done. */
    ended(command, isDone) { return this.#kept.change(this.id, (rows) => ({ news: rows.endMark(command, isDone) })); }
}

/** A missing right and an answer that cannot be read are the same a minute later. */
function isWorthRepeating({ code, detail }) {
    if (detail?.rpc !== undefined) return [TOO_MANY, BUSY, FAILED].includes(detail.rpc);
    return !['not-allowed', 'bad-request', 'refused', 'not-found', 'cancelled'].includes(code);
}

function answerIn(wire) {
    const changes = Array.isArray(wire?.changes) ? wire.changes.slice(0, MOST_CHANGES).map(changeIn).filter(Boolean) : [];
    return {
        epoch: typeof wire?.epoch === 'string' ? wire.epoch.slice(0, 128) : '', changes, reached: Number.isSafeInteger(wire?.reached) ? wire.reached : 0, more: wire?.more === true,
        fromStart: wire?.fromStart === true, unreadCount: Number.isSafeInteger(wire?.unreadCount) ? Math.max(0, wire.unreadCount) : Infinity,
        ...(Number.isSafeInteger(wire?.history) && { history: wire.history }),
    };
}

function historyIn(wire) {
    const list = Array.isArray(wire?.notifications) ? wire.notifications : Array.isArray(wire?.items) ? wire.items : [];
    const notifications = list.slice(0, MOST_CHANGES).map((each) => itemIn(each, { mayLackBody: true })).filter(Boolean);
    return { notifications, total: Number.isSafeInteger(wire?.total) ? wire.total : notifications.length };
}

/** An event of notifications; null for another, and for one that cannot be read. */
function eventIn(event, members) {
    const numbers = { epoch: typeof members?.epoch === 'string' ? members.epoch : null, sequence: Number.isSafeInteger(members?.sequence) ? members.sequence : null };
    if (event === 'notification.received' || event === 'chainlesschain:notification:received') {
        const item = itemIn(members);
        return item && { kind: 'received', item, ...numbers };
    }
    if (event !== 'notification.changed') return null;
    const change = changeIn(members);
    return change && { kind: change.deleted ? 'deleted' : 'changed', item: change, ...numbers };
}
