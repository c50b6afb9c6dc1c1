import { card, emptyState, errorBanner, errorToast, group, h, icon, linkButton, listRow, progress, safeText, skeleton, toast } from '../../kit/index.js';
import { nameOf, presenceIcon } from '../../kit/computer.js';
import { format, t } from '../../i18n/index.js';
import { forgetShared, sharedHere } from './shared.js';

/** Sends what another app shared to a computer: files into the first shared folder, a text onto the clipboard. */
export function shareScreen({ client, life, go }) {
    const body = h('div', { class: 'stack' }, skeleton(2));
    const load = async () => {
        try {
            const [shared, devices] = await Promise.all([sharedHere(), client.devices.list()]);
            if (life.hasEnded) return;
            if (!shared || (!shared.text && shared.files.length === 0)) { body.replaceChildren(nothing()); return; }
            const send = (device, place) => sending({ client, life, go, shared, device, place });
            body.replaceChildren(what(shared), devices.length > 0 ? group({ title: t('thisPhone.shareTo'), rows: devices.map((device) => row(device, send)) }) : nobody());
        } catch (error) {
            if (!life.hasEnded) body.replaceChildren(errorBanner(error, { retry: load }));
        }
    };
    load();
    return { title: t('thisPhone.share'), back: '#/computers', element: body };
}

function what({ text, files }) {
    const rows = files.map(({ name, size }) => h('div', { class: 'line' }, icon('file'), safeText(name, { limit: 120 }), h('span', { class: 'soft' }, format.bytes(size))));
    return card({ title: t('thisPhone.shared'), icon: 'upload' }, ...rows, text && safeText(text, { tag: 'p', limit: 400 }));
}

function nothing() { return emptyState({ icon: 'upload', title: t('thisPhone.nothingShared'), text: t('thisPhone.nothingSharedText') }); }

function nobody() {
    return emptyState({ icon: 'computer', title: t('thisPhone.noComputer'), actions: [linkButton({ label: t('nav.pair'), kind: 'primary', href: '#/pair' })] });
}

function row(device, send) {
    const place = h('div', null);
    const element = listRow({ lead: presenceIcon(device), title: nameOf(device), press: () => send(device, place) });
    return h('div', null, element, place);
}

async function sending({ client, life, go, shared, device, place }) {
    const computer = client.computer(device.id);
    try {
        if (shared.files.length > 0) {
            const { path } = await computer.call('file.listDirectory', { path: '', compact: true, limit: 1 }, { signal: life.signal });
            const total = shared.files.reduce((sum, { size }) => sum + size, 0);
            let before = 0;
            for (const file of shared.files) {
                const bar = progress({ label: t('thisPhone.sending') });
                place.replaceChildren(bar);
                await computer.upload(path, file, { signal: life.signal, onProgress: (done) => bar.update(total > 0 ? (before + done) / total : null) });
                before += file.size;
            }
        }
        if (shared.text) await computer.call('clipboard.set', { type: 'text', content: shared.text }, { signal: life.signal });
    } catch (error) {
        place.replaceChildren();
        if (!life.hasEnded) errorToast(error);
        return;
    }
    await forgetShared();
    toast(t('thisPhone.sent'));
    go('#/computers', { replace: true });
}
