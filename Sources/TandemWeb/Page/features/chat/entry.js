import { button, h, icon, iconButton, spinner } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { firstLines, visible } from '../../kit/said.js';
import { flashCard } from './flash.js';
import { longPress } from '../../kit/long-press.js';
import { markerMoment } from './moment.js';
import { pictureGrid, sizeOf } from './picture.js';
import { voiceNote } from './voice.js';
import { noticeText, troubleText } from './words.js';

/** A longer text is cut, with a button that shows all of it. */
const LINES = 24;
const LETTERS = 1600;
const TICKS = { failed: 'warning', sent: 'tick', received: 'ticks', read: 'ticks' };

/** The height of an entry that was never drawn, in pixels. */
export function estimate(entry) {
    if (entry.kind !== 'message') return 44;
    const { message } = entry;
    switch (message.kind) {
        case 'image': return (message.pictures.length === 1 ? sizeOf(message.pictures[0]).height : Math.ceil(message.pictures.length / 3) * 110) + 16;
        case 'flash': return 96;
        case 'voice': return 64;
        case 'quote': return 130;
        case 'text': return 40 + 22 * Math.min(LINES, Math.ceil(message.text.length / 34));
        default: return 44;
    }
}

/**
 * A row of the conversation.
 *
 * @param {import('./entries.js').TimeEntry | import('./entries.js').NoticeEntry | import('./entries.js').MessageEntry} entry
 * @param {Object} context What `Transcript` gives.
 */
export function entryView(entry, context) {
    if (entry.kind === 'time') return h('div', { class: 'talk-time' }, markerMoment(entry.time));
    if (entry.kind === 'notice') return line('phone', noticeText(entry.notice, context.row()));
    const { message, isFirst, isLast } = entry;
    if (message.kind === 'recalled') return line('undo', t(message.isMine ? 'chat.recalledMine' : 'chat.recalled'));
    const menu = iconButton({ label: t('chat.messageActs'), icon: 'more', press: () => { context.menu(message, { anchor: menu }); } });
    const bubble = h('div', { class: ['bubble', `is-${message.kind}`] }, bodyOf(entry, context));
    const element = h('div', { class: ['said', message.isMine ? 'is-mine' : 'is-theirs', isFirst && 'is-first', isLast && 'is-last', context.isFound(entry) && 'is-found'] },
        h('span', { class: 'visually-hidden' }, message.isMine ? t('chat.you') : t('chat.them'), t('common.colon')),
        h('div', { class: 'said-line' }, h('div', { class: 'said-menu' }, menu), bubble, tickMark(entry)), under(entry, context));
    longPress(bubble, (point) => context.menu(message, { anchor: menu, point }));
    return element;
}

function line(symbol, text) { return h('div', { class: 'talk-line small' }, icon(symbol, { size: 16 }), h('span', null, text)); }

function bodyOf(entry, context) {
    const { message } = entry;
    if (message.trouble && message.kind === 'unknown') return troubled(message);
    switch (message.kind) {
        case 'text': return textOf(entry, context);
        case 'image': return pictureGrid(message, context);
        case 'flash': return flashCard(message, context);
        case 'voice': return voiceNote(message, context);
        case 'quote': return quoteOf(message);
        default: return h('span', { class: 'soft' }, t('chat.kind.unknown'));
    }
}

/** A message that this device cannot open or read says why. */
function troubled({ trouble }) {
    return h('span', { class: 'said-trouble' }, icon(trouble === 'unreadable' ? 'warning' : 'lock', { size: 18 }), h('span', null, troubleText(trouble)));
}

function textOf({ key, message }, { opened, redraw }) {
    const first = opened.has(key) ? { text: message.text, isCut: false } : firstLines(message.text, LINES, LETTERS);
    const words = h('div', { class: 'said-text', dir: 'auto', data: { peer: '' } }, visible(first.text), first.isCut && '…');
    return first.isCut ? [words, button({ label: t('chat.showAll'), kind: 'quiet', press: () => { opened.add(key); redraw(key); } })] : words;
}

/** The answer to a signal: what was asked, and what is said to it. Source: rule C7. */
function quoteOf({ text, quote }) {
    return h('div', { class: 'quote' }, h('div', { class: 'quote-label small' }, t('chat.signal')),
        h('div', { class: 'quote-signal', dir: 'auto', data: { peer: '' } }, visible(quote?.content ?? '')), h('hr', null),
        h('div', { class: 'said-text', dir: 'auto', data: { peer: '' } }, visible(text || (quote?.reply ?? ''))));
}

/** What became of an own message: a symbol with its words. */
function tickMark({ tick }) {
    if (!tick) return null;
    const words = t(`chat.tick.${tick}`);
    return h('span', { class: ['tick', `is-${tick}`], title: words }, tick === 'sending' ? spinner({ size: 14 }) : icon(TICKS[tick], { size: 16 }), h('span', { class: 'visually-hidden' }, words));
}

/** Below a message: that it failed, with the way to send it again; that it was not sealed though others were; why it may not be believed. */
function under({ message, tick }, { chat }) {
    const notes = [];
    if (tick === 'failed') {
        const again = h('button', { type: 'button', class: 'said-failed', on: { click: async () => {
            again.disabled = true;
            try {
                await chat.resend(message.conversation, message.id);
            } catch {
                again.disabled = false;
            }
        } } }, icon('warning', { size: 16 }), h('span', null, t('chat.sendAgain')));
        notes.push(again);
        if (message.error) notes.push(h('div', { class: 'said-error small soft', data: { peer: '' } }, visible(message.error.slice(0, 300))));
    }
    if (message.isUnexpectedlyClear) notes.push(warning(t('chat.unexpectedlyClear')));
    if (message.trouble && message.kind !== 'unknown') notes.push(warning(troubleText(message.trouble)));
    return notes.length > 0 && h('div', { class: 'said-under' }, notes);
}

function warning(text) { return h('div', { class: 'said-warning small' }, icon('unlock', { size: 14 }), h('span', null, text)); }
