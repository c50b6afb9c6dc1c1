import {
    chip, confirm, copyText, emptyState, errorBanner, h, iconButton, menuButton, middle, plainText, safeText, skeleton, textField, toast,
    virtualList,
} from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';

const ROW = 64;
/** Connections of one answer. A longer list is asked for again only when its reader wants it. */
const PAGE = 1000;

/** Who is connected to this hub, with ids shortened, and the way to end a connection. */
export function hubPeersScreen({ client, life, chrome }) {
    const screen = { title: t('hub.peers'), element: null, actions: [] };
    const count = h('span', { class: 'soft number' });
    const body = h('div', null, skeleton(8, { height: ROW }));
    let [all, wanted] = [[], ''];
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
                const { peers, next } = await client.call('hub.peers', { limit: PAGE, ...(after && { after }) }, { signal: life.signal });
                if (life.hasEnded || mine !== loading) return;
                found.push(...peers);
                after = next ?? null;
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
        const fitting = wanted ? all.filter(({ peerId, address }) => peerId.toLowerCase().includes(wanted) || address.includes(wanted)) : all;
        count.textContent = wanted
            ? t('hub.found', { count: fitting.length, all: all.length }) : t('hub.connected', { count: all.length });
        if (fitting.length === 0) {
            list = null;
            body.replaceChildren(all.length === 0
                ? emptyState({ icon: 'people', title: t('hub.nobody'), text: t('hub.nobodyText') })
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
    screen.actions = [iconButton({ label: t('hub.refresh'), icon: 'refresh', press: load })];
    screen.element = h('div', { class: 'stack close' }, h('div', { class: 'hub-search' }, search, count), body);
    life.every(10_000, () => { if (all.length <= PAGE) load(); });
    life.add(client.events('reset', load));
    load();
    return screen;
}

function peerRow(client, each, changed) {
    return h('div', { class: 'peer-row' },
        h('div', { class: 'row-words' },
            h('div', { class: 'peer-id' }, middle(plainText(each.peerId), { tail: 8 })),
            h('div', { class: 'row-detail peer-facts' }, safeText(each.address, { limit: 80, class: 'mono' }),
                h('span', { class: 'peer-long' }, t('hub.since', { when: format.relative(each.connectedAt) })),
                h('span', { class: 'peer-short' }, t('common.at', { when: format.relativeShort(each.connectedAt) })))),
        !each.proven && chip(t('hub.unproven'), 'warn'),
        menuButton({
            label: t('hub.moreForPeer'),
            items: () => [
                { label: t('hub.copyId'), icon: 'copy', press: () => copyText(each.peerId) },
                { label: t('hub.kick'), icon: 'log-out', kind: 'danger', press: () => kick(client, each, changed) },
                { label: t('hub.release'), icon: 'unlock', kind: 'danger', press: () => release(client, each) },
            ],
        }));
}

async function kick(client, each, changed) {
    const reason = textField({ label: t('hub.reason'), hint: t('hub.reasonHint'), attributes: { maxLength: 256 } });
    const isDone = await confirm({
        title: t('hub.kickTitle'),
        text: h('div', { class: 'stack close' }, safeText(each.peerId, { tag: 'div', class: 'mono whole-id' }), h('p', null, t('hub.kickText')), reason),
        action: t('hub.kick'),
        work: () => client.call('hub.kick', { id: each.peerId, ...(reason.value.trim() ? { reason: reason.value.trim() } : {}) }),
    });
    if (isDone) { toast(t('hub.kicked')); changed(); }
}

/** For an id that a stranger took: whoever proves it next owns it. */
async function release(client, each) {
    const isDone = await confirm({
        title: t('hub.releaseTitle'),
        text: h('div', { class: 'stack close' }, safeText(each.peerId, { tag: 'div', class: 'mono whole-id' }), h('p', null, t('hub.releaseText'))),
        action: t('hub.release'), work: () => client.call('hub.release', { id: each.peerId }),
    });
    if (isDone) toast(t('hub.released'));
}
