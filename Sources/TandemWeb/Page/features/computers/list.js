import {
    badge, banner, button, chip, confirm, emptyState, errorBanner, group, h, icon, linkButton, menuButton, middle, part, pathChip, relativeTime, skeleton,
} from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { endToEndChip, nameOf, presenceIcon } from '../../kit/computer.js';
import { forget, rename, showDetails, toastForgotten } from './parts.js';

/** The paired computers, the one seen last first. */
export function computersScreen({ client, life, link, parts }) {
    const element = h('div', { class: 'stack computers' }, skeleton(3, { height: 84 }));
    // Always in the same place; the ways that are offered below are where nothing is paired yet.
    const screen = { title: t('nav.computers'), element, actions: [linkButton({ label: t('computers.pair'), icon: 'plus', href: '#/pair' })] };
    let rows = new Map();
    let devices = [];
    const queued = h('div', { class: 'computers-queued' });
    const showQueued = ({ commands }) => {
        queued.replaceChildren(...(commands.length === 0 ? [] : [banner({
            kind: 'info', text: t('queue.waits', { count: commands.length }),
            actions: [linkButton({ label: t('computers.showWaiting'), kind: 'quiet', href: link('/queue') })],
        })]));
    };
    // Without an answer the strip stays what it was: the screen of the queue says what is the matter.
    const askQueued = () => client.call('queue.list', {}, { signal: life.signal }).catch(() => null);
    // What waits for the person stands below the computers, which it must not push away.
    const waiting = h('div', { class: 'computers-waiting' });
    const follow = async () => {
        const [{ waitsOf }, strips] = await Promise.all([import('../threads/waits.js'), parts('home')]);
        if (life.hasEnded) return;
        waiting.replaceChildren(...strips);
        waits = waitsOf(client);
        waits.use(life, count);
    };
    let waits = null;
    let unread = null;
    let isFollowing = false;
    let isDrawn = false;
    const count = () => {
        for (const [id, row] of rows) {
            row.waits(waits?.countAt(id) ?? 0);
            row.unread(unread?.countAt(id) ?? 0);
        }
    };
    const followUnread = async () => {
        const { unreadOf } = await import('../notifications/unread.js');
        if (life.hasEnded) return;
        unread = unreadOf(client);
        unread.use(life, count);
    };

    const load = async () => {
        try {
            // Together, so that the strip moves nothing.
            const [listed, queue] = await Promise.all([client.devices.list(), askQueued()]);
            devices = listed;
            if (queue) showQueued(queue);
        } catch (error) {
            // While the program does not answer, the frame says so, and what was here stays.
            if (!life.hasEnded && !(isDrawn && client.state !== 'live')) element.replaceChildren(errorBanner(error, { retry: load }));
            return;
        }
        if (life.hasEnded) return;
        isDrawn = true;
        draw();
        // After the list, which matters more; also where the first computer is paired while the list is seen.
        if (devices.length === 0 || isFollowing) return;
        isFollowing = true;
        follow().catch(() => {});
        followUnread().catch(() => {});
    };

    const draw = () => {
        rows = new Map();
        const sorted = [...devices].sort((one, other) => (other.lastSeenAt ?? 0) - (one.lastSeenAt ?? 0));
        if (sorted.length === 0) {
            element.replaceChildren(nothing(link));
            return;
        }
        element.replaceChildren(
            queued,
            group({
                title: t('computers.count', { count: sorted.length }),
                rows: sorted.map((device) => {
                    const row = computerRow(device, { client, link });
                    rows.set(device.id, row);
                    return row;
                }),
            }),
            waiting,
            h('div', { class: 'line' }, button({ label: t('computers.forgetAll'), icon: 'trash', kind: 'quiet', press: forgetAll })),
        );
        count();
    };

    const forgetAll = () => {
        const answers = [];
        return confirm({
            title: t('computers.forgetAllTitle', { count: devices.length }),
            text: t('computers.forgetAllText'),
            action: t('computers.forgetAll'),
            work: async () => {
                for (const { id } of devices) answers.push(await client.devices.forget(id));
            },
        }).then((isDone) => { if (isDone) toastForgotten(answers); });
    };

    life.add(client.devices.onChange(load));
    life.add(client.events('queue', async () => {
        const queue = await askQueued();
        if (queue && !life.hasEnded) showQueued(queue);
    }));
    life.add(client.events('reach', ({ device, path }) => {
        const known = devices.find(({ id }) => id === device);
        if (!known) return;
        if (!path && known.path && !['connecting', 'failed'].includes(known.path)) known.lastSeenAt = Date.now();
        known.path = path;
        rows.get(device)?.reached(path);
    }));
    load();
    return screen;
}

function computerRow(device, { client, link }) {
    const presence = presenceIcon(device);
    const path = pathChip(device.path);
    const unread = h('span', { class: 'computer-unread' });
    const seen = h('span', { class: 'row-detail' });
    const waits = h('span', { class: 'computer-waits' });
    const main = h('a', { class: 'row-main computer-row', href: link('/computers', device.id) },
        h('span', { class: 'row-lead computer-lead' }, presence, waits),
        h('span', { class: 'row-words' },
            h('span', { class: 'row-title' }, nameOf(device)),
            seen,
            h('span', { class: 'row-detail computer-id' }, middle(device.id))),
        h('span', { class: 'computer-chips' }, unread, path, endToEndChip(device.endToEnd)),
        icon('chevron-right', { size: 18 }));
    const menu = menuButton({
        label: t('computers.more'),
        items: () => [
            { label: t('computers.details'), icon: 'info', press: () => showDetails(device, client) },
            { label: t('computers.rename'), icon: 'edit', press: () => rename(client, device) },
            { label: t('computers.forget'), icon: 'trash', kind: 'danger', press: () => forget(client, device) },
        ],
    });
    const element = h('div', { class: 'row' }, main, h('div', { class: 'row-actions' }, menu));
    const reached = (way) => {
        presence.update(way);
        path.update(way);
        seen.replaceChildren(...(way ? [] : [t('computers.seen'), ' ', relativeTime(device.lastSeenAt), ' · ']),
            t('computers.pairedWhen'), ' ', relativeTime(device.pairedAt));
    };
    reached(device.path);
    return part(element, {
        reached,
        waits: (count) => waits.replaceChildren(...(count > 0 ? [badge(count, t('threads.waitHere'))] : [])),
        unread: (count) => unread.replaceChildren(...(count > 0
            ? [chip([count > 99 ? '99+' : String(count), h('span', { class: 'visually-hidden' }, ` ${t('computers.unread')}`)], 'accent', 'bell')] : [])),
    });
}

function nothing(link) {
    const way = (id, label, symbol, kind) => linkButton({ label: t(label), icon: symbol, href: link('/pair', id), kind });
    return emptyState({
        icon: 'computer', title: t('computers.none'), text: t('computers.noneText'),
        actions: [
            way('scan', 'computers.byScan', 'camera', 'primary'),
            way('show', 'computers.byShowing', 'qr'),
            way('code', 'computers.byCode', 'keyboard'),
        ],
    });
}
