import { h, skeleton } from '../../kit/first.js';
import { format, t } from '../../i18n/index.js';
import { figureCard } from './card.js';

const EVERY = 2000;
/** Five minutes. */
const KEPT = 150;
const total = (key, count) => t(key, { count });

/** @type {import('./card.js').Card[]} */
const CARDS = [
    // The first answer has no rate: the hub counts from question to question.
    { id: 'messages', icon: 'text', value: (now) => now.perSecond, words: (value) => format.number(value, 1), more: (now) => total('hub.messagesInAll', now.messages) },
    { id: 'devices', icon: 'phone', value: (now) => now.connections, words: (value) => format.number(value), more: () => t('hub.lastMinutes') },
];
/** @type {import('./card.js').Card[]} */
const SIZES = [
    { id: 'media', icon: 'archive', value: (now) => now.mediaBytes, words: (value) => format.bytes(value), more: () => t('hub.mediaText') },
    { id: 'database', icon: 'disk', value: (now) => now.databaseBytes, words: (value) => format.bytes(value), more: () => t('hub.databaseText') },
];

/** How busy the conversations of a hub are; nothing for a hub without any. */
export function conversations({ client, life }) {
    const place = h('div', { class: 'hub-cards' }, [...CARDS, ...SIZES].map(() => skeleton(1, { height: 172 })));
    const element = h('section', { class: 'group' }, h('div', { class: 'group-head' }, h('h2', { class: 'group-title' }, t('hub.conversations'))), place);
    let views = null;
    let isOver = false;
    const ask = async () => {
        if (isOver) return;
        let now;
        try {
            now = await client.call('chat.load', {}, { signal: life.signal });
        } catch (error) {
            // Of any other failure the page says enough where it asks for the hub's own load.
            if (error.code !== 'unknown-method') return;
            isOver = true;
            element.remove();
            return;
        }
        if (life.hasEnded) return;
        if (!views) {
            views = [...CARDS.map((each) => figureCard(each, { kept: KEPT })), ...SIZES.map((each) => figureCard(each, { kept: 0 }))];
            place.replaceChildren(...views.map((view) => view.element));
        }
        for (const view of views) {
            view.push(now);
            view.draw(now);
        }
    };
    ask();
    life.every(EVERY, ask);
    return element;
}
