import { ClientError } from '../../client/client.js';
import { isMark } from '../../client/notifications.js';
import {
    banner, closeDialogs, emptyState, errorBanner, h, linkButton, menuButton, pathChip, plainText, relativeTime, skeleton, tabStrip,
} from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { Life } from '../../life.js';
import { go, link } from '../../router.js';
import { mayUse } from '../../kit/allowed.js';
import { forget, rename, showDetails } from './parts.js';

const KEY = 'tandem.tab.';

/** A paired computer: by which way it is reached, and a tab for everything that can be done with it. */
export async function computerScreen({ client, route, life, chrome, tabs }) {
    const id = route.params.id;
    const last = localStorage.getItem(KEY + id);
    let device;
    try {
        device = await client.devices.show(id);
    } catch (error) {
        return ['not-found', 'bad-request'].includes(error.code) ? notPaired() : notLoaded(error, { client, life });
    }
    // The first that is allowed, where the computer tells and it is the first visit.
    // Notifications are allowed from the beginning: what the owner allowed besides comes first.
    const wanted = [...tabs.filter(({ id: tab }) => tab !== 'notifications'), ...tabs];
    const first = tabs.find((tab) => tab.id === last) ?? wanted.find((tab) => tab.right && mayUse(device, tab.right)) ?? tabs[0];
    if (!route.params.tab) go(link('/computers', id, first.id), { replace: true });
    const chip = pathChip(device.path);
    const strip = tabStrip({
        label: t('tab.label'),
        tabs: tabs.map((tab) => ({ id: tab.id, label: t(tab.label), icon: tab.icon, href: link('/computers', id, tab.id) })),
        current: route.params.tab ?? first.id,
    });
    const strips = h('div', { class: 'computer-strips' });
    const body = h('div', { class: 'tab-body' });
    const screen = {
        title: plainText(device.name, 120) || t('computers.unnamed'), titleIsPeer: true, back: '#/computers', layout: 'wide',
        element: h('div', { class: 'computer' }, h('div', { class: 'computer-head' }, strip), strips, body),
    };
    const menu = menuButton({
        label: t('computers.more'),
        items: () => [
            { label: t('computers.details'), icon: 'info', press: () => showDetails(device, client) },
            { label: t('computers.rename'), icon: 'edit', press: () => rename(client, device, taken) },
            { label: t('computers.forget'), icon: 'trash', kind: 'danger', press: async () => {
                if (await forget(client, device)) go('#/computers', { replace: true });
            } },
        ],
    });
    const showActions = (elements = []) => {
        screen.actions = [...elements, chip, menu];
        chrome.titled(screen);
    };
    showActions();
    function taken(next) {
        Object.assign(device, next);
        screen.title = plainText(next.name, 120) || t('computers.unnamed');
        chrome.titled(screen);
    }

    const computer = client.computer(id);
    const parts = { offline: null, waiting: null };
    const drawStrips = () => strips.replaceChildren(...Object.values(parts).filter(Boolean));
    let isFirst = true;
    life.add(computer.reachability((path) => {
        // It was here until now, whatever was told of it when the page was opened.
        if (!path && device.path && !['connecting', 'failed'].includes(device.path)) device.lastSeenAt = Date.now();
        device.path = path;
        chip.update(path);
        const showAway = () => {
            parts.offline = device.path ? null : away(device);
            drawStrips();
        };
        // While a connection is made at the start nothing is known yet: no strip that comes and goes.
        if (isFirst && !path) life.after(1200, showAway);
        else showAway();
        isFirst = false;
    }));
    const countWaiting = async () => {
        const { commands } = await client.call('queue.list', {}, { signal: life.signal }).catch(() => ({ commands: [] }));
        // The tab of notifications has a strip of its own for what waits of them.
        const count = commands.filter(({ desktopId, method }) => desktopId === id && !(shown?.id === 'notifications' && isMark(method))).length;
        parts.waiting = count > 0 ? waitingStrip(id, count) : null;
        drawStrips();
    };
    life.add(client.events('queue', countWaiting));
    // After the tab, which matters more than a number.
    import('../notifications/unread.js').then(({ unreadOf }) => {
        const unread = unreadOf(client);
        unread.use(life, () => strip.badge('notifications', unread.countAt(id), t('computers.unread')));
    }).catch(() => {});
    life.add(client.devices.onChange(async () => {
        try {
            taken(await client.devices.show(id));
        } catch (error) {
            if (error.code !== 'not-found' || life.hasEnded) return;
            shown?.life.end();
            // What is open over the page is of this computer, too.
            closeDialogs();
            screen.element.replaceChildren(notPaired().element);
        }
    }));

    let shown = null;
    const show = async (next) => {
        const tab = tabs.find((entry) => entry.id === next.params.tab) ?? first;
        localStorage.setItem(KEY + id, tab.id);
        strip.select(tab.id);
        if (shown?.id === tab.id && shown.tab?.update?.(next) === true) return;
        shown?.life.end();
        const own = { id: tab.id, life: new Life(life), tab: null };
        shown = own;
        body.replaceChildren(skeleton(4));
        showActions();
        countWaiting();
        try {
            const make = await tab.load();
            if (shown !== own) return;
            own.tab = await make({
                client, computer, device, route: next, life: own.life, go, link, chrome,
                badge: (count, words) => strip.badge(tab.id, count, words),
                actions: showActions,
            });
        } catch (error) {
            console.error(error);
            const again = () => { if (shown === own) { own.life.end(); shown = null; show(next); } };
            // What was not loaded before cannot be fetched while the program is away.
            const isGone = client.state !== 'live';
            if (isGone) own.life.add(client.onState((state) => { if (state === 'live') again(); }));
            own.tab = { element: errorBanner(isGone ? new ClientError('gone') : error, { retry: again }) };
        }
        if (shown !== own) return;
        body.replaceChildren(own.tab.element);
        body.className = `tab-body ${own.tab.layout ?? ''}`;
    };
    show(route);
    screen.update = (next) => {
        if (next.params.id !== id) return false;
        show(next);
        return true;
    };
    return screen;
}

function away(device) {
    return banner({
        kind: 'offline', text: t('computers.away'),
        detail: h('span', null, t('computers.awaySeen'), t('common.gap'), relativeTime(device.lastSeenAt), t('common.stop'), t('computers.awayText')),
    });
}

function waitingStrip(id, count) {
    return banner({
        kind: 'info', text: t('computers.waiting', { count }),
        actions: [linkButton({ label: t('computers.showWaiting'), kind: 'quiet', href: link('/queue', { device: id }) })],
    });
}

/** The address of a computer that is none any more, or was none. */
function notPaired() {
    return {
        title: t('nav.computers'), back: '#/computers',
        element: emptyState({
            icon: 'computer', title: t('computers.gone'), text: t('computers.goneText'),
            actions: [
                linkButton({ label: t('pairing.title'), icon: 'qr', href: '#/pair', kind: 'primary' }),
                linkButton({ label: t('computers.toAll'), href: '#/computers' }),
            ],
        }),
    };
}

/** A computer that could not be asked for. The screen is made again on a press, and where this device's program was away, once it is back. */
function notLoaded(error, { client, life }) {
    const again = () => go(location.hash, { replace: true });
    life.add(client.onState((state) => { if (state === 'live') again(); }));
    return {
        title: t('nav.computers'), back: '#/computers',
        element: errorBanner(client.state === 'live' ? error : new ClientError('gone'), { retry: again }),
    };
}
