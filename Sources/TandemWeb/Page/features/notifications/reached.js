import { errorBanner, group, h, icon, listRow, relativeTime, safeText, skeleton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { momentOf } from './words.js';

/** That a phone has something is told by no event: asked for so often while it is seen, in milliseconds. */
const PERIOD = 5000;

/** How far each phone is: when it last asked, and how much it has not got yet. */
export function reachedGroup({ notifications, life }) {
    const element = h('div', null, skeleton(2, { height: 60 }));
    let timer = null;
    let drawn = null;
    const load = async () => {
        try {
            const phones = await notifications.phones({ signal: life.signal });
            const text = JSON.stringify(phones);
            if (life.hasEnded || text === drawn) return;
            drawn = text;
            element.replaceChildren(group({
                title: t('notifications.phones'),
                rows: phones.length > 0 ? phones.slice(0, 200).map(row) : [h('p', { class: 'small soft notice-none' }, t('notifications.noPhones'))],
            }));
        } catch (error) {
            if (!life.hasEnded && drawn === null) element.replaceChildren(errorBanner(error, { retry: load }));
        }
    };
    life.add(notifications.onChange(() => { timer ??= setTimeout(() => { timer = null; load(); }, 500); }));
    life.add(() => clearTimeout(timer));
    life.every(PERIOD, load);
    load();
    return element;
}

function row({ device, name, at, behind }) {
    const isThere = momentOf(at) !== null;
    return listRow({
        lead: icon('phone'), title: safeText(name || device, { limit: 80 }),
        detail: h('span', { class: 'dotted' },
            h('span', { class: 'dotted-part' }, isThere ? [t('notifications.asked'), ' ', relativeTime(at)] : t('notifications.neverAsked')),
            isThere && Number.isInteger(behind) && h('span', { class: 'dotted-part' }, behind > 0 ? t('notifications.behind', { count: behind }) : t('notifications.upToDate'))),
    });
}
