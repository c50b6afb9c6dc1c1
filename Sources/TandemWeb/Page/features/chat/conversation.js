import { banner, button, emptyState, errorBanner, errorToast, h, icon, linkButton, safeText, skeleton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { Store, doneBy } from '../../kit/store.js';
import { avatar } from './avatar.js';
import { Composer } from './composer.js';
import { change, initial } from './conversation-state.js';
import { conversationNotes } from './notes.js';
import { newsLog } from './news.js';
import { Transcript } from './transcript.js';
import { lineOf } from './words.js';

/**
 * One conversation: its head, its messages, live, and where the person writes.
 *
 * @param {Object} options
 * @param {import('../../client/client.js').Client} options.client
 * @param {import('../../client/chat.js').Chat} options.chat
 * @param {import('./standing.js').Conversations} options.standing
 * @param {import('../../life.js').Life} options.life
 * @param {string} options.id
 * @param {Function} options.link
 * @param {Function} options.go
 * @param {{at: number | null, item: string | null}} options.hit The place of a message that a search found, to open there.
 */
export function conversation({ client, chat, standing, life, id, link, go, hit }) {
    const store = new Store({ initial, change, run: doneBy(() => works) });
    // One that is not on the list, because nothing was said yet, goes when the list is asked for again.
    let kept = null;
    const row = () => { kept = standing.state.rows[id] ?? kept; return kept; };
    const strips = h('div', { class: 'talk-strips' });
    const foot = h('div', { class: 'talk-foot' });
    const head = talkHead({ chat, id, link });
    const news = newsLog();
    const transcript = new Transcript({ chat, life, store, row, hit });
    const composer = new Composer({ chat, life, id, row, sent });
    /** What was told of a message may be newer than what its sending was answered. */
    function sent(messages) {
        const isKnown = (message) => store.state.messages.some(({ id: other, from }) => other === message.id && from === message.from);
        for (const message of messages) if (!isKnown(message)) store.send({ kind: 'told', message });
        store.send({ kind: 'wentToEnd' });
    }
    const notes = conversationNotes({ chat, standing, row, go, link });
    const body = h('div', { class: 'talk-body' }, skeleton(6, { height: 60 }));
    const element = h('section', { class: 'talk' }, head.element, strips, body, foot, news.element);
    composer.takeDrops(element);

    const works = {
        ask: async ({ part, turn, before, limit }) => {
            try {
                const page = await chat.history(id, { before, limit }, { signal: life.signal });
                if (!life.hasEnded) store.send({ kind: 'answered', turn, part, page });
            } catch (error) {
                if (!life.hasEnded) store.send({ kind: 'failed', turn, part, error });
            }
        },
        // What could not be noted is noted with the next message that is read.
        read: ({ upTo }) => { chat.read(id, upTo).catch(() => {}); },
        toEnd: () => transcript.toEnd(),
        say: ({ message }) => news.say(lineOf(message)),
    };

    function draw(state, before) {
        if (state.phase !== before?.phase) {
            if (state.phase === 'shown') body.replaceChildren(transcript.element);
            else if (state.phase === 'refused') body.replaceChildren(troubleOf(state.trouble, link, () => store.send({ kind: 'retried' })));
        }
        if (state.trouble !== before?.trouble) strips.replaceChildren(...(state.trouble && state.phase === 'shown' ? [errorBanner(state.trouble, { text: t('chat.notUpToDate'), retry: () => store.send({ kind: 'retried' }) })] : []));
        if (state.phase === 'shown') transcript.draw(state, before?.phase === 'shown' ? before : null);
    }

    function drawRow() {
        const now = row();
        head.update(now, standing.state.typing[id] !== undefined, standing.state.account);
        if (now) store.send({ kind: 'row', newest: now.newest, read: now.read, mayRead: now.request !== 'incoming' });
        transcript.rowChanged();
        composer.rowChanged();
        const shown = notes(now) ?? (now && composer.element);
        // What is written in stays where it is: taken out and put back it would lose the cursor, and a press that is under way.
        if (!shown || foot.firstChild !== shown) foot.replaceChildren(...[shown].filter(Boolean));
    }

    standing.listen(life, (item) => receive(item, id, store, () => go(link('/chats'), { replace: true })));
    const look = () => store.send({ kind: 'seen', isSeen: !document.hidden });
    life.listen(document, 'visibilitychange', look);
    store.watch(draw);
    draw(store.state);
    look();
    standing.use(life, drawRow);
    store.send({ kind: 'opened', around: hit.at });
    known({ chat, standing, life, id });
    return { element };
}

/** A conversation that is not on the list, because it was hidden or has no message yet, is asked for by its id. */
async function known({ chat, standing, life, id }) {
    if (standing.state.rows[id]) return;
    try {
        standing.take(await chat.open(id, { signal: life.signal }));
    } catch (error) {
        // That there is no such conversation is said in its place.
        if (!life.hasEnded && !standing.state.rows[id] && error.code !== 'not-found') errorToast(error);
    }
}

/** What was told of the conversation, as an event of it. */
function receive(item, id, store, leave) {
    if (item.reset) store.send({ kind: 'restarted' });
    else if (item.message?.conversation === id) store.send({ kind: 'told', message: item.message });
    else if (item.notice?.conversation === id) store.send({ kind: 'noticed', notice: item.notice });
    else if (item.removed?.conversation === id) store.send({ kind: 'removed', id: item.removed.id });
    else if (item.cleared === id) store.send({ kind: 'cleared' });
    else if (item.hidden === id) leave();
}

function troubleOf(error, link, retry) {
    if (error.code === 'not-found') {
        return emptyState({ icon: 'chat', title: t('chat.gone'), text: t('chat.goneText'), actions: [linkButton({ label: t('chat.toList'), href: link('/chats') })] });
    }
    return error.code === 'away' ? banner({ kind: 'offline', text: t('chat.away'), actions: [button({ label: t('common.retry'), kind: 'quiet', press: retry })] }) : errorBanner(error, { retry });
}

/** The way back, the person with whether they are there, who can read it, and the way to its settings. */
function talkHead({ chat, id, link }) {
    const face = h('span', { class: 'talk-face' });
    const name = h('h2', { class: 'talk-name' }, t('chat.conversation'));
    const about = h('div', { class: 'talk-about small soft', role: 'status' });
    const seal = h('a', { class: 'icon-button quiet talk-seal', href: link('/chats', id, 'safety') });
    const settings = h('a', { class: 'icon-button quiet', href: link('/chats', id, 'settings'), title: t('chat.settings'), aria: { label: t('chat.settings') } }, icon('settings'));
    const element = h('header', { class: 'talk-head' },
        h('a', { class: 'icon-button quiet talk-back', href: link('/chats'), title: t('chat.toList'), aria: { label: t('chat.toList') } }, icon('chevron-left')),
        face, h('div', { class: 'talk-words' }, name, about), seal, settings);
    let drawn = '';
    seal.hidden = settings.hidden = true;
    return {
        element,
        update: (row, isTyping, account) => {
            const now = JSON.stringify([row && [row.name, row.avatar, row.isOnline, row.isSealed, row.isVerified], isTyping, account]);
            if (!row || now === drawn) return;
            drawn = now;
            seal.hidden = settings.hidden = false;
            face.replaceChildren(avatar(chat, row, { size: 36 }));
            name.replaceChildren(safeText(row.name, { limit: 80 }));
            about.replaceChildren(statusOf(row, isTyping, account));
            about.classList.toggle('is-typing', isTyping);
            const words = t(row.isSealed ? (row.isVerified ? 'chat.sealedVerified' : 'chat.sealed') : 'chat.clear');
            Object.assign(seal, { title: words, className: `icon-button quiet talk-seal ${row.isSealed ? 'is-sealed' : 'is-clear'}` });
            seal.setAttribute('aria-label', words);
            seal.replaceChildren(icon(row.isSealed ? (row.isVerified ? 'shield-check' : 'lock') : 'unlock', { size: 20 }));
        },
    };
}

function statusOf({ isOnline, isSealed, isDeleted }, isTyping, account) {
    if (isDeleted) return t('chat.deleted');
    if (isTyping) return t('chat.typing');
    if (account === 'away' || account === 'connecting') return t(`chat.status.${account}`);
    if (isOnline) return t('chat.online');
    return t(isSealed ? 'chat.sealed' : 'chat.clear');
}
