import { h, textField } from '../../kit/index.js';
import { chatOf } from '../../client/chat.js';
import { t } from '../../i18n/index.js';
import { foundMessages } from './found.js';

/** A search in one conversation. */
export function searchScreen({ client, life, route, link, go }) {
    const { id } = route.params;
    const found = foundMessages({ chat: chatOf(client), life, conversation: id, nameOf: () => '', href: (message) => link('/chats', id, { at: message.seq, item: message.id }) });
    const words = route.query.get('find') ?? '';
    const field = textField({
        label: t('chat.searchIn'), labelHidden: true, placeholder: t('chat.searchIn'), type: 'search', value: words, attributes: { maxLength: 120 },
        input: (text) => { go(link('/chats', id, 'search', { find: text.trim() || null }), { replace: true }); found.look(text); },
    });
    if (words) found.look(words, { isNow: true });
    return { title: t('chat.searchIn'), element: h('div', { class: 'stack close' }, field, found.element), back: link('/chats', id), update: () => true };
}
