import { banner, button, confirm, errorToast, h, icon, linkButton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { nameOf } from './words.js';

/** Reasons for which nothing is sent until the person agrees, and what they agree to. */
const AGREEMENTS = { restarted: 'newKeys', forked: 'newKeys', clear: 'clear' };

/**
 * What stands in the place of where the person writes, where nothing can be written.
 *
 * @param {{chat: import('../../client/chat.js').Chat, standing: import('./standing.js').Conversations, go: Function, link: Function,
 *   row: () => import('../../client/chat.js').Conversation | null}} context
 */
export function conversationNotes({ chat, standing, row, go, link }) {
    // A note is made once for each thing that it says, so that the keyboard's place stays.
    let [said, element] = ['', null];
    const note = (key, make) => {
        if (key !== said) [said, element] = [key, make()];
        return element;
    };
    /** @param {import('../../client/chat.js').Conversation | null} now @returns {Node | null} */
    return (now) => {
        if (!now) return null;
        if (now.isDeleted) return note('deleted', () => plain('info', t('chat.deletedText')));
        if (now.isBlocked) return note('blocked', () => plain('block', t('chat.blockedText', { name: nameOf(now) }), button({ label: t('chat.unblock'), press: () => standing.block(row()) })));
        if (now.request === 'incoming') return note('incoming', () => requestNote(now, { standing, row, leave: () => go(link('/chats'), { replace: true }) }));
        if (AGREEMENTS[now.trouble]) return note(`${now.trouble} ${now.isVerified}`, () => troubleNote(now, { chat, standing, link }));
        if (now.request === 'outgoing' && now.last) return note('outgoing', () => plain('clock', t('chat.askedText', { name: nameOf(now) })));
        return null;
    };
}

function plain(symbol, text, ...actions) {
    return h('div', { class: 'talk-note' }, icon(symbol, { size: 20 }), h('p', { data: { peer: '' } }, text), ...actions);
}

function requestNote(now, { standing, row, leave }) {
    return h('div', { class: 'talk-note is-request' }, h('p', { data: { peer: '' } }, t('chat.requestText', { name: nameOf(now) })), h('div', { class: 'talk-choices' },
        button({ label: t('chat.block'), kind: 'quiet', press: () => blockAfterAsking(row(), standing) }),
        button({ label: t('chat.decline'), press: async () => { await standing.answer(row(), false); leave(); } }),
        button({ label: t('chat.accept'), kind: 'primary', press: () => standing.answer(row(), true) })));
}

/** Asks first: the other person is not told, and their messages do not come any more. */
export function blockAfterAsking(row, standing) {
    return confirm({ title: h('span', { data: { peer: '' } }, t('chat.blockTitle', { name: nameOf(row) })), text: t('chat.blockText'), action: t('chat.block'), work: () => standing.block(row) });
}

/** Sealing refuses to send: what happened, and the deliberate act that goes on. Source: rules of trust of sealed conversations. */
function troubleNote(now, { chat, standing, link }) {
    const to = AGREEMENTS[now.trouble];
    const agree = () => confirm({
        title: t(`chat.agree.${to}.title`), kind: to === 'clear' ? 'danger' : 'primary', action: t(`chat.agree.${to}`),
        text: h('span', { data: { peer: '' } }, t(`chat.agree.${to}.text`, { name: nameOf(now) })),
        work: async () => {
            await chat.agree(now.id, to);
            standing.take(await chat.open(now.id));
        },
    });
    const text = h('span', { data: { peer: '' } }, t(`chat.stopped.${now.trouble}`, { name: nameOf(now) }));
    return banner({
        kind: 'warn', text, detail: now.isVerified ? t('chat.stopped.verified') : null,
        actions: [linkButton({ label: t('chat.compare'), kind: 'quiet', href: link('/chats', now.id, 'safety') }), button({ label: t(`chat.agree.${to}`), kind: 'quiet', press: () => { agree().catch(errorToast); } })],
    });
}
