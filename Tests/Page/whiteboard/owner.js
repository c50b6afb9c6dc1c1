import { button, card, confirm, h, toast } from '/kit/index.js';
import { t } from '/i18n/index.js';

/** What the owner of a computer does with its board. Reading it is for phones: the program answers its own page nothing of it. */
export function ownerScreen({ client }) {
    const wipe = async () => {
        const isDone = await confirm({
            title: t('whiteboard.wipeTitle'), text: t('whiteboard.wipeText'), action: t('whiteboard.wipe'), work: () => client.call('whiteboard.wipe'),
        });
        if (isDone) toast(t('whiteboard.wiped'));
    };
    return {
        title: t('nav.whiteboard'),
        element: h('div', { class: 'whiteboard' },
            card({ title: t('whiteboard.title'), icon: 'edit' },
                h('p', { class: 'soft' }, t('whiteboard.ownerText')),
                h('div', { class: 'board-actions' }, button({ label: t('whiteboard.wipe'), icon: 'trash', press: wipe })))),
    };
}
