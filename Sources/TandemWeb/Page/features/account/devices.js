import { chip, confirm, iconButton, listRow, peer, relativeTime, safeText, toast } from '../../kit/index.js';
import { platformIcon } from '../../kit/icon.js';
import { t } from '../../i18n/index.js';
import { sorted } from './account-state.js';

/** What the page draws for the platforms that clients name by a number. */
const SYMBOLS = { 1: 'ios', 2: 'android', 3: 'win32', 4: 'darwin', 7: 'linux', 8: 'android', 9: 'ios' };

/**
 * The devices of an account, this phone first.
 *
 * @param {import('./account-state.js').Devices} devices
 * @param {{client: import('../../client/client.js').Client, ended: (device: string) => void}} options
 */
export function deviceRows(devices, options) { return sorted(devices).map((device) => deviceRow(device, options)); }

function deviceRow(device, { client, ended }) {
    const name = device.name.trim() || t('account.unnamedDevice');
    return listRow({
        lead: platformIcon(SYMBOLS[device.platformID]),
        title: [safeText(name, { limit: 64 }), device.current && chip(t('account.thisPhone'), 'accent')],
        detail: seen(device),
        actions: device.current ? [] : [iconButton({ label: t('account.endWhat', { name }), icon: 'log-out', press: () => end(client, device, name, ended) })],
    });
}

function seen({ lastSeenAt, createdAt, address }) {
    return [lastSeenAt ? [t('account.seen'), ' ', relativeTime(lastSeenAt)] : [t('account.signedIn'), ' ', relativeTime(createdAt)], address ? [' · ', peer(address)] : []].flat();
}

async function end(client, { device }, name, ended) {
    const isDone = await confirm({
        title: t('account.endTitle', { name }), text: t('account.endText'), action: t('account.end'),
        work: () => client.call('account.endDevice', { device }),
    });
    if (!isDone) return;
    ended(device);
    toast(t('account.ended', { name }));
}
