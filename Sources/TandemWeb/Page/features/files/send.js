import { button, errorToast, h, openDialog, safeText } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/**
 * Begins the uploads of what was given: a job for each. Where a file has a name that is there already, the person says what becomes of it.
 *
 * @param {import('../../kit/pick.js').Top[]} tops
 * @param {{transfers: Object, device: {id: string, name: string}, folder: string, taken: Set<string>}} options `taken`: names in the folder.
 */
export async function sendFiles(tops, { transfers, device, folder, taken }) {
    const doubled = tops.filter((top) => !top.isFolder && taken.has(top.name));
    const answer = doubled.length > 0 ? await askAboutDoubled(doubled) : 'replace';
    if (!answer) return;
    for (const top of tops) {
        const isDoubled = doubled.includes(top);
        if (isDoubled && answer === 'skip') continue;
        const name = isDoubled && answer === 'both' ? freeName(top.name, taken) : top.name;
        begin(top, { transfers, device, folder, name, overwrite: isDoubled && answer === 'replace' });
    }
}

function begin(top, { transfers, device, folder, name, overwrite }) {
    const parts = top.files.map(({ file, sub, name: original }) => ({
        kind: file ? 'file' : 'folder', name: top.isFolder ? original : name, original, sub, size: file?.size ?? 0, modified: file?.lastModified ?? null,
        upload: crypto.randomUUID(), top: 0,
    }));
    transfers.add({
        kind: 'upload', device: device.id, deviceName: device.name, name, folder, parts, overwrite, isFolder: top.isFolder,
        handles: top.handle ? [top.handle] : null,
    }, new Map(top.files.map(({ file }, index) => [index, file]).filter(([, file]) => file)));
}

/** `report (2).pdf` */
function freeName(name, taken) {
    const at = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
    for (let number = 2; ; number++) {
        const next = `${name.slice(0, at)} (${number})${name.slice(at)}`;
        if (!taken.has(next)) return next;
    }
}

/** @returns {Promise<'replace' | 'both' | 'skip' | null>} */
function askAboutDoubled(tops) {
    return new Promise((resolve) => {
        let answer = null;
        const choice = (id, kind) => button({ label: t(`files.doubled.${id}`), kind, press: () => { answer = id; dialog.close(); } });
        const dialog = openDialog({
            title: t('files.doubledTitle', { count: tops.length }),
            content: [
                h('p', { class: 'dialog-text' }, t('files.doubledText')),
                h('ul', { class: 'doubled-names' }, tops.slice(0, 5).map((top) => h('li', null, safeText(top.name, { limit: 80 }))),
                    tops.length > 5 && h('li', { class: 'soft' }, t('files.andMore', { count: tops.length - 5 }))),
            ],
            actions: [choice('skip', 'plain'), choice('replace', 'danger'), choice('both', 'primary')],
            closed: () => resolve(answer),
        });
    });
}

/** Begins downloads: each file by itself, a folder as a ZIP. */
export function fetchEntries(entries, { transfers, device }) {
    for (const entry of entries) {
        transfers.add(entry.isFolder
            ? { kind: 'download', zip: true, device: device.id, deviceName: device.name, name: entry.name, root: entry.name, path: entry.path, parts: [], isFolder: true, total: 0 }
            : {
                kind: 'download', device: device.id, deviceName: device.name, name: entry.name,
                parts: [{ kind: 'file', name: entry.name, sub: '', path: entry.path, size: entry.size ?? 0, modified: entry.modified }],
            });
    }
}

/**
 * Moves several to the trash, one after the other.
 *
 * @returns {Promise<number>} How many were.
 */
export async function trashEntries(computer, entries) {
    let done = 0;
    for (const entry of entries) {
        try {
            await computer.call('file.delete', { path: entry.path, recursive: entry.isFolder });
            done += 1;
        } catch (error) {
            if (entries.length === 1) throw error;
            errorToast(error);
        }
    }
    return done;
}
