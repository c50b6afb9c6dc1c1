import { badge, emptyState, errorBanner, group, h, linkButton, listRow, skeleton } from '/kit/index.js';
import { nameOf, presenceIcon } from '/kit/computer.js';
import { redraw } from '/kit/redraw.js';
import { t } from '/i18n/index.js';
import { newsOf } from './news.js';

/** The whiteboards of all computers, with how many lines are new on each. */
export function boardsScreen({ client, life, link }) {
    const body = h('div', { class: 'stack' }, skeleton(3));
    const news = newsOf(client);
    let devices = null;
    const draw = () => {
        if (!devices) return;
        redraw(body, [devices.length > 0
            ? group({ title: t('whiteboard.boards'), rows: devices.map((device) => listRow({
                lead: presenceIcon(device), title: nameOf(device), href: link('/computers', device.id, 'whiteboard'),
                trail: news.countAt(device.id) > 0 && badge(news.countAt(device.id)),
            })) })
            : emptyState({
                icon: 'computer', title: t('whiteboard.noComputer'),
                actions: [linkButton({ label: t('whiteboard.pair'), href: '#/pair', kind: 'primary' })],
            })]);
    };
    const load = async () => {
        try {
            devices = await client.devices.list();
            if (!life.hasEnded) draw();
        } catch (error) {
            if (!life.hasEnded) body.replaceChildren(errorBanner(error, { retry: load }));
        }
    };
    life.add(client.devices.onChange(load));
    news.use(life, draw);
    load();
    return { title: t('nav.whiteboard'), element: body };
}
