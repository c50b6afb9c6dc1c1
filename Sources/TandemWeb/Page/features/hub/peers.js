import { emptyState, errorBanner, h, iconButton, segmented, skeleton, textField, virtualList } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { peerRow } from './peer-row.js';

const ROW = 64;
/** Devices of one answer. A longer list is asked for again only when its reader wants it. */
const PAGE = 1000;

/** What is listed: those that are connected, or all that proved an id. */
const LISTS = {
    now: { ask: async (client, page, options) => { const { peers, next } = await client.call('hub.peers', page, options); return { found: peers, next }; }, empty: ['hub.nobody', 'hub.nobodyText'] },
    all: { ask: async (client, page, options) => { const { devices, next } = await client.call('hub.devices', page, options); return { found: devices, next }; }, empty: ['hub.noDevices', 'hub.noDevicesText'] },
};

/** The devices of this hub: who is connected, and whom it knows, with ids shortened, and what its operator can do about each. */
export function hubPeersScreen({ client, life }) {
    const screen = { title: t('hub.peers'), element: null, actions: [] };
    const count = h('span', { class: 'soft number' });
    const body = h('div', null, skeleton(8, { height: ROW }));
    let [all, wanted, which] = [[], '', 'now'];
    let list = null;
    let loading = 0;

    const search = textField({
        label: t('hub.search'), labelHidden: true, placeholder: t('hub.search'), type: 'search',
        input: (text) => { wanted = text.trim().toLowerCase(); draw(); },
    });
    const load = async () => {
        const mine = ++loading;
        try {
            const isFirst = all.length === 0;
            const found = [];
            let after = null;
            do {
                const answer = await LISTS[which].ask(client, { limit: PAGE, ...(after && { after }) }, { signal: life.signal });
                if (life.hasEnded || mine !== loading) return;
                found.push(...answer.found);
                after = answer.next ?? null;
                // The first time what came is shown while more comes; later the whole list takes the place of the one before.
                if (isFirst || !after) { all = [...found]; draw(); }
            } while (after);
        } catch (error) {
            if (life.hasEnded || mine !== loading) return;
            list = null;
            body.replaceChildren(errorBanner(error, { retry: load }));
        }
    };
    const draw = () => {
        const fitting = wanted ? all.filter((each) => isWanted(each, wanted)) : all;
        count.textContent = wanted
            ? t('hub.found', { count: fitting.length, all: all.length }) : t(which === 'now' ? 'hub.connected' : 'hub.known', { count: all.length });
        if (fitting.length === 0) {
            list = null;
            const [title, text] = LISTS[which].empty;
            body.replaceChildren(all.length === 0
                ? emptyState({ icon: 'people', title: t(title), text: t(text) })
                : emptyState({ icon: 'search', title: t('hub.notFound'), text: t('hub.notFoundText') }));
            return;
        }
        if (!list) {
            list = virtualList({ label: t('hub.peers'), rowHeight: ROW, render: (each) => peerRow(client, each, load), items: fitting });
            body.replaceChildren(h('div', { class: 'card rows' }, list));
        } else {
            list.show(fitting);
        }
    };
    const choice = segmented({
        label: t('hub.which'), value: which, options: [{ id: 'now', label: t('hub.now') }, { id: 'all', label: t('hub.all') }],
        change: (id) => {
            [which, all, list] = [id, [], null];
            body.replaceChildren(skeleton(8, { height: ROW }));
            load();
        },
    });
    screen.actions = [iconButton({ label: t('hub.refresh'), icon: 'refresh', press: load })];
    screen.element = h('div', { class: 'stack close' }, choice, h('div', { class: 'hub-search' }, search, count), body);
    life.every(10_000, () => { if (all.length <= PAGE) load(); });
    life.add(client.events('reset', load));
    load();
    return screen;
}

function isWanted({ peerId, address, name, person }, wanted) {
    return [peerId, address, name, person].some((text) => text?.toLowerCase().includes(wanted));
}
