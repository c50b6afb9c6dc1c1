import { button, find, h, icon, spinner } from '../../kit/index.js';
import { format, hasText, t } from '../../i18n/index.js';
import { pictureBlob, fromBase64 } from '../../kit/bytes.js';
import { textFoot, textOf } from './long-text.js';
import { markdown } from '../../kit/markdown/view.js';
import { beginning, firstLines, said, visible } from '../../kit/said.js';
import { foldable, toolView } from './tool.js';

const DAY = 86_400_000;
/** Of what a person wrote. */
const SHOWN = { lines: 16, letters: 2400 };
const PLAN_MARKS = { done: 'check', completed: 'check', running: 'activity', in_progress: 'activity' };
const MOST_STEPS = 200;

/**
 * An entry of a conversation.
 *
 * @param {import('./entries.js').Entry} entry
 * @param {Object} context `{threads, thread, life, view: {open, full, images}, redraw(id), isRunning(), isLast(entry)}`
 */
export function entryView(entry, context) {
    return h('div', { class: 'entry' }, entry.isNewDay && entry.at !== null && dayMark(entry.at), content(entry, context));
}

/** So high an entry may be, until it is drawn. */
export function estimate({ kind, item, isNewDay }) {
    const length = Math.min(16_384, item?.text?.length ?? 0);
    const day = isNewDay ? 44 : 0;
    switch (kind) {
        case 'user': return day + 56 + Math.min(16, Math.ceil(length / 60)) * 24;
        case 'agent': return day + 24 + Math.ceil(length / 90) * 25;
        case 'tool': case 'reasoning': case 'summary': return day + 46;
        case 'plan': return day + 56 + (item?.steps?.length ?? 2) * 30;
        default: return day + 52;
    }
}

function content(entry, context) {
    switch (entry.kind) {
        case 'user': return userView(entry, context);
        case 'agent': return h('div', { class: 'agent-text' }, markdown(textOf(entry.item, context.view).text), textFoot(entry.item, context));
        case 'reasoning': return folded(entry, context, 'thought', t('threads.thought'));
        case 'summary': return folded(entry, context, 'archive', t('threads.summary'));
        case 'tool': return toolView(entry, context);
        case 'plan': return planView(entry.item);
        case 'image': return imageView(entry.item, context);
        case 'notice': return noticeView(entry.item);
        case 'writing': return h('div', { class: 'agent-text is-writing' }, markdown(entry.text));
        case 'sending': return h('div', { class: 'user-text is-sending' }, entry.text.trim() && said(entry.text, { tag: 'div', class: 'user-words' }),
            entry.files.map((name) => h('div', { class: 'small' }, icon('paperclip', { size: 14 }), ' ', said(name))), h('div', { class: 'small soft' }, t(`threads.${entry.state}`)));
        default: return h('div', { class: 'notice' }, icon('info', { size: 18 }), h('span', null, t('threads.unknownItem')), said(beginning(entry.item.type ?? entry.item.kind, 80), { class: 'mono small' }));
    }
}

function dayMark(at) {
    const words = Date.now() - at < 2 * DAY ? format.relative(new Date(at).setHours(12), new Date().setHours(12)) : format.date(at);
    return h('div', { class: 'day' }, h('span', null, new Date(at).toDateString() === new Date().toDateString() ? t('threads.today') : words));
}

function userView({ key, item, at }, context) {
    const { text } = textOf(item, context.view);
    if (!text.trim()) return null;
    const isOpen = context.view.open.get(key) ?? false;
    const { text: begin, isCut } = isOpen ? { text, isCut: false } : firstLines(text, SHOWN.lines, SHOWN.letters);
    const more = isCut && button({ label: t('threads.showMore'), icon: 'chevron-down', kind: 'quiet', press: () => { context.view.open.set(key, true); context.redraw(key); } });
    return h('div', { class: 'user-text', title: at === null ? null : t('common.at', { when: format.dateTime(at) }) },
        h('span', { class: 'visually-hidden' }, t('threads.you')), said(begin, { tag: 'div', class: 'user-words' }), more, textFoot(item, context));
}

