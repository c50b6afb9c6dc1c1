import { button, errorBanner, h, openDialog, textField, toast } from '../../kit/index.js';
import { byteCount } from '../../kit/bytes.js';
import { t } from '../../i18n/index.js';

/** As much as the hub takes. */
const MOST_BYTES = 2048;

/**
 * Tells who runs the hub of a person, or of one message, after asking why.
 *
 * @param {{chat: import('../../client/chat.js').Chat, conversation: string, id?: string}} options
 */
export function reportDialog({ chat, conversation, id }) {
    const trouble = h('div', null);
    const reason = textField({ label: t('chat.reportWhy'), rows: 3, attributes: { maxLength: MOST_BYTES, spellcheck: true } });
    const dialog = openDialog({
        title: t(id ? 'chat.reportMessageTitle' : 'chat.reportTitle'), content: [h('p', { class: 'dialog-text' }, t(id ? 'chat.reportMessageText' : 'chat.reportText')), reason, trouble],
        actions: [
            button({ label: t('common.cancel'), press: () => dialog.close() }),
            button({ label: t('chat.report'), kind: 'danger', press: async () => {
                const text = reason.value.trim();
                if (!text) { reason.fail(t('chat.reportNeedsWhy')); return; }
                if (byteCount(text) > MOST_BYTES) { reason.fail(t('chat.reportTooLong')); return; }
                try {
                    await chat.report(conversation, { id, reason: text });
                } catch (error) {
                    trouble.replaceChildren(errorBanner(error));
                    return;
                }
                dialog.close();
                toast(t('chat.reported'));
            } }),
        ],
    });
}
