import { banner, button, errorBanner, h, openDialog, plainText, segmented, textField, toast } from '../../kit/index.js';
import { selectField } from '../../kit/select.js';
import { format, t } from '../../i18n/index.js';

const TITLE = 512;
const BODY = 16 << 10;

/**
 * Writes a message: at a computer to a phone or to all of them, on a phone to the computer.
 *
 * @param {{client: Object, notifications: Object}} context
 */
export function compose({ client, notifications }) {
    let priority = 'normal';
    let phone = '';
    const isThere = Boolean(notifications.device);
    const title = textField({ label: t('notifications.title'), attributes: { maxLength: TITLE, spellcheck: true } });
    const body = textField({ label: t('notifications.text'), rows: 4, attributes: { maxLength: BODY, spellcheck: true }, enter: () => press.click() });
    const to = selectField({ label: t('notifications.to'), value: '', change: (id) => { phone = id; }, options: [{ id: '', label: t('notifications.allPhones') }] });
    const urgency = segmented({
        label: t('notifications.priority'), value: priority, change: (id) => { priority = id; },
        options: ['normal', 'high', 'urgent'].map((id) => ({ id, label: t(`notifications.${id}`) })),
    });
    const trouble = h('div', null);
    const press = button({ label: t('notifications.send'), icon: 'arrow-up', kind: 'primary', press: send });
    if (!isThere) client.devices.list().then((phones) => to.offer([{ id: '', label: t('notifications.allPhones') }, ...phones.map(({ id, name }) => ({ id, label: plainText(name || id, 60), isPeers: true }))], phone)).catch(() => {});

    async function send() {
        trouble.replaceChildren();
        if (!title.value.trim()) { title.fail(t('notifications.titleNeeded')); title.input.focus(); return; }
        /** @type {[field: typeof title, most: number][]} */
        const limited = [[title, TITLE], [body, BODY]];
        for (const [field, most] of limited) {
            if (new TextEncoder().encode(field.value).length > most) { field.fail(t('notifications.tooLong', { size: format.bytes(most) })); field.input.focus(); return; }
        }
        const message = { title: title.value.trim(), body: body.value, priority };
        try {
            if (isThere) { await show(message); return; }
            const { deliveredCount = 0, failedCount = 0, error } = await notifications.send({ phone: phone || null, ...message });
            if (deliveredCount === 0) { failed('notifications.sentToNone', error); return; }
            dialog.close();
            toast(t('notifications.sent', { count: deliveredCount, failed: failedCount }));
        } catch (error) {
            trouble.replaceChildren(errorBanner(error));
            trouble.scrollIntoView({ block: 'nearest' });
        }
    }

    async function show(message) {
        const { success, silenced, error } = await notifications.show(message);
        if (success === false && !silenced) { failed('notifications.notShown', error); return; }
        dialog.close();
        toast(t(silenced ? 'notifications.shownQuietly' : 'notifications.shownThere'));
    }

    function failed(text, error) {
        trouble.replaceChildren(banner({ kind: 'bad', text: t(text), detail: error && h('span', { data: { peer: '' } }, plainText(error, 300)) }));
        trouble.scrollIntoView({ block: 'nearest' });
    }

    const dialog = openDialog({
        title: t(isThere ? 'notifications.composeThere' : 'notifications.compose'),
        content: [!isThere && h('div', { class: 'field' }, h('span', { class: 'field-label', aria: { hidden: true } }, t('notifications.to')), to), title, body, urgency, trouble].filter(Boolean),
        actions: [button({ label: t('common.cancel'), press: () => { dialog.close(); } }), press],
    });
    title.input.focus();
}