function folded({ key, item }, context, symbol, name) {
    const { text } = textOf(item, context.view);
    const first = beginning(text.replace(/[*_#\x60>]/g, '').replace(/\s+/g, ' ').trim(), 200);
    return foldable({
        key, context, kind: 'thought',
        head: [icon(symbol, { size: 18 }), h('span', { class: 'fold-name' }, name), h('span', { class: 'fold-words', dir: 'auto', data: { peer: '' } }, visible(first))],
        body: () => [markdown(text, { class: 'soft' }), textFoot(item, context)],
    });
}

/** A plan as a list of what is done and what is not. */
export function planView({ steps, text }) {
    const known = (Array.isArray(steps) ? steps : []).slice(0, MOST_STEPS);
    const done = known.filter(({ state }) => state === 'done' || state === 'completed').length;
    return h('div', { class: 'card plan' },
        h('div', { class: 'plan-head' }, icon('plan', { size: 18 }), h('span', { class: 'fold-name' }, t('threads.plan')),
            known.length > 0 && h('span', { class: 'small soft number' }, t('threads.planDone', { done, count: known.length }))),
        text && markdown(text),
        h('ol', { class: 'plan-steps' }, known.map((step) => {
            const state = hasText(`threads.step.${step.state}`) ? step.state : 'pending';
            return h('li', { class: `plan-step is-${state}` },
                h('span', { class: 'plan-mark', role: 'img', aria: { label: t(`threads.step.${state}`) } }, PLAN_MARKS[state] && icon(PLAN_MARKS[state], { size: 14 })), said(step.text));
        })));
}

/** A picture that was left out, until somebody wants to see it. */
function imageView(item, context) {
    const address = context.view.images.get(item.id);
    if (address) return h('figure', { class: 'picture' }, h('img', { src: address, alt: t('threads.picture') }));
    const parts = [typeof item.type === 'string' && item.type.replace('image/', '').toUpperCase(), Number.isFinite(item.bytes) && format.bytes(item.bytes)].filter(Boolean).join(' · ');
    const trouble = h('span', { class: 'small soft', role: 'status' });
    const show = button({ label: t('threads.showPicture'), icon: 'eye', press: async () => {
        const got = await context.threads.item({ ...context.thread, at: item.cursor, item: item.id, image: true }, { signal: context.life.signal });
        const data = got?.data ?? got?.item?.data;
        const bytes = typeof data === 'string' ? fromBase64(data) : null;
        const blob = bytes && pictureBlob(bytes);
        if (context.life.hasEnded) return;
        if (!blob) {
            trouble.textContent = t(bytes ? 'threads.noPicture' : 'threads.pictureGone');
            show.remove();
            return;
        }
        context.view.images.set(item.id, URL.createObjectURL(blob));
        context.redraw(item.id);
    } });
    return h('div', { class: 'card picture-place' }, icon('image', { size: 22 }),
        h('div', { class: 'row-words' }, h('span', null, t(item.origin === 'user' ? 'threads.pictureOfYou' : 'threads.picture')),
            h('span', { class: 'small soft', data: { peer: '' } }, visible(beginning(parts, 80))), trouble), show);
}

const NOTICES = { error: 'warning', interrupted: 'stop', command: 'keyboard', review: 'eye', goal: 'check' };

function noticeView(item) {
    const key = `threads.notice.${item.notice}`;
    const text = typeof item.text === 'string' ? item.text : '';
    return h('div', { class: ['notice', item.notice === 'error' && 'is-bad'] }, icon(NOTICES[item.notice] ?? 'info', { size: 18 }),
        h('div', { class: 'notice-words' }, h('span', { class: 'notice-name' }, t(hasText(key) ? key : 'threads.notice.other')),
            text && text !== item.notice && said(firstLines(text, 12, 2000).text, { tag: 'div', class: 'notice-text' })));
}

/** What stands above the first entry: that there is more, or that a thread begins here. */
export function aboveFirst({ older, items, thread, skipped }) {
    if (older !== null || items.length === 0) return [h('div', { class: 'flow-more' }, spinner({ size: 18 }))];
    const line = (text) => h('p', { class: 'flow-begin' }, text);
    const begin = line(thread?.created_at ? t('threads.began', { when: format.dateTime(thread.created_at) }) : t('threads.begin'));
    return skipped > 0 ? [begin, line(t('threads.skipped', { count: skipped }))] : [begin];
}

/** The way to the newest entry, with how many came below what is read. */
export function newestButton({ isThere, press }) {
    let count = 0;
    const element = button({ label: '', icon: 'arrow-down', press });
    element.classList.add('below');
    element.hidden = true;
    const draw = () => {
        // A button with the focus stays until it loses it: hidden, it would throw the keyboard out of the page.
        element.hidden = isThere() && document.activeElement !== element;
        if (!element.hidden) find(element, '.button-label').textContent = count > 0 ? t('threads.newBelow', { count }) : t('threads.toNewest');
        element.classList.toggle('primary', count > 0);
    };
    element.addEventListener('blur', draw);
    return { element, draw, add: (more) => { count += more; }, clear: () => { count = 0; } };
}
