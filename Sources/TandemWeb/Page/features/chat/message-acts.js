import { confirm, copyText, errorToast, openMenu } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/**
 * The menu of a message: what can be done with it.
 *
 * @param {import('../../client/chat.js').Message} message
 * @param {{chat: import('../../client/chat.js').Chat, anchor: HTMLElement, point?: {x: number, y: number}, told: (message: import('../../client/chat.js').Message) => void,
 *   removed: (id: string) => void}} context
 */
export function messageMenu(message, { chat, anchor, point, told, removed }) {
    const { conversation, id, isMine, status, text, kind } = message;
    const isSent = status === 'sent';
    openMenu({ label: t('chat.messageActs'), anchor, point, items: [
        (kind === 'text' || kind === 'quote') && text && { label: t('chat.copy'), icon: 'copy', press: () => copyText(text) },
        isMine && isSent && kind !== 'unknown' && { label: t('chat.recall'), icon: 'undo', press: () => recall(message, { chat, told }) },
        isMine && status === 'failed' && { label: t('chat.resend'), icon: 'refresh', press: () => chat.resend(conversation, id) },
        isMine && !isSent && { label: t('chat.discard'), icon: 'trash', kind: /** @type {'danger'} */ ('danger'), press: async () => { await chat.discard(conversation, id); removed(id); } },
        isSent && { label: t('chat.remove'), icon: 'trash', kind: /** @type {'danger'} */ ('danger'), press: () => remove(message, { chat, removed }) },
        !isMine && { label: t('chat.reportMessage'), icon: 'flag', press: async () => (await import('./report.js')).reportDialog({ chat, conversation, id }) },
    ].filter(Boolean) });
}

/** It is shown as recalled at once, and comes back where the hub refuses. Source: rules C5, B18. */
async function recall(message, { chat, told }) {
    told({ ...message, kind: 'recalled', text: '', pictures: [], voice: null, quote: null, flash: null });
    try {
        told(await chat.recall(message.conversation, message.id));
    } catch (error) {
        told(message);
        errorToast(error);
    }
}

function remove({ conversation, id }, { chat, removed }) {
    return confirm({
        title: t('chat.removeTitle'), text: t('chat.removeText'), action: t('chat.remove'),
        work: async () => {
            await chat.remove(conversation, id);
            removed(id);
        },
    });
}
