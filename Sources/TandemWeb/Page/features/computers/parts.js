import {
    button, chip, confirm, copyable, facts, h, icon, middle, openDialog, pathChip, peer, relativeTime, toast,
} from '../../kit/first.js';
import { format, hasText, t } from '../../i18n/index.js';
import { endToEndChip, nameOf, platformName } from '../../kit/computer.js';
import { textField } from '../../kit/fields.js';
import { isolated } from '../../kit/isolated.js';
import { switchRow } from '../../kit/switch.js';

/** How long it is said that something is left to do at a computer. */
const UNTOLD_FOR = 15_000;

/**
 * Notes by which way a computer is reached now.
 *
 * @param {string | null} path
 */
export function reachedBy(device, path) {
    // It was here until now, whatever was told of it before.
    if (!path && device.path && !['connecting', 'failed'].includes(device.path)) device.lastSeenAt = Date.now();
    device.path = path;
}

/**
 * Asks, and forgets.
 *
 * @returns {Promise<boolean>} Whether it is forgotten.
 */
export async function forget(client, device) {
    const answers = [];
    const isDone = await confirm({
        title: t('computers.forgetTitle', { name: isolated(device.name || t('computers.unnamed')) }),
        text: t('computers.forgetText'),
        action: t('computers.forget'),
        work: async () => { answers.push(await client.devices.forget(device.id)); },
    });
    if (isDone) toastForgotten(answers);
    return isDone;
}

/**
 * Says that computers are forgotten, and which of them could not be told.
 *
 * @param {{name: string, untold?: string}[]} answers
 */
export function toastForgotten(answers) {
    const names = answers.filter(({ untold }) => untold).map(({ name }) => isolated(name || t('computers.unnamed')));
    if (names.length === 0) toast(t('computers.forgotten'));
    else toast(t('computers.untold', { names: names.join(' · ') }), 'info', UNTOLD_FOR);
}

/**
 * Asks for another name.
 *
 * @param {(device: Object) => void} [renamed]
 */
export function rename(client, device, renamed) {
    const field = textField({
        label: t('computers.newName'), value: device.name, hint: t('computers.newNameHint'), attributes: { maxLength: 64 },
        enter: () => save(),
    });
    const save = async () => {
        const name = field.value.trim();
        if (!name) { field.fail(t('computers.nameNeeded')); return; }
        try {
            await client.devices.rename(device.id, name);
        } catch (error) {
            field.fail(error.message || t('errors.internal'));
            return;
        }
        dialog.close();
        renamed?.({ ...device, name });
    };
    const dialog = openDialog({
        title: t('computers.rename'), content: field,
        actions: [
            button({ label: t('common.cancel'), press: () => { dialog.close(); } }),
            button({ label: t('computers.saveName'), kind: 'primary', press: save }),
        ],
    });
    field.input.focus();
    field.input.select();
}

/** Until when this phone has the rights there that end, each on a line. */
function endings(device) {
    return Object.entries(device.allowedEnds ?? {}).filter(([, end]) => end > Date.now()).map(([right, end]) => [
        hasText(`rights.${right}`) ? t(`rights.${right}`) : peer(right), t('computers.rightEnds', { left: format.duration(Math.ceil((end - Date.now()) / 60_000) * 60_000) }),
    ]);
}

/** What this phone's person allowed with a computer that cannot seal; each can be taken back. */
function allowedHere(device, client) {
    const nameOfRight = (right) => (hasText(`rights.${right}`) ? t(`rights.${right}`) : peer(right));
    return h('div', { class: 'card rows' }, device.skills.map((right) => switchRow({
        label: nameOfRight(right), detail: t('computers.allowedHere'), on: true,
        change: (on) => (on ? client.devices.allow(device.id, [right]) : client.devices.deny(device.id, [right])),
    })));
}

/** All that is known of a computer. */
export function showDetails(device, client) {
    const servers = [['computers.lanServer', device.lanSignalingUrl], ['computers.relayServer', device.relayUrl]];
    openDialog({
        title: nameOf(device),
        content: [
            h('div', { class: 'line' }, pathChip(device.path), endToEndChip(device.endToEnd),
                device.confirmed === false && chip(t('computers.unconfirmed'), 'warn', 'info')),
            !device.endToEnd && h('p', { class: 'dialog-text' }, t('computers.inTheClearText')),
            device.confirmed === false && h('p', { class: 'dialog-text' }, t('computers.unconfirmedText')),
            device.fingerprint && h('div', { class: 'card' }, h('div', { class: 'words-row' },
                h('div', { class: 'small soft' }, t('pairing.itsWords')), peer(device.fingerprint, 'span', { class: 'key-words' }),
                h('p', { class: 'small soft' }, t('computers.wordsFoot')))),
            !device.endToEnd && device.skills?.length > 0 && allowedHere(device, client),
            h('div', { class: 'card' }, facts([
                [t('computers.platform'), h('span', { class: 'line' }, icon('computer', { size: 18 }), platformName(device.platform))],
                [t('computers.lastSeen'), relativeTime(device.lastSeenAt)],
                [t('computers.paired'), t('common.at', { when: format.dateTime(device.pairedAt) })],
                ...endings(device),
                [t('settings.id'), copyable(device.id, t('settings.id'))],
                device.did && [t('pairing.did'), copyable(device.did, t('pairing.did'))],
                ...servers.filter(([, url]) => url).map(([key, url]) => [t(key), middle(url)]),
            ].filter(Boolean))),
        ],
    });
}
