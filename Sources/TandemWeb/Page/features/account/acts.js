import { button, copyable, errorBanner, facts, h, openDialog, textField, toast } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { passwordField } from './password-field.js';
import { strengthOf } from './strength.js';

/**
 * A dialog with fields and one thing that is done with them. What fails is said in it.
 *
 * @param {{title: string, content: any, action: string, kind?: 'primary' | 'danger', isDisabled?: boolean, work: (close: () => void) => Promise<any>}} options
 * @returns {{element: HTMLDialogElement, close(): void, submit: HTMLButtonElement, press: () => void}}
 */
export function formDialog({ title, content, action, kind = 'primary', isDisabled = false, work }) {
    const trouble = h('div', { class: 'notices' });
    const submit = button({ label: action, kind, disabled: isDisabled, press: async () => {
        trouble.replaceChildren();
        try {
            await work(() => dialog.close());
        } catch (error) {
            trouble.replaceChildren(errorBanner(error));
        }
    } });
    const dialog = openDialog({ title, content: [content, trouble].flat(), actions: [button({ label: t('common.cancel'), press: () => { dialog.close(); } }), submit] });
    return { element: dialog.element, close: dialog.close, submit, press: () => submit.click() };
}

export function changeNickname(client, account, changed) {
    const field = textField({
        label: t('account.field.nickname'), value: account.nickname, hint: t('account.renameHint', { name: account.name }), attributes: { maxLength: 64 }, enter: () => dialog.press(),
    });
    const dialog = formDialog({
        title: t('account.rename'), content: field, action: t('account.save'), work: async (close) => {
            changed(await client.call('account.change', { nickname: field.value.trim() }));
            close();
            toast(t('account.renamed'));
        },
    });
}

/** @param {boolean} has Whether there is a password, which is asked for then. @param {() => void} changed */
export function askPassword(client, has, changed) {
    const check = () => { dialog.submit.disabled = !['weak', 'fair', 'good'].includes(strengthOf(next.value).level) || (has && old.value === ''); };
    const old = passwordField({ label: t('account.oldPassword'), isNew: false, input: check });
    const next = passwordField({ label: t('account.newPassword'), isNew: true, input: check, enter: () => dialog.press() });
    const dialog = formDialog({
        title: t(has ? 'account.changePassword' : 'account.setPassword'),
        content: [h('p', { class: 'dialog-text' }, t('account.passwordText')), has && old, next], action: t('account.save'), isDisabled: true, work: async (close) => {
            await client.call('account.password', { new: next.value, ...(has && { old: old.value }) });
            changed();
            close();
            toast(t('account.passwordChanged'));
        },
    });
}

export function askExport(client) {
    // A browser that is the phone has no folders: it saves one file.
    if (client.self?.hub) askExportFile(client);
    else askExportFolder(client);
}

function askExportFile(client) {
    formDialog({
        title: t('account.export'), content: h('p', { class: 'dialog-text' }, t('account.exportFileLong')), action: t('account.exportDo'), work: async (close) => {
            const exported = await client.call('chat.export', { folder: 'tandem-export' });
            close();
            showExported(exported, { text: t('account.exportedFileText'), label: t('account.exportFile') });
        },
    });
}

function askExportFolder(client) {
    const field = textField({
        label: t('account.folder'), hint: t('account.folderHint'), placeholder: t('account.folderExample'), mono: true,
        input: (text) => { dialog.submit.disabled = text.trim() === ''; }, enter: () => dialog.press(),
    });
    const dialog = formDialog({
        title: t('account.export'), content: [h('p', { class: 'dialog-text' }, t('account.exportLong')), field], action: t('account.exportDo'), isDisabled: true, work: async (close) => {
            const exported = await client.call('chat.export', { folder: field.value.trim() });
            close();
            showExported(exported, { text: t('account.exportedText'), label: t('account.folder') });
        },
    });
}

function showExported({ folder, conversations, messages, files }, { text, label }) {
    const dialog = openDialog({
        title: t('account.exported'),
        content: [
            h('p', { class: 'dialog-text' }, text),
            h('div', { class: 'card rows' }, h('div', { class: 'row address-row' }, copyable(folder, label)), facts([
                [t('account.conversations'), t('account.value', { value: format.number(conversations) })],
                [t('account.messages'), t('account.value', { value: format.number(messages) })],
                [t('account.files'), t('account.value', { value: format.number(files) })],
            ])),
        ],
        actions: [button({ label: t('common.done'), kind: 'primary', press: () => { dialog.close(); } })],
    });
}
