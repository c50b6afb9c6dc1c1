import { button, errorBanner, h, openDialog, switchRow, textField, toast } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { typedWords } from './devices-state.js';

/**
 * Adds a device that waits, once the person typed the words that it shows itself: the hub, which names it here, could name one of its own.
 *
 * @param {import('./devices-state.js').Device} device
 * @param {string} name Its name, isolated from what stands around it.
 * @param {{changed: (list: import('./devices-state.js').DeviceList) => void, call: (method: 'chat.addDevice', params: Object) => Promise<any>}} acts
 */
export function addDialog(device, name, acts) {
    const trouble = h('div', { class: 'notices' });
    const words = textField({
        label: t('sealing.words'), hint: t('sealing.wordsHint'), mono: true, attributes: { autocapitalize: 'off', maxLength: 120 },
        input: () => { submit.disabled = words.value.trim() === ''; }, enter: () => submit.click(),
    });
    let history = false;
    const choice = switchRow({ label: t('sealing.history'), detail: t('sealing.historyText'), on: false, change: (on) => { history = on; } });
    const submit = button({ label: t('sealing.add'), kind: 'primary', disabled: true, press: async () => {
        trouble.replaceChildren();
        const typed = typedWords(words.value);
        if (!typed) return;
        try {
            acts.changed(await acts.call('chat.addDevice', { did: device.did, words: typed, history }));
        } catch (error) {
            if (error.detail?.reason === 'notThatDevice') words.fail(t('reason.notThatDevice'));
            else trouble.replaceChildren(errorBanner(error));
            return;
        }
        dialog.close();
        toast(h('span', { data: { peer: '' } }, t('sealing.added', { name })));
    } });
    const dialog = openDialog({
        title: h('span', { data: { peer: '' } }, t('sealing.addTitle', { name })),
        content: [h('p', { class: 'dialog-text' }, t('sealing.addText')), words, choice, trouble],
        actions: [button({ label: t('common.cancel'), press: () => { dialog.close(); } }), submit],
    });
}
