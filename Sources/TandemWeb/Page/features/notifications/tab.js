import { ClientError } from '../../client/client.js';
import { notificationsOf } from '../../client/notifications.js';
import { h, openDialog } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { followRight, mayUse } from '../../kit/allowed.js';
import { troubleOf } from '../../kit/trouble.js';
import { noticeList } from './list.js';
import { shownNotice } from './shown.js';
import { permissionStrip, thisDevice } from './this-device.js';

const RIGHT = 'notification';

/** What a computer said: this phone's own copy of it, which is there while the computer is not. */
export function notificationsTab({ client, computer, device, life, route, go, link }) {
    const notifications = notificationsOf(client, computer.id);
    const trouble = (error, retry) => troubleOf(error, { client, device, what: 'notifications', right: RIGHT, retry });
    const permission = h('div', null);
    const drawPermission = () => permission.replaceChildren(permissionStrip({ settings: showSettings }));
    const address = (query = {}) => link('/computers', computer.id, 'notifications', { ...list.kept(), ...query });
    const shown = shownNotice({
        list: () => list, notifications, life, go, address,
        sheet: { mayAct: () => mayUse(device, 'notification.act') !== false, phone: client.self.name },
    });
    const list = noticeList({
        notifications, life, trouble, query: route.query, chosen: () => go(address(), { replace: true }), open: shown.open, drawn: shown.follow,
        // Where the computer said already that it is not allowed, it is not asked.
        refusal: () => (mayUse(device, RIGHT) === false ? new ClientError('not-allowed', '', { right: RIGHT }) : null),
        menu: [{ label: t('notifications.composeThere'), icon: 'arrow-up', press: async () => (await import('./compose.js')).compose({ client, notifications }) },
            { label: t('notifications.settings'), icon: 'settings', press: showSettings }],
    });

    async function showSettings() {
        const { settingsGroups } = await import('./settings.js');
        if (life.hasEnded) return;
        const body = h('div', { class: 'stack' });
        const dialog = openDialog({ title: t('notifications.settings'), content: body, size: 'wide', closed: drawPermission });
        body.replaceChildren(thisDevice({ client, life: dialog.life, changed: drawPermission }), settingsGroups({ notifications, life: dialog.life }));
    }

    life.add(client.events('queue', () => list.countQueued()));
    let wasReached = null;
    life.add(computer.reachability((path) => {
        const isReached = Boolean(path) && path !== 'failed' && path !== 'connecting';
        if (isReached && wasReached === false) list.refresh();
        wasReached = isReached;
    }));
    followRight({ client, device, life }, RIGHT, {
        changed: (now) => { device.allowed = now.allowed; shown.allowed(); list.refresh(); },
        lost: () => { device.allowed = (device.allowed ?? []).filter((right) => right !== RIGHT); shown.close(); list.refresh(); },
    });
    drawPermission();
    shown.update(route.query);
    return {
        element: h('div', { class: 'notices' }, permission, list.element),
        update: (next) => { list.update(next.query); shown.update(next.query); return true; },
    };
}
