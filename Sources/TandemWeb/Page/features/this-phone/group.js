import { button, confirm, group, h, icon, listRow, openDialog, textField } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { honestWords } from './honest.js';

const LONGEST_NAME = 64;

/** This phone on the settings: its name, what it keeps, what stays with programs, and the way to forget it. */
export async function thisPhoneGroup({ client }) {
    const isKept = await navigator.storage?.persisted?.().catch(() => false) ?? false;
    const rows = [
        listRow({ lead: icon('edit'), title: t('thisPhone.name'), detail: client.self.name, press: () => rename(client) }),
        listRow({ lead: icon(isKept ? 'check' : 'info'), title: t(isKept ? 'thisPhone.persists' : 'thisPhone.mayGo'), detail: t(isKept ? 'thisPhone.persistsText' : 'thisPhone.mayGoText') }),
        listRow({ lead: icon('info'), title: t('thisPhone.elsewhere'), detail: t('thisPhone.elsewhereText') }),
        listRow({ lead: icon('trash'), title: t('thisPhone.erase'), detail: t('thisPhone.eraseText'), press: () => confirm({
            title: t('thisPhone.eraseTitle'), text: t('thisPhone.eraseWarning'), action: t('thisPhone.erase'), work: () => client.erase(),
        }) }),
    ];
    return h('div', { class: 'stack close' }, group({ title: t('thisPhone.group'), rows }), honestWords());
}

function rename(client) {
    const field = textField({ label: t('thisPhone.name'), value: client.self.name, hint: t('thisPhone.nameHint'), attributes: { maxLength: LONGEST_NAME }, enter: () => save() });
    const save = async () => {
        const name = field.value.trim();
        if (!name) { field.fail(t('thisPhone.nameNeeded')); return; }
        try {
            await client.renameSelf(name);
        } catch (error) {
            field.fail(error.message || t('errors.internal'));
            return;
        }
        dialog.close();
        // What shows the name is drawn anew.
        window.dispatchEvent(new HashChangeEvent('hashchange'));
    };
    const dialog = openDialog({
        title: t('thisPhone.name'), content: field,
        actions: [button({ label: t('common.cancel'), press: () => dialog.close() }), button({ label: t('thisPhone.save'), kind: 'primary', press: save })],
    });
    field.input.focus();
}
