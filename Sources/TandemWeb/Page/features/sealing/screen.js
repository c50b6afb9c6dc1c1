import { banner, button, chip, confirm, errorBanner, group, h, icon, iconButton, listRow, peer, safeText, skeleton, toast } from '../../kit/index.js';
import { plainText } from '../../kit/safe.js';
import { Store, doneBy } from '../../kit/store.js';
import { t } from '../../i18n/index.js';
import { addDialog } from './add.js';
import { canHandOver, change, initial, partsOf } from './devices-state.js';
import { handoverLine } from './handover.js';

/** Which devices read the account's sealed conversations: the list, those that wait to be added, and what to do where this one is not in it. */
export function devicesScreen({ client, life }) {
    const body = h('div', { class: 'stack' }, skeleton(3, { height: 72 }));
    const store = new Store({
        initial, change, run: doneBy(() => ({
            ask: async ({ turn }) => {
                try {
                    const list = await client.call('chat.devices', {}, { signal: life.signal });
                    if (!life.hasEnded) store.send({ kind: 'answered', turn, list });
                } catch (error) {
                    if (!life.hasEnded) store.send({ kind: 'failed', turn, error });
                }
            },
        })),
    });
    const again = () => store.send({ kind: 'asked' });
    const acts = {
        again, changed: (list) => store.send({ kind: 'changed', list }),
        call: (method, params) => client.call(method, params),
    };
    store.watch((state) => body.replaceChildren(...viewOf(state, acts)));
    for (const topic of ['account', 'chat', 'reset']) life.add(client.events(topic, again));
    // Another device may have been added while the page was away.
    life.listen(document, 'visibilitychange', () => { if (!document.hidden) again(); });
    again();
    return { title: t('sealing.title'), back: '#/account', element: body };
}

function viewOf({ phase, list, error }, acts) {
    if (phase === 'asking') return [skeleton(3, { height: 72 })];
    if (phase === 'failed') return [errorBanner(error, { retry: acts.again })];
    const parts = partsOf(list);
    return [
        error && errorBanner(error, { retry: acts.again }),
        parts.standing === 'other' && otherList(acts), parts.standing === 'waits' && waitsHere(parts, acts),
        listGroup(parts, acts), parts.waiting.length > 0 && waitingGroup(parts, acts),
    ].filter(Boolean);
}

const nameOf = ({ name }) => plainText(name.trim() || t('sealing.unnamed'), 64);
const isolatedName = (device) => `\u2068${nameOf(device)}\u2069`;
const rowName = (device) => safeText(device.name.trim() || t('sealing.unnamed'), { limit: 64 });

function listGroup({ own, listed, standing }, acts) {
    const isListed = standing === 'listed';
    const rows = [];
    if (own && isListed) {
        rows.push(listRow({ lead: icon('phone'), title: [rowName(own), ' ', chip(t('sealing.thisPhone'), 'accent')], detail: detailOf(own) }));
    }
    for (const device of listed) {
        rows.push(listRow({
            lead: icon('phone'), title: rowName(device), detail: detailOf(device),
            actions: isListed ? actionsOf(device, acts) : [],
        }));
    }
    if (rows.length === 0) rows.push(listRow({ lead: icon('key'), title: t('sealing.none') }));
    return group({ title: t('sealing.listed'), rows, foot: t('sealing.listedFoot') });
}

function detailOf(device) { return [peer(device.words, 'span', { class: 'key-words' }), handoverLine(device)]; }

function actionsOf(device, acts) {
    return [
        canHandOver(device) && iconButton({ label: t('sealing.handOverWhat', { name: nameOf(device) }), icon: 'upload', press: () => handOver(device, acts) }),
        iconButton({ label: t('sealing.removeWhat', { name: nameOf(device) }), icon: 'trash', press: () => remove(device, acts) }),
    ].filter(Boolean);
}

/** The words of one that waits are not shown: they are to be read from its own screen. */
function waitingGroup({ waiting, standing }, acts) {
    const rows = waiting.map((device) => listRow({
        lead: icon('phone'), title: rowName(device), detail: t('sealing.readsNothing'),
        actions: standing === 'listed' ? [button({ label: t('sealing.add'), icon: 'plus', press: () => addDialog(device, isolatedName(device), acts) })] : [],
    }));
    return group({ title: t('sealing.waiting'), rows, foot: t('sealing.waitingFoot') });
}

/** This phone is not in the list: its words, and what to do with them. */
function waitsHere({ own, listed }, acts) {
    return h('section', { class: 'card padded stack close' },
        h('h2', { class: 'card-title' }, t('sealing.waitsTitle')), h('p', { class: 'soft' }, t('sealing.waitsText')),
        own && h('div', { class: 'sealing-words' }, icon('key', { size: 20 }),
            h('div', { class: 'row-words' }, h('span', { class: 'row-detail' }, t('sealing.wordsHere')), peer(own.words, 'span', { class: 'key-words' }))),
        listed.length > 0 && h('div', null, button({ label: t('sealing.begin'), kind: 'quiet', press: () => renew(false, acts) })));
}

/** The hub shows another list than the one that was seen. */
function otherList(acts) {
    return banner({
        kind: 'warn', text: t('sealing.otherList'), detail: t('sealing.otherListText'),
        actions: [button({ label: t('sealing.adopt'), press: () => renew(true, acts) })],
    });
}

async function handOver(device, acts) {
    const name = isolatedName(device);
    await confirm({
        title: h('span', { data: { peer: '' } }, t('sealing.handOverTitle', { name })), text: t('sealing.historyText'), action: t('sealing.handOver'), kind: 'primary',
        work: async () => acts.changed(await acts.call('chat.handOver', { did: device.did })),
    });
}

async function remove(device, acts) {
    const name = isolatedName(device);
    const isDone = await confirm({
        title: h('span', { data: { peer: '' } }, t('sealing.removeTitle', { name })), text: t('sealing.removeText'), action: t('sealing.remove'),
        work: async () => acts.changed(await acts.call('chat.removeDevice', { did: device.did })),
    });
    if (isDone) toast(h('span', { data: { peer: '' } }, t('sealing.removed', { name })));
}

/** @param {boolean} adopt Takes the hub's list; else begins one anew with this phone alone. */
async function renew(adopt, acts) {
    const isDone = await confirm({
        title: t(adopt ? 'sealing.adoptTitle' : 'sealing.beginTitle'), text: t(adopt ? 'sealing.adoptText' : 'sealing.beginText'), action: t(adopt ? 'sealing.adopt' : 'sealing.begin'),
        work: async () => acts.changed(await acts.call('chat.renewDevices', { adopt })),
    });
    if (isDone) toast(t('sealing.renewed'));
}
