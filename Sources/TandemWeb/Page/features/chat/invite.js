import { card, copyText, button, errorBanner, h, middle, skeleton } from '../../kit/index.js';
import { qrCode } from '../../kit/pictures.js';
import { t } from '../../i18n/index.js';

/**
 * The person's own link, as a code to scan and to copy: whoever has it can write to them.
 *
 * @param {{client: import('../../client/client.js').Client, chat: import('../../client/chat.js').Chat, life: import('../../life.js').Life}} context
 */
export function invitation({ client, chat, life }) {
    const body = h('div', { class: 'invite' }, skeleton(1, { height: 240 }));
    const load = async () => {
        try {
            const { link } = await chat.link({ signal: life.signal });
            const matrix = await client.pairing.matrix(link);
            if (life.hasEnded) return;
            body.replaceChildren(qrCode(matrix, { label: t('chat.ownCode') }),
                h('div', { class: 'invite-words' }, h('p', { class: 'soft' }, t('chat.inviteText')), h('div', { class: 'invite-link' }, middle(link, { tail: 10 })),
                    button({ label: t('chat.copyLink'), icon: 'copy', press: () => copyText(link) })));
        } catch (error) {
            if (!life.hasEnded) body.replaceChildren(errorBanner(error, { retry: load }));
        }
    };
    load();
    return card({ title: t('chat.invite'), icon: 'qr' }, body);
}
