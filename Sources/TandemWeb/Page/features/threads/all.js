import { emptyState, errorBanner, group, h, icon, linkButton, relativeTime, skeleton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { mayUse } from '../../kit/allowed.js';
import { nameOf, presenceIcon } from '../../kit/computer.js';
import { NewestThreads } from './newest.js';
import { ROW, threadRow, usualBranches } from './row.js';
import { threadLink, waitingStrip } from './strip.js';
import { waitsOf } from './waits.js';

/** What is known after so long is drawn; a computer that answers later brings its threads then, in milliseconds. */
const PATIENCE = 1000;

/** The threads of all computers: what waits for the person, what happened last, and the way to each computer's own. */
export function allThreadsScreen({ client, life, link }) {
    const strip = h('div', { class: 'strip-place' });
    const latest = h('div', { class: 'all-threads-latest' });
    const computers = h('div', null);
    const element = h('div', { class: 'stack all-threads' }, skeleton(6, { height: ROW - 8 }));
    let devices = [];
    let isDrawn = false;

    const mayMove = () => window.scrollY < 40 && !latest.matches(':has(:focus-visible)');
    const newest = new NewestThreads({ client, mayMove, changed: () => { if (isDrawn && !life.hasEnded) drawLatest(); } });
    const waits = waitsOf(client);
    waits.listen(life, (id, event) => newest.receive(id, event));
    const waiting = waitingStrip({ client, life }).then((made) => { if (!life.hasEnded) strip.replaceChildren(made); }).catch(() => {});

    const isReached = ({ path }) => Boolean(path) && path !== 'failed' && path !== 'connecting';
    const isOpen = (device) => mayUse(device, 'threads.read') !== false;

    const load = async () => {
        try {
            devices = await client.devices.list();
        } catch (error) {
            if (!life.hasEnded) element.replaceChildren(errorBanner(error, { retry: load }));
            return;
        }
        const asked = newest.show(devices.filter((device) => isReached(device) && isOpen(device)).map(({ id }) => id));
        if (!isDrawn) await Promise.race([Promise.all([asked, waiting]), new Promise((resolve) => { life.after(PATIENCE, resolve); })]);
        if (life.hasEnded) return;
        isDrawn = true;
        draw();
    };

    const draw = () => {
        if (devices.length === 0) {
            element.replaceChildren(emptyState({
                icon: 'threads', title: t('threads.none'), text: t('threads.noneAnywhere'),
                actions: [linkButton({ label: t('pairing.title'), icon: 'plus', href: '#/pair', kind: 'primary' })],
            }));
            return;
        }
        drawLatest();
        const kept = focused(computers);
        computers.replaceChildren(group({ title: t('threads.ofComputer'), rows: devices.map((device) => computerRow(device, { link, isReached, isOpen })) }));
        if (!latest.isConnected) element.replaceChildren(strip, latest, computers);
        refocus(computers, kept);
    };

    const drawLatest = () => {
        const kept = focused(latest);
        const threads = newest.threads;
        const usual = usualBranches(threads.map(({ thread }) => thread));
        const name = (place) => (devices.length > 1 ? devices.find(({ id }) => id === place)?.name || t('computers.unnamed') : null);
        latest.replaceChildren(...(threads.length === 0
            ? [emptyState({ icon: 'threads', title: t('threads.none'), text: t('threads.noneAnywhere') })]
            : [group({
                title: t('threads.newest'),
                rows: threads.map(({ place, thread }) => h('div', { class: 'row all-threads-row' },
                    threadRow(thread, { href: threadLink(place, thread), usual: usual.get(thread.cwd), computer: name(place) }))),
            })]));
        refocus(latest, kept);
    };

    life.add(client.devices.onChange(load));
    for (const topic of ['reach', 'rights']) life.add(client.events(topic, load));
    life.listen(document, 'scroll', () => { if (isDrawn && mayMove()) newest.settleIfStale(); }, { capture: true, passive: true });
    load();
    return { title: t('nav.threads'), element };
}

function computerRow(device, { link, isReached, isOpen }) {
    const state = () => {
        if (!isOpen(device)) return t('threads.notAllowed');
        if (!isReached(device)) return h('span', null, t('threads.away'), ' · ', t('computers.seen'), ' ', relativeTime(device.lastSeenAt));
        return t('threads.ofComputerText');
    };
    return h('div', { class: 'row' }, h('a', { class: 'row-main', href: link('/computers', device.id, 'threads') },
        h('span', { class: 'row-lead' }, presenceIcon(device)),
        h('span', { class: 'row-words' }, h('span', { class: 'row-title' }, nameOf(device)), h('span', { class: 'row-detail' }, state())),
        icon('chevron-right', { size: 18 })));
}

function focused(place) { return place.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null; }

function refocus(place, href) {
    if (href) place.querySelector(`[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
}
