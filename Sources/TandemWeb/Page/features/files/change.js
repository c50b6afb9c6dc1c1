import { button, confirm, errorBanner, h, openDialog, safeText, textField, toast } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { trashEntries } from './send.js';
import { joinPath } from './paths.js';
import { named } from './words.js';

/** Asks for a name and does something with it; what is wrong with it is said below it. */
function askName({ title, label, value = '', action, work }) {
    return new Promise((resolve) => {
        let isDone = false;
        const trouble = h('div', null);
        const go = async () => {
            const name = field.value.trim();
            const problem = wrong(name);
            if (problem) { field.fail(t(problem)); field.input.focus(); return; }
            try {
                if (name !== value) await work(name);
                isDone = name !== value;
                dialog.close();
            } catch (error) {
                if (error.code === 'exists') field.fail(t('errors.exists'));
                else trouble.replaceChildren(errorBanner(error, { text: error.code === 'not-allowed' ? t('files.readOnly') : undefined }));
            }
        };
        const send = button({ label: action, kind: 'primary', press: go });
        const field = textField({ label, value, enter: () => send.click(), attributes: { autocapitalize: 'none', maxLength: 255 } });
        const dialog = openDialog({
            title, content: [field, trouble],
            actions: [button({ label: t('common.cancel'), press: () => { dialog.close(); } }), send],
            closed: () => resolve(isDone),
        });
        field.input.focus();
        // Without its ending, which mostly stays.
        const end = value.lastIndexOf('.');
        if (value) field.input.setSelectionRange(0, end > 0 ? end : value.length);
    });
}

function wrong(name) {
    if (!name) return 'files.nameNeeded';
    if (name === '.' || name === '..' || /[/\\\0]/.test(name)) return 'files.nameBad';
    return null;
}

/** @returns {Promise<boolean>} Whether it was done. */
export function newFolder(computer, folder) {
    return askName({
        title: t('files.newFolder'), label: t('files.name'), action: t('files.create'),
        work: (name) => computer.call('file.createDirectory', { path: joinPath(folder, name), recursive: false }),
    });
}

export function renameEntry(computer, entry) {
    return askName({
        title: t('files.rename'), label: t('files.newName'), value: entry.name, action: t('files.rename'),
        work: (name) => computer.call('file.rename', { path: entry.path, newName: name }),
    });
}

/** Asks, then moves to the computer's trash. */
export async function trash(computer, entries) {
    const isOne = entries.length === 1;
    let done = 0;
    const isDone = await confirm({
        title: isOne ? t('files.trashTitle', { name: named(entries[0].name) }) : t('files.trashTitleMany', { count: entries.length }),
        text: isOne ? t(entries[0].isFolder ? 'files.trashFolderText' : 'files.trashText')
            : h('span', null, t('files.trashManyText'), h('ul', { class: 'doubled-names' }, entries.slice(0, 5).map((each) => h('li', null, safeText(each.name, { limit: 80 }))),
                entries.length > 5 && h('li', null, t('files.andMore', { count: entries.length - 5 })))),
        action: t('files.trash'),
        work: async () => { done = await trashEntries(computer, entries); },
    });
    if (isDone && done > 0) toast(t('files.trashed', { count: done }));
    return isDone;
}
