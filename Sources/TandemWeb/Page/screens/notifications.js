import { notificationsOf } from '../client/notifications.js';
import { button, errorBanner, h, segmented } from '../components/index.js';
import { t } from '../i18n/index.js';
import { compose } from './notifications/compose.js';
import { noticeList } from './notifications/list.js';
import { loadNotifications } from './notifications/load.js';
import { reachedGroup } from './notifications/reached.js';
import { settingsGroups } from './notifications/settings.js';
import { shownNotice } from './notifications/shown.js';

/** What this computer and its programs said, which phones have it, and how it behaves. */
export async function notificationsScreen({ client, life, route, go, link }) {
    await loadNotifications();
    const notifications = notificationsOf(client);
    const shown = shownNotice({
        list: () => list, notifications, life, go, address: (query = {}) => link('/notifications', query), sheet: { mayAct: () => true },
    });
    const list = noticeList({
        notifications, life, open: shown.open, menu: [], withPrograms: true, trouble: (error, retry) => errorBanner(error, { retry }),
    });
    const aside = h('div', { class: 'notice-aside stack' },
        reachedGroup({ notifications, life }), settingsGroups({ notifications, life, programs: list.offerPrograms }));
    const view = segmented({
        label: t('notifications.view'), value: 'history', change: (id) => { sides.dataset.view = id; },
        options: [{ id: 'history', label: t('notifications.history') }, { id: 'settings', label: t('notifications.settings') }],
    });
    const sides = h('div', { class: 'notice-sides', data: { view: 'history' } }, list.element, aside);
    shown.update(route.query);
    return {
        title: t('nav.notifications'), layout: 'wide', element: h('div', { class: 'notices' }, h('div', { class: 'notice-views' }, view), sides),
        actions: [button({ label: t('notifications.compose'), icon: 'arrow-up', kind: 'primary', press: () => compose({ client, notifications }) })],
        update: (next) => { shown.update(next.query); return true; },
    };
}
