import { button, emptyState, errorBanner, errorToast, h, icon, linkButton, skeleton, spinner, toast } from '../../kit/index.js';
import { ClientError } from '../../client/client.js';
import { format, t } from '../../i18n/index.js';
import { approvalStack } from './approvals.js';
import { Composer } from './composer.js';
import { draftFor } from '../../kit/drafts.js';
import { Entries } from './entries.js';
import { entryView, estimate } from './entry.js';
import { flow } from '../../kit/flow.js';
import { Follower } from './follower.js';
import { markFound } from './found.js';
import { threadHead } from './head.js';
import { Sending } from './sending.js';
import { agentThere, endedNote } from './standing.js';
import { isWaiting } from './states.js';
import { beginning, visible } from '../../kit/said.js';
import { wide } from '../../kit/diff/view.js';

/** A message that is being written is drawn so often, in milliseconds. */
const PACE = 90;
/** So long the first page waits for what waits for the person. */
const PATIENCE = 800;
/** An agent of this computer's stops within this time; another program's is not stopped from here. */
const STOPS = 4000;
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
    const view = { open: new Map(), full: new Map(), images: new Map(), found: null };
    life.add(() => view.images.forEach((address) => URL.revokeObjectURL(address)));
    const entries = new Entries();
    let shown = [];
    const sending = new Sending();
    let newBelow = 0;
    let why = null;
    let waiting = 0;
    let rests = 0;
    const say = h('div', { class: 'visually-hidden', role: 'log', aria: { live: 'polite', label: t('threads.news') } });
    const head = threadHead({ back });
    const above = h('div', { class: 'flow-head' });
    const working = h('div', { class: 'working', role: 'status', hidden: true }, h('span', { class: 'working-dots', aria: { hidden: true } }, h('i', null), h('i', null), h('i', null)), h('span', null, t('threads.works')));
    const ended = endedNote();
    const pill = button({ label: '', icon: 'arrow-down', press: () => toNewest() });
    pill.classList.add('below');
    pill.hidden = true;
    pill.addEventListener('blur', () => drawPill());
    const strips = h('div', { class: 'thread-strips' });
    const body = h('div', { class: 'thread-body' }, skeleton(6, { height: 72 }));
    const foot = h('div', { class: 'thread-foot', hidden: true });
    const element = h('section', { class: 'thread' }, head.element, strips, body, foot, say);

    const isRunning = () => follower.thread?.state === 'running';
    const context = {
        threads, thread, life, view, isRunning,
        isLast: (entry) => shown.at(-1) === entry || entry.items.at(-1) === follower.items.at(-1),
        redraw: (id) => {
            const entry = shown.find((each) => each.key === id || each.items?.some((item) => item.id === id));
            if (entry) scroller.refresh(entry.key);
        },
    };
    const scroller = flow({
        label: t('threads.conversation'), head: above, foot: h('div', null, working, ended), estimate, render: (entry) => {
            const made = entryView(entry, context);
            return view.found === entry.key ? markFound(made, hit.words, life) : made;
        },
        near: { top: () => queueMicrotask(loadOlder), end: () => queueMicrotask(loadNewer), moved: (isAtEnd) => { if (isAtEnd && follower.isAtEnd) newBelow = 0; drawPill(); } },
    });
    const follower = new Follower({
        get: async (params) => (await Promise.all([threads.get({ ...thread, ...params }, { signal: life.signal }), together]))[0],
        changed, failed: (error) => { if (!life.hasEnded && error.code !== 'cancelled') sayBroken(error); },
    });
    /** What the first page waits for, so that nothing pushes it away afterwards. */
    let together = null;
    const approvals = approvalStack({
        client, threads, thread, life, about: () => follower.thread, mayAnswer: () => rights.why() === null, say: announce,
        changed: (count) => { waiting = count; drawState(); }, left: () => scroller.focus({ preventScroll: true }),
    });
    const agent = agentThere({ threads, thread, life, about: () => follower.thread, changed: () => { if (!foot.hidden) drawState(); } });
    const write = new Composer({
        draft: draftFor(threads.place, thread.source, thread.id),
        send: async (text, attachments) => {
            // Shown before it is answered: the agent may write it down before that, and its item takes this one's place.
            const key = sending.add(text, attachments);
            draw();
            scroller.toEnd();
            let told;
            try {
                told = await threads.post({ ...thread, text, ...(attachments.length > 0 && { attachments }) }, { signal: life.signal });
            } catch (error) {
                sending.remove(key);
                draw();
                refused(error);
                throw error;
            }
            if (told?.id && told.source && (told.id !== thread.id || told.source !== thread.source)) { moved(told); return; }
            sending.settle(key, told?.delivery === 'queued' ? 'queued' : 'sent');
            if (!follower.isAtEnd) await follower.open();
            draw();
            scroller.toEnd();
        },
        stop: async () => {
            try {
                await threads.cancel(thread, { signal: life.signal });
                const before = rests;
                life.after(STOPS, () => { if (isRunning() && rests === before) toast(t('threads.stillRuns'), 'info'); });
            } catch (error) {
                errorToast(ClientError.from(error));
            }
        },
    });
    foot.append(approvals.element, write.element);
    write.takeDrops(element);

    function changed({ kind, added = [], count = 1, at }) {
        if (life.hasEnded) return;
        strips.replaceChildren();
        if (kind === 'writing') { soon(); drawState(); return; }
        if (kind === 'missed') { newBelow += count; drawPill(); return; }
        sending.arrived(kind === 'reset' ? follower.items.slice(-LATEST) : added, kind !== 'reset');
        if (kind === 'newer' && added.length > 0) {
            if (!scroller.isAtEnd || !follower.isAtEnd) newBelow += added.length;
            for (const item of added) if (item.kind === 'agent') announce(`${t('threads.agentSaid')} ${visible(beginning(item.text ?? '', 400))}`);
        }
        draw();
        if (kind === 'reset') reset(at);
        drawState();
    }

    /** @param {boolean} [hasItems] Whether items may have changed, and not only what is being written. */
    function draw(hasItems = true) {
        const writing = follower.unwritten.map(([id, { from, text }]) => ({ key: `writing ${id}`, kind: 'writing', text: (from > 0 ? '…' : '') + text }));
        if (hasItems) shown = entries.of(follower.items);
        scroller.show(follower.isAtEnd ? [...shown, ...sending.entries, ...writing] : shown);
        drawAbove();
        drawPill();
    }

    let timer = null;
    function soon() {
        timer ??= setTimeout(() => { timer = null; if (!life.hasEnded) draw(false); }, PACE);
    }

    function reset(at) {
        newBelow = 0;
        if (body.firstElementChild !== scroller) body.replaceChildren(scroller, pill);
        if (follower.items.length === 0 && sending.entries.length === 0) above.replaceChildren(h('p', { class: 'flow-begin' }, t('threads.nothingSaid')));
        if (at === null || at === undefined) { scroller.toEnd(); return; }
        const entry = shown.find(({ items }) => items.some((item) => item.id === hit.item)) ?? shown[0];
        if (!entry) return;
        // Where a tool's lines hold what was found they stand open.
        if (['tool', 'reasoning', 'summary', 'user'].includes(entry.kind)) view.open.set(entry.key, true);
        view.found = entry.key;
        scroller.refresh(entry.key);
        scroller.reveal(entry.key);
    }

    function drawState() {
        const about = follower.thread;
        head.update(about);
        if (!isRunning()) rests += 1;
        working.hidden = !isRunning() || !follower.isAtEnd;
        ended.update(follower.isAtEnd ? about : null, follower.items.at(-1));
        foot.hidden = false;
        const cannot = rights.why() ?? why ?? (isRunning() ? null : agent.note());
        write.update({ isRunning: (isRunning() || isWaiting(about?.state)) && cannot === null, why: cannot });
        element.classList.toggle('has-approvals', waiting > 0);
    }

    /** What a refusal of the person's message says stands where they write until it changes. */
    function refused(error) {
        if (error?.code !== 'not-allowed') return;
        why = rights.explain(error);
        drawState();
    }

    function drawAbove() {
        const begin = follower.older === null && follower.items.length > 0;
        if (!begin) { above.replaceChildren(h('div', { class: 'flow-more' }, spinner({ size: 18 }))); return; }
        above.replaceChildren(h('p', { class: 'flow-begin' }, follower.thread?.created_at ? t('threads.began', { when: format.dateTime(follower.thread.created_at) }) : t('threads.begin')),
            ...(follower.skipped > 0 ? [h('p', { class: 'flow-begin' }, t('threads.skipped', { count: follower.skipped }))] : []));
    }

    function drawPill() {
        const isThere = scroller.isAtEnd && follower.isAtEnd;
        // A button with the focus stays until it loses it: hidden, it would throw the keyboard out of the page.
        pill.hidden = isThere && document.activeElement !== pill;
        if (!pill.hidden) pill.querySelector('.button-label').textContent = newBelow > 0 ? t('threads.newBelow', { count: newBelow }) : t('threads.toNewest');
        pill.classList.toggle('primary', newBelow > 0);
    }

    async function toNewest() {
        newBelow = 0;
        if (!follower.isAtEnd) await follower.open();
        scroller.toEnd();
        scroller.focus({ preventScroll: true });
    }

    async function loadOlder() {
        if (follower.older === null || above.querySelector('.banner') || life.hasEnded) return;
        await follower.loadOlder().catch((error) => {
            if (error.code === 'cancelled' || life.hasEnded) return;
            above.replaceChildren(errorBanner(error, { retry: () => { above.replaceChildren(); loadOlder(); } }));
        });
    }

    function loadNewer() { if (!follower.isAtEnd && !life.hasEnded) follower.loadNewer().catch((error) => { if (error.code !== 'cancelled') sayBroken(error); }); }

    function sayBroken(error) {
        strips.replaceChildren(errorBanner(error, { text: t('threads.notUpToDate'), retry: () => { strips.replaceChildren(); stream?.retry(); return follower.catchUp(); } }));
    }

    function announce(text) {
        say.append(h('p', { data: { peer: '' } }, text));
        while (say.childElementCount > 5) say.firstElementChild.remove();
    }

    function askApprovals() { approvals.ask().then(approvals.show).catch(() => {}); }

    let stream = null;
    const follow = () => {
        stream ??= threads.follow({
            thread, after: () => follower.newer,
            onAnswer: (answer, after) => {
                if (after !== null) follower.take(answer, after).catch(() => {});
                askApprovals();
            },
            onEvent: (event) => {
                if (event.event === 'threads.removed' && event.id === thread.id && event.source === thread.source) { gone(); return; }
                if (event.id === thread.id || event.thread?.id === thread.id) follower.receive(event);
                approvals.receive(event);
            },
            onFailed: (error) => { if (!life.hasEnded && error.code !== 'not-found') sayBroken(error); },
        });
    };
    life.add(() => stream?.stop());

    function gone() {
        body.replaceChildren(emptyState({ icon: 'threads', title: t('threads.gone'), text: t('threads.goneText'), actions: [linkButton({ label: t('threads.toList'), href: back })] }));
        foot.hidden = true;
    }

    const open = async () => {
        body.replaceChildren(skeleton(6, { height: 72 }));
        const asked = approvals.ask().catch(() => []);
        together = Promise.race([asked, new Promise((resolve) => { life.after(PATIENCE, resolve); })]);
        try {
            await follower.open(hit.at);
        } catch (error) {
            if (life.hasEnded || error.code === 'cancelled') return;
            if (error.code === 'not-found') gone();
            else body.replaceChildren(trouble(error, open));
            return;
        }
        if (life.hasEnded) return;
        const waits = await together;
        together = null;
        follow();
        if (waits) approvals.show(waits);
        agent.look();
    };
    life.listen(wide, 'change', () => { for (const { key } of shown) scroller.refresh(key); });
    open();
    return {
        element, retry: () => { if (foot.hidden) open(); else stream?.retry(); },
        /** This device may not read it any more: nothing of it stays, and what is refused says why. */
        lost: () => {
            stream?.stop();
            stream = null;
            foot.hidden = true;
            open();
        },
        mayChanged: () => { why = null; approvals.redraw(); askApprovals(); drawState(); },
    };
}
