import { emptyState, h, icon } from '../../kit/index.js';
import { chatOf } from '../../client/chat.js';
import { t } from '../../i18n/index.js';
import { Life } from '../../life.js';
import { conversation } from './conversation.js';
import { chatList } from './list.js';
import { standingOf } from './standing.js';

/** Where there is room for the list beside the conversation, as the style has it. */
const roomy = matchMedia('(min-width: 1100px)');

/** The conversations of this phone's account: the list, and beside it or in its place the one of the address. */
export function chatsScreen({ client, life, route, go, link, chrome }) {
    const [chat, standing] = [chatOf(client), standingOf(client)];
    const listPane = h('div', { class: 'chat-pane' });
    const mainPane = h('div', { class: 'chat-main' });
    const element = h('div', { class: ['chats', route.params.id && 'has-one'] }, listPane, mainPane);
    const screen = {
        title: t('nav.chats'), titleIsPeer: false, element, back: /** @type {string | undefined} */ (undefined), actions: [addLink(link)],
        update: (next) => { show(next); return true; },
    };
    let id = route.params.id ?? null;
    let list = null;
    let [own, view] = [null, null];

    /** The list is made once it can be seen. */
    function makeList() {
        if (list || (id && !roomy.matches)) return;
        list = chatList({
            client, chat, standing, life, link, find: route.query.get('find') ?? '',
            searched: (words) => { if (!id) go(link('/chats', { find: words || null }), { replace: true }); },
        });
        list.select(id);
        listPane.replaceChildren(list.element);
    }

    function show(next) {
        const [former, at] = [id, next.query.get('at')];
        id = next.params.id ?? null;
        makeList();
        list?.select(id);
        if (!id) { mainPane.replaceChildren(chooseOne()); name(); return; }
        if (view && former === id && !at) return;
        own?.end();
        own = new Life(life);
        view = conversation({
            client, chat, standing, life: own, id, link, go, hit: { at: at === null ? null : Number(at), item: next.query.get('item') },
        });
        mainPane.replaceChildren(view.element);
        standing.use(own, name);
    }

    /** The name of the person stands in the bar where nothing else does. */
    function name() {
        const row = id ? standing.state.rows[id] : null;
        const isAlone = id !== null && !roomy.matches;
        const [title, isPeers] = isAlone && row ? [row.name, true] : [t('nav.chats'), false];
        const back = isAlone ? link('/chats') : undefined;
        if (screen.title === title && screen.back === back) return;
        Object.assign(screen, { title, titleIsPeer: isPeers, back });
        chrome.titled(screen);
    }

    life.listen(roomy, 'change', () => { makeList(); name(); });
    show(route);
    name();
    return screen;
}

function addLink(link) {
    return h('a', { class: 'icon-button quiet', href: link('/chats/add'), title: t('chat.add'), aria: { label: t('chat.add') } }, icon('plus'));
}

function chooseOne() { return emptyState({ icon: 'chat', title: t('chat.choose'), text: t('chat.chooseText') }); }
