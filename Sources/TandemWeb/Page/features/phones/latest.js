import { notificationsOf } from '../../client/notifications.js';
import { group, h, icon, listRow, peer, relativeTime, safeText } from '../../kit/first.js';
import { redraw } from '../../kit/redraw.js';
import { loadArea, t } from '../../i18n/index.js';
import { link } from '../../router.js';

/** Notifications that stand on the overview. */
const MOST = 4;

/**
 * What stands below on a computer's overview: the newest notifications, where there are some, and from where phones find it.
 *
 * @returns {Promise<HTMLElement[]>}
 */
export async function latestGroups({ client, life }) {
    await loadArea('latest');
    const [notices, standing] = [h('div', { class: 'latest' }), h('div', { class: 'latest' })];
    const drawNotices = async () => {
        // Where they cannot be read, their own screen says why.
        const answer = await notificationsOf(client).list({ limit: MOST }, { signal: life.signal }).catch(() => null);
        if (answer && !life.hasEnded) redraw(notices, answer.notifications.length > 0 ? [noticeGroup(answer.notifications)] : []);
    };
    const drawStanding = async () => {
        const status = await client.call('status', {}, { signal: life.signal }).catch(() => null);
        if (status && !life.hasEnded) redraw(standing, [standingGroup(client.self, status)]);
    };
    life.add(client.events('notifications', drawNotices));
    for (const topic of ['servers', 'reset']) life.add(client.events(topic, drawStanding));
    await Promise.all([drawNotices(), drawStanding()]);
    return [notices, standing];
}

function noticeGroup(items) {
    return group({
        title: t('latest.notices'),
        rows: [...items.slice(0, MOST).map(noticeRow), listRow({ title: h('span', { class: 'more-row' }, t('latest.allNotices')), href: '#/notifications' })],
    });
}

function noticeRow({ id, title, body, app, createdAt, read }) {
    return listRow({
        lead: icon('bell'), title: safeText(title, { limit: 120, class: `latest-line ${read ? 'latest-read' : ''}` }),
        detail: [
            body && safeText(body.split('\n')[0], { limit: 160, class: 'latest-line' }),
            h('span', { class: 'dotted' }, app && h('span', { class: 'dotted-part' }, safeText(app, { limit: 60 })),
                Number.isFinite(createdAt) && h('span', { class: 'dotted-part' }, relativeTime(createdAt, { isShort: true }))),
        ],
        href: link('/notifications', { show: id }),
    });
}

/** Which computer this is, and from where phones find it. */
function standingGroup({ name, version }, { servers = [] }) {
    const isReached = (byHub) => servers.some((server) => (server.name === 'hub') === byHub && server.registered);
    const [here, elsewhere] = [isReached(false), isReached(true)];
    const where = here && elsewhere ? 'latest.foundAnywhere' : here ? 'latest.foundHere' : elsewhere ? 'latest.foundByHub' : 'latest.foundNowhere';
    return group({
        title: t('latest.computer'),
        rows: [listRow({
            lead: icon('computer'), title: safeText(name, { limit: 120 }),
            detail: h('span', { class: 'dotted' }, h('span', { class: 'dotted-part' }, t(where)), h('span', { class: 'dotted-part' }, `${t('common.app')} `, peer(version))),
            href: '#/settings',
        })],
    });
}
