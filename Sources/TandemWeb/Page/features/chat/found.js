import { emptyState, errorBanner, h, skeleton, virtualList } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { isolated } from '../../kit/isolated.js';
import { Store, doneBy } from '../../kit/store.js';
import { rowMoment } from './moment.js';
import { change, initial } from './search-state.js';
import { lineOf } from './words.js';

const ROW = 68;
/** After the last letter, in milliseconds. */
const PAUSE = 220;
/** Letters before a word that was found, so that it is seen. */
const BEFORE = 24;

/**
 * Messages in which a search finds something.
 *
 * @param {{chat: import('../../client/chat.js').Chat, life: import('../../life.js').Life, conversation?: string | null, nameOf: (id: string) => string,
 *   href: (message: import('../../client/chat.js').Message) => string}} options `nameOf` a conversation, where several are looked through.
 */
export function foundMessages({ chat, life, conversation = null, nameOf, href }) {
    const element = h('div', { class: 'found', aria: { live: 'polite' } });
    let timer = null;
    let list = null;
    life.add(() => clearTimeout(timer));
    const store = new Store({ initial, change, run: doneBy(() => ({
        ask: async ({ turn, words, before }) => {
            try {
                const { messages, next } = await chat.search({ text: words, conversation, before }, { signal: life.signal });
                if (!life.hasEnded) store.send({ kind: 'answered', turn, messages, next });
            } catch (error) {
                if (!life.hasEnded) store.send({ kind: 'failed', turn, error });
            }
        },
    })) });
    const render = (message, index) => {
        if (index > store.state.messages.length - 10) queueMicrotask(() => store.send({ kind: 'neared' }));
        return foundRow(message, { name: conversation ? null : nameOf(message.conversation), words: store.state.words, href: href(message) });
    };
    store.watch(({ phase, messages, words, trouble }, before) => {
        if (phase === 'idle') { list = null; element.replaceChildren(); return; }
        if (phase === 'failed') { list = null; element.replaceChildren(errorBanner(trouble, { retry: () => store.send({ kind: 'retried' }) })); return; }
        if (phase === 'asking') { if (!list) element.replaceChildren(skeleton(3, { height: ROW })); return; }
        if (messages.length === 0) {
            list = null;
            element.replaceChildren(emptyState({ icon: 'search', title: t('chat.nothingFound'), text: t('chat.nothingFoundText', { words: isolated(words) }) }));
            return;
        }
        if (list && before.phase === 'answered') { list.show(messages); return; }
        list = virtualList({ label: t('chat.found'), rowHeight: ROW, items: messages, render });
        element.replaceChildren(h('h2', { class: 'group-title' }, t('chat.found')), h('div', { class: 'card rows' }, list));
    });
    return {
        element,
        look: (text, { isNow = false } = {}) => {
            clearTimeout(timer);
            if (isNow || text.trim() === '') store.send({ kind: 'typed', text });
            else timer = setTimeout(() => store.send({ kind: 'typed', text }), PAUSE);
        },
    };
}

function foundRow(message, { name, words, href }) {
    return h('a', { class: 'row-main found-row', href }, h('span', { class: 'row-words' },
        h('span', { class: 'chat-top' }, h('span', { class: 'chat-name', data: { peer: '' }, dir: 'auto' }, name ?? t(message.isMine ? 'chat.you' : 'chat.them')),
            rowMoment(message.time)),
        h('span', { class: 'chat-preview', dir: 'auto', data: { peer: '' } }, name !== null && message.isMine && h('span', { class: 'soft' }, [t('chat.you'), t('common.colon')]), ...marked(message, words))));
}

/** The line of a message around the first word that was looked for. */
function marked(message, words) {
    const text = message.text ? message.text.replaceAll(/\s+/g, ' ') : '';
    const first = words.toLocaleLowerCase().split(/\s+/)[0];
    const at = text.toLocaleLowerCase().indexOf(first);
    // A letter that changes its length with its case would move what follows.
    if (at < 0 || text.toLocaleLowerCase().length !== text.length) return [lineOf(message)];
    const from = Math.max(0, at - BEFORE);
    const line = (part) => lineOf({ kind: 'text', text: part });
    return [from > 0 ? '…' : '', line(text.slice(from, at)), h('mark', null, line(text.slice(at, at + first.length))), line(text.slice(at + first.length))];
}
