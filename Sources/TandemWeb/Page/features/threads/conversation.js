import { emptyState, errorBanner, h, linkButton, skeleton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { approvalStack } from './approvals.js';
import { Composer } from './composer.js';
import { draftFor } from '../../kit/drafts.js';
import { Entries } from './entries.js';
import { aboveFirst, entryView, estimate, newestButton } from './entry.js';
import { flow } from '../../kit/flow.js';
import { Follower } from './follower.js';
import { markFound } from './found.js';
import { threadHead } from './head.js';
import { posting, Sending } from './sending.js';
import { agentThere, endedNote } from './standing.js';
import { isWaiting } from './states.js';
import { beginning, visible } from '../../kit/said.js';
import { wide } from '../../kit/diff/view.js';

/** A message that is being written is drawn so often, in milliseconds. */
const PACE = 90;
/** So long the first page waits for what waits for the person. */
const PATIENCE = 800;
/** Among so many items, after all were read anew, stands what was just sent. */
const LATEST = 20;

/**
 * One thread as a conversation: its items, live, what waits for the person, and where they write.
 *
 * @param {Object} options
 * @param {import('../../client/client.js').Client} options.client
 * @param {Object} options.threads
 * @param {{id: string, source: string}} options.thread
 * @param {{at: string | null, item: string | null, words: string | null}} options.hit What a search found, to open there.
 * @param {import('../../life.js').Life} options.life
 * @param {string} options.back The list's address.
 * @param {(error: Object, retry: Function) => Node} options.trouble
 * @param {{why: () => Node | null, explain: (error: Object) => Node}} options.rights Why nothing can be written, where that is known before it is
 *   tried; and what a refusal means.
 * @param {(thread: {id: string, source: string}) => void} options.moved The agent goes on in a copy of the thread.
 */
export function conversation({ client, threads, thread, hit, life, back, trouble, rights, moved }) {
    let [why, waiting, stream] = [null, 0, null];
    /** What the first page waits for, so that nothing pushes it away afterwards. */
    let together = null;
    const head = threadHead({ back });
    const strips = h('div', { class: 'thread-strips' });
    const foot = h('div', { class: 'thread-foot', hidden: true });
    const news = newsLog();
    const follower = new Follower({
        get: async (params) => (await Promise.all([threads.get({ ...thread, ...params }, { signal: life.signal }), together]))[0],
        changed: (change) => {
            if (life.hasEnded) return;
            strips.replaceChildren();
            if (change.kind === 'newer') news.tell(change.added);
            transcript.take(change);
            if (change.kind !== 'missed') drawState();
        },
        failed: sayBroken,
    });
    const about = () => follower.thread;
    const transcript = new Transcript({ threads, thread, hit, life, follower, failed: sayBroken });
    const element = h('section', { class: 'thread' }, head.element, strips, transcript.element, foot, news.element);
    const approvals = approvalStack({
        client, threads, thread, life, about, mayAnswer: () => rights.why() === null, say: news.say,
        changed: (count) => { waiting = count; drawState(); }, left: () => transcript.focus(),
    });
    const agent = agentThere({ threads, thread, life, about, changed: () => { if (!foot.hidden) drawState(); } });
    /** What a refusal of the person's message says stands where they write until it changes. */
    const refused = (error) => { why = rights.explain(error); drawState(); };
    const write = new Composer({ draft: draftFor(threads.place, thread.source, thread.id), ...posting({ threads, thread, life, transcript, refused, moved }) });
    foot.append(approvals.element, write.element);
    write.takeDrops(element);
    life.add(() => stream?.stop());

    function drawState() {
        head.update(about());
        transcript.drawState();
        foot.hidden = false;
        const cannot = rights.why() ?? why ?? (transcript.isRunning ? null : agent.note());
        write.update({ isRunning: (transcript.isRunning || isWaiting(about()?.state)) && cannot === null, why: cannot });
        element.classList.toggle('has-approvals', waiting > 0);
    }

    function sayBroken(error) {
        if (life.hasEnded || error.code === 'cancelled') return;
        strips.replaceChildren(errorBanner(error, { text: t('threads.notUpToDate'), retry: () => { strips.replaceChildren(); stream?.retry(); return follower.catchUp(); } }));
    }

    function gone() {
        transcript.element.replaceChildren(goneNote(back));
        foot.hidden = true;
    }

    async function open() {
        transcript.wait();
        together = Promise.race([approvals.ask().catch(() => []), new Promise((resolve) => { life.after(PATIENCE, resolve); })]);
        try {
            await follower.open(hit.at);
        } catch (error) {
            if (life.hasEnded || error.code === 'cancelled') return;
            if (error.code === 'not-found') gone();
            else transcript.element.replaceChildren(trouble(error, open));
            return;
        }
        if (life.hasEnded) return;
        const waits = await together;
        together = null;
        stream ??= follow({ threads, thread, follower, approvals, gone, failed: sayBroken });
        if (waits) approvals.show(waits);
        agent.look();
    }
    open();
    return {
        element, retry: () => { if (foot.hidden) open(); else stream?.retry(); },
        /** This device may not read it any more: nothing of it stays, and what is refused says why. */
        lost: () => { stream?.stop(); stream = null; foot.hidden = true; open(); },
        mayChanged: () => { why = null; approvals.redraw(); askAgain(approvals); drawState(); },
    };
}

function goneNote(back) {
    return emptyState({ icon: 'threads', title: t('threads.gone'), text: t('threads.goneText'), actions: [linkButton({ label: t('threads.toList'), href: back })] });
}

function askAgain(approvals) { approvals.ask().then(approvals.show).catch(() => {}); }

/** Follows a thread, and what waits in it. */
function follow({ threads, thread, follower, approvals, gone, failed }) {
    return threads.follow({
        thread, after: () => follower.newer,
        onAnswer: (answer, after) => {
            if (after !== null) follower.take(answer, after).catch(() => {});
            askAgain(approvals);
        },
        onEvent: (event) => {
            if (event.event === 'threads.removed' && event.id === thread.id && event.source === thread.source) { gone(); return; }
            if (event.id === thread.id || event.thread?.id === thread.id) follower.receive(event);
            approvals.receive(event);
        },
        onFailed: (error) => { if (error.code !== 'not-found') failed(error); },
    });
}

/** What a screen reader is told of: whole messages, and what waits. */
function newsLog() {
    const element = h('div', { class: 'visually-hidden', role: 'log', aria: { live: 'polite', label: t('threads.news') } });
    const say = (text) => {
        element.append(h('p', { data: { peer: '' } }, text));
        while (element.childElementCount > 5) element.firstElementChild.remove();
    };
    const tell = (items) => { for (const { kind, text } of items) if (kind === 'agent') say(`${t('threads.agentSaid')} ${visible(beginning(text ?? '', 400))}`); };
    return { element, say, tell };
}

/** What is said in a thread, from its beginning to its newest entry, and below that what the person just sent. */
class Transcript {
    element = h('div', { class: 'thread-body' });
    /** So many times the agent was seen to rest. */
    rests = 0;
    #follower;
    #hit;
    #life;
    #failed;
    #scroller;
    #view = { open: new Map(), full: new Map(), images: new Map(), found: null };
    #entries = new Entries();
    #shown = [];
    #sending = new Sending();
    #timer = null;
    #above = h('div', { class: 'flow-head' });
    #working = h('div', { class: 'working', role: 'status', hidden: true }, h('span', { class: 'working-dots', aria: { hidden: true } }, h('i', null), h('i', null), h('i', null)), h('span', null, t('threads.works')));
    #ended = endedNote();
    #newest = newestButton({ isThere: () => this.#isThere, press: () => this.#toNewest() });

    /** @param {{threads: Object, thread: Object, hit: Object, life: Object, follower: Follower, failed: (error: Object) => void}} context As those above. */
    constructor({ threads, thread, hit, life, follower, failed }) {
        this.#follower = follower;
        this.#hit = hit;
        this.#life = life;
        this.#failed = failed;
        const view = this.#view;
        life.add(() => view.images.forEach((address) => URL.revokeObjectURL(address)));
        const context = {
            threads, thread, life, view, isRunning: () => this.isRunning,
            isLast: (entry) => this.#shown.at(-1) === entry || entry.items.at(-1) === follower.items.at(-1),
            redraw: (id) => {
                const entry = this.#shown.find((each) => each.key === id || each.items?.some((item) => item.id === id));
                if (entry) this.#scroller.refresh(entry.key);
            },
        };
        this.#scroller = flow({
            label: t('threads.conversation'), head: this.#above, foot: h('div', null, this.#working, this.#ended), estimate, render: (entry) => {
                const made = entryView(entry, context);
                return view.found === entry.key ? markFound(made, hit.words, life) : made;
            },
            near: { top: () => queueMicrotask(() => this.#loadOlder()), end: () => queueMicrotask(() => this.#loadNewer()), moved: () => { if (this.#isThere) this.#newest.clear(); this.#newest.draw(); } },
        });
        life.listen(wide, 'change', () => { for (const { key } of this.#shown) this.#scroller.refresh(key); });
    }

    get isRunning() { return this.#follower.thread?.state === 'running'; }

    /** Whether the reader is at the newest entry. */
    get #isThere() { return this.#scroller.isAtEnd && this.#follower.isAtEnd; }

    focus() { this.#scroller.focus({ preventScroll: true }); }

    wait() { this.element.replaceChildren(skeleton(6, { height: 72 })); }

    /** @param {{kind: string, added?: Object[], count?: number, at?: Object | null}} change As the follower tells it. */
    take({ kind, added = [], count = 1, at }) {
        if (kind === 'writing') { this.#soon(); return; }
        if (kind === 'missed') { this.#newest.add(count); this.#newest.draw(); return; }
        this.#sending.arrived(kind === 'reset' ? this.#follower.items.slice(-LATEST) : added, kind !== 'reset');
        if (kind === 'newer' && !this.#isThere) this.#newest.add(added.length);
        this.#draw();
        if (kind === 'reset') this.#reset(at);
    }

    drawState() {
        const { thread, isAtEnd, items } = this.#follower;
        if (!this.isRunning) this.rests += 1;
        this.#working.hidden = !this.isRunning || !isAtEnd;
        this.#ended.update(isAtEnd ? thread : null, items.at(-1));
    }

    /** Shows what is being sent before it is answered: the agent may write it down before that, and its item takes this one's place. */
    send(text, attachments) {
        const key = this.#sending.add(text, attachments);
        this.#draw();
        this.#scroller.toEnd();
        return key;
    }

    takeBack(key) {
        this.#sending.remove(key);
        this.#draw();
    }

    /** @param {string} key @param {'sent' | 'queued'} state */
    async settle(key, state) {
        this.#sending.settle(key, state);
        if (!this.#follower.isAtEnd) await this.#follower.open();
        this.#draw();
        this.#scroller.toEnd();
    }

    /** @param {boolean} [hasItems] Whether items may have changed, and not only what is being written. */
    #draw(hasItems = true) {
        const { unwritten, items, isAtEnd } = this.#follower;
        const writing = unwritten.map(([id, { from, text }]) => ({ key: `writing ${id}`, kind: 'writing', text: (from > 0 ? '…' : '') + text }));
        if (hasItems) this.#shown = this.#entries.of(items);
        this.#scroller.show(isAtEnd ? [...this.#shown, ...this.#sending.entries, ...writing] : this.#shown);
        this.#above.replaceChildren(...aboveFirst(this.#follower));
        this.#newest.draw();
    }

    #soon() {
        this.#timer ??= setTimeout(() => { this.#timer = null; if (!this.#life.hasEnded) this.#draw(false); }, PACE);
    }

    #reset(at) {
        const scroller = this.#scroller;
        this.#newest.clear();
        if (this.element.firstElementChild !== scroller) this.element.replaceChildren(scroller, this.#newest.element);
        if (this.#follower.items.length === 0 && this.#sending.entries.length === 0) this.#above.replaceChildren(h('p', { class: 'flow-begin' }, t('threads.nothingSaid')));
        if (at === null || at === undefined) { scroller.toEnd(); return; }
        const entry = this.#shown.find(({ items }) => items.some((item) => item.id === this.#hit.item)) ?? this.#shown[0];
        if (!entry) return;
        // Where a tool's lines hold what was found they stand open.
        if (['tool', 'reasoning', 'summary', 'user'].includes(entry.kind)) this.#view.open.set(entry.key, true);
        this.#view.found = entry.key;
        scroller.refresh(entry.key);
        scroller.reveal(entry.key);
    }

    async #toNewest() {
        this.#newest.clear();
        if (!this.#follower.isAtEnd) await this.#follower.open();
        this.#scroller.toEnd();
        this.focus();
    }

    async #loadOlder() {
        const above = this.#above;
        if (this.#follower.older === null || above.querySelector('.banner') || this.#life.hasEnded) return;
        await this.#follower.loadOlder().catch((error) => {
            if (error.code === 'cancelled' || this.#life.hasEnded) return;
            above.replaceChildren(errorBanner(error, { retry: () => { above.replaceChildren(); this.#loadOlder(); } }));
        });
    }

    #loadNewer() { if (!this.#follower.isAtEnd && !this.#life.hasEnded) this.#follower.loadNewer().catch(this.#failed); }
}
