import { group, h, icon, listRow } from '../../kit/index.js';
import { loadArea, t } from '../../i18n/index.js';
import { restingNotice } from './notice.js';

/** The way to moving, on the settings of a phone; above it why the phone rests, where it does. */
export async function movingRow({ client, life }) {
    const [notice] = await Promise.all([restingNotice({ client, life }), loadArea('/features/moving/texts')]);
    const row = listRow({ lead: icon('phone'), title: t('moving.title'), detail: t('moving.rowText'), href: '#/moving' });
    return h('div', { class: 'stack close' }, notice, group({ title: t('moving.group'), rows: [row] }));
}
