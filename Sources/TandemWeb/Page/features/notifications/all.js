import { allNotificationsOf } from '../../client/all-notifications.js';
import { errorBanner, h, openDialog } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { mayUse } from '../../kit/allowed.js';
import { noticeList } from './list.js';
import { shownNotice } from './shown.js';
import { permissionStrip, thisDevice } from './this-device.js';

/** What all computers of this phone said, from its own copy of it. */
export function allNotificationsScreen({ client, life, route, go, link }) {
    const notifications = allNotificationsOf(client);
    const address = (query = {}) => link('/notifications', { ...list.kept(), ...query });
    const permission = h('div', null);
    const drawPermission = () => permission.replaceChildren(permissionStrip({ settings: showSettings }));
    let devices = [];
    const askDevices = async () => {
        devices = await client.devices.list().catch(() => devices);
        if (!life.hasEnded) shown.allowed();
    };
    const shown = shownNotice({
        list: () => list, notifications, life, go, address,
        sheet: {
            mayAct: ({ device }) => mayUse(devices.find(({ id }) => id === device) ?? {}, 'notification.act') !== false, phone: client.self.name,
        },
    });
    const list = noticeList({
        notifications, life, query: route.query, chosen: () => go(address(), { replace: true }), open: shown.open, drawn: shown.follow,
        trouble: (error, retry) => errorBanner(error, { retry }),
        menu: [{ label: t('notifications.settings'), icon: 'settings', press: () => showSettings() }],
    });

    function showSettings() {
        const body = h('div', { class: 'stack' });
        const dialog = openDialog({ title: t('notifications.settings'), content: body, size: 'wide', closed: drawPermission });
        body.replaceChildren(thisDevice({ client, life: dialog.life, changed: drawPermission }));
    }

    life.add(client.events('queue', () => list.countQueued()));
    life.add(client.devices.onChange(askDevices));
    life.add(client.events('rights', askDevices));
    askDevices();
    drawPermission();
    shown.update(route.query);
    return {
        title: t('nav.notifications'), element: h('div', { class: 'notices' }, permission, list.element),
        update: (next) => { list.update(next.query); shown.update(next.query); return true; },
    };
}
