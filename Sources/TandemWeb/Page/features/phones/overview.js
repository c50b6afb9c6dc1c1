import { banner, errorBanner, group, h, icon, linkButton, listRow, skeleton } from '../../kit/first.js';
import { t } from '../../i18n/index.js';
import { activityRow, followActivities } from '../../kit/activities.js';
import { requestList } from '../../kit/requests.js';
import { serverReason } from '../../kit/servers.js';
import { redraw } from '../../kit/redraw.js';
import { loadRights } from '../../kit/rights.js';
import { together } from '../../kit/together.js';
import { nothing, phoneRow } from './list.js';

/** So many of each stand here; the rest is one press away. */
const MOST = 5;

/** What needs the person now, which phones are here, and what runs for them. */
export function overviewScreen(context) {
    const { client, life, parts } = context;
    const trouble = h('div', { class: 'stack close notices' });
    const waiting = h('div', { class: 'overview-requests', hidden: true });
    const phones = h('div', null, skeleton(3, { height: 84 }));
    const running = h('div', null, skeleton(2, { height: 64 }));
    const counts = { requests: 0, asks: 0 };
    const counted = (kind) => (count) => {
        counts[kind] = count;
        waiting.hidden = counts.requests + counts.asks === 0;
    };
    const requests = requestList(context, { changed: counted('requests') });
    const asks = h('div', { class: 'stack requests', aria: { live: 'polite' } });
    const drawAsks = async () => {
        const { asks: all } = await client.call('devices.asks').catch(() => ({ asks: [] }));
        // The cards come with the first who asks.
        const cards = all.length > 0 ? await (await import('./right-asks.js')).askCards(client, all) : [];
        if (life.hasEnded) return;
        asks.replaceChildren(...cards);
        counted('asks')(cards.length);
    };
    life.add(client.events('asks', drawAsks));
    waiting.append(h('h2', { class: 'group-title' }, t('overview.asks')), requests, asks);

    let isDrawn = false;
    const drawPhones = async () => {
        try {
            const [all, rights] = await Promise.all([client.devices.list(), loadRights(client).catch(() => [])]);
            if (life.hasEnded) return;
            isDrawn = true;
            redraw(phones, [all.length > 0 ? phoneGroup(context, all, rights) : h('div', { class: 'card no-phones' }, nothing())]);
            running.hidden = all.length === 0;
        } catch (error) {
            // While the program does not answer, the frame says so, and what was here stays.
            if (!life.hasEnded && !(isDrawn && client.state !== 'live')) phones.replaceChildren(errorBanner(error, { retry: drawPhones }));
        }
    };
    const drawServers = async () => {
        try {
            const status = await client.call('status', {}, { signal: life.signal });
            if (!life.hasEnded) trouble.replaceChildren(...(status.servers ?? []).filter(({ registered }) => !registered).map(serverTrouble));
        } catch {
            // The parts below say what is wrong with the program itself.
            trouble.replaceChildren();
        }
    };
    const activities = followActivities(context, {
        draw: (all) => redraw(running, [runningGroup(client, all)]),
        failed: (strip) => running.replaceChildren(strip),
    });
    for (const topic of ['reach', 'rights']) life.add(client.events(topic, drawPhones));
    for (const topic of ['servers', 'reset']) life.add(client.events(topic, drawServers));
    life.add(client.devices.onChange(drawPhones));
    // What an agent waits for stands below, so that it pushes nothing away when it comes.
    const agents = h('div', { class: 'computers-waiting' });
    parts('home').then((strips) => { if (!life.hasEnded) agents.replaceChildren(...strips); }).catch(() => {});
    const latest = h('div', { class: 'overview-sides overview-latest' });
    Promise.all([parts('overview'), import('./latest.js').then(({ latestGroups }) => latestGroups(context))]).then((made) => {
        if (!life.hasEnded) latest.replaceChildren(...made.flat());
    }).catch(() => {});
    const answers = [requests.ready, drawAsks(), activities, drawPhones(), drawServers()];
    return {
        title: t('nav.overview'),
        element: together([trouble, waiting, h('div', { class: 'overview-sides' }, phones, running), agents, latest], answers, { life }),
        actions: [linkButton({ label: t('phones.pair'), icon: 'plus', kind: 'primary', href: '#/pair' })],
    };
}

function phoneGroup({ client, link }, all, rights) {
    const here = all.filter(({ path }) => path).length;
    const sorted = [...all].sort((a, b) => Number(Boolean(b.path)) - Number(Boolean(a.path)) || b.lastSeenAt - a.lastSeenAt);
    return group({
        title: here > 0 ? t('overview.here', { count: here, all: all.length }) : t('overview.nobodyHere'),
        rows: [
            ...sorted.slice(0, MOST).map((phone) => phoneRow({ client, link, phone, rights, withMenu: false })),
            all.length > MOST && moreRow(t('overview.allPhones', { count: all.length }), '#/phones'),
        ],
    });
}

function runningGroup(client, all) {
    if (all.length === 0) {
        return group({
            title: t('overview.running'),
            rows: [listRow({ lead: h('span', { class: 'soft' }, icon('check')), title: h('span', { class: 'soft' }, t('activity.none')) })],
        });
    }
    return group({
        title: t('overview.running'),
        rows: [
            ...all.slice(0, MOST).map((activity) => activityRow(client, activity)),
            all.length > MOST && moreRow(t('overview.allRunning', { count: all.length }), '#/activity'),
        ],
    });
}

function moreRow(title, href) { return listRow({ title: h('span', { class: 'more-row' }, title), href }); }

function serverTrouble(server) {
    return banner({
        kind: 'warn', text: t(server.name === 'hub' ? 'overview.hubAway' : 'overview.serverAway'), detail: serverReason(server),
        actions: [linkButton({ label: t('overview.look'), kind: 'quiet', href: '#/settings' })],
    });
}
