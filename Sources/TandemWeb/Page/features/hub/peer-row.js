import { chip, confirm, copyText, h, menuButton, middle, plainText, safeText, textField, toast } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';

/**
 * A device of a hub: its name, or its id where nobody gave it one, and when it came.
 *
 * @param {{peerId: string, name?: string, person?: string, proven?: boolean, address?: string, connectedAt?: number, connected?: boolean, seenAt?: number}} each A
 *   connection, or a device that the hub knows.
 */
export function peerRow(client, each, changed) {
    const id = middle(plainText(each.peerId), { tail: 8 });
    return h('div', { class: 'peer-row' },
        h('div', { class: 'row-words' },
            h('div', { class: 'peer-id' }, each.name ? [safeText(each.name, { limit: 64 }), each.person && h('span', { class: 'soft peer-person' }, t('hub.of', { person: plainText(each.person) }))] : id),
            h('div', { class: 'row-detail peer-facts' }, each.name && h('span', { class: 'peer-of' }, id), each.address && safeText(each.address, { limit: 80, class: 'mono' }), when(each))),
        each.proven === false && chip(t('hub.unproven'), 'warn'),
        menuButton({
            label: t('hub.moreForPeer'),
            items: () => [
                { label: t('hub.giveName'), icon: 'edit', press: () => giveName(client, each, changed) },
                { label: t('hub.copyId'), icon: 'copy', press: () => copyText(each.peerId) },
                ...(each.connected === false ? [] : [{ label: t('hub.kick'), icon: 'log-out', kind: /** @type {const} */ ('danger'), press: () => kick(client, each, changed) }]),
                { label: t('hub.release'), icon: 'unlock', kind: 'danger', press: () => release(client, each, changed) },
            ],
        }));
}

/**
 * A hub notes only the day on which a device was last there.
 *
 * @param {{connectedAt?: number, connected?: boolean, seenAt?: number}} device
 */
function when({ connectedAt, connected, seenAt }) {
    if (connectedAt === undefined) return h('span', null, connected ? t('hub.isHere') : t('hub.seen', { when: format.date(seenAt) }));
    return [
        h('span', { class: 'peer-long' }, t('hub.since', { when: format.relative(connectedAt) })),
        h('span', { class: 'peer-short' }, t('common.at', { when: format.relativeShort(connectedAt) })),
    ];
}

async function giveName(client, each, changed) {
    const name = textField({ label: t('hub.name'), value: plainText(each.name ?? ''), hint: t('hub.nameHint'), attributes: { maxLength: 64 } });
    const isDone = await confirm({
        title: t('hub.giveName'), kind: 'primary',
        text: h('div', { class: 'stack close' }, safeText(each.peerId, { tag: 'div', class: 'mono whole-id' }), name),
        action: t('hub.saveName'), work: () => client.call('hub.name', { id: each.peerId, name: name.value.trim() }),
    });
    if (isDone) { toast(t('hub.named')); changed(); }
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
async function release(client, each, changed) {
    const isDone = await confirm({
        title: t('hub.releaseTitle'),
        text: h('div', { class: 'stack close' }, safeText(each.peerId, { tag: 'div', class: 'mono whole-id' }), h('p', null, t('hub.releaseText'))),
        action: t('hub.release'), work: () => client.call('hub.release', { id: each.peerId }),
    });
    if (isDone) { toast(t('hub.released')); changed(); }
}
