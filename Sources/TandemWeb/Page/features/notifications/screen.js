import { notificationsOf } from '../../client/notifications.js';
import { button, errorBanner, h, segmented } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { noticeList } from './list.js';
import { reachedGroup } from './reached.js';
import { settingsGroups } from './settings.js';
import { shownNotice } from './shown.js';

/** What this computer and its programs said, which phones have it, and how it behaves. */
export function notificationsScreen({ client, life, route, go, link }) {
    const notifications = notificationsOf(client);
    const address = (query = {}) => link('/notifications', { ...list.kept(), view: sides.dataset.view === 'settings' ? 'settings' : null, ...query });
    const viewOf = (query) => (query.get('view') === 'settings' ? 'settings' : 'history');
    const shown = shownNotice({
        list: () => list, notifications, life, go, address, sheet: { mayAct: () => true },
    });
    const list = noticeList({
        notifications, life, query: route.query, chosen: () => go(address(), { replace: true }), open: shown.open, drawn: shown.follow, menu: [], withPrograms: true, trouble: (error, retry) => errorBanner(error, { retry }),
    });
    const aside = h('div', { class: 'notice-aside stack' },
        reachedGroup({ notifications, life }), settingsGroups({ notifications, life, programs: list.offerPrograms }));
    const view = segmented({
        label: t('notifications.view'), value: viewOf(route.query), change: (id) => { sides.dataset.view = id; go(address(), { replace: true }); },
        options: [{ id: 'history', label: t('notifications.history') }, { id: 'settings', label: t('notifications.settings') }],
    });
    const sides = h('div', { class: 'notice-sides', data: { view: viewOf(route.query) } }, list.element, aside);
    shown.update(route.query);
    return {
        title: t('nav.notifications'), element: h('div', { class: 'notices' }, h('div', { class: 'notice-views' }, view), sides),
        actions: [button({ label: t('notifications.compose'), icon: 'arrow-up', kind: 'primary', press: async () => (await import('./compose.js')).compose({ client, notifications }) })],
        update: (next) => {
            sides.dataset.view = viewOf(next.query);
            view.select(sides.dataset.view);
            list.update(next.query);
            shown.update(next.query);
            return true;
        },
    };
}
