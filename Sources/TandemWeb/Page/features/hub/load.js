import { banner, copyable, errorBanner, facts, group, h, peer, skeleton } from '../../kit/first.js';
import { format, t } from '../../i18n/index.js';
import { figureCard } from './card.js';
import { conversations } from './conversations.js';

/** Five minutes, a sample a second. */
const KEPT = 300;
const FULL = 0.9;
const LITTLE_DISK = 1_000_000_000;

/** @type {import('./card.js').Card[]} */
const CARDS = [
    { id: 'connections', icon: 'link', value: (now) => now.connections, words: (value) => format.number(value), limit: 'connections' },
    { id: 'frames', icon: 'activity', value: (now) => now.framesPerSecond, words: (value) => format.number(value), more: (now) => t('hub.value', { value: format.rate(now.bytesPerSecond) }) },
    { id: 'waiting', icon: 'queue', value: (now) => now.outgoingBytes, words: (value) => format.bytes(value), limit: 'outgoingBytes' },
    { id: 'kept', icon: 'archive', value: (now) => now.mailboxFrames, words: (value) => format.number(value) },
    { id: 'memory', icon: 'memory', value: (now) => now.memoryBytes, words: (value) => format.bytes(value) },
    { id: 'cpu', icon: 'cpu', value: (now) => now.cpu, words: (value) => format.percent(value, 1), more: () => t('hub.cpuOf') },
    { id: 'disk', icon: 'disk', value: (now) => now.diskUsedBytes, words: (value) => format.bytes(value), more: (now) => t('hub.diskFree', { size: format.bytes(now.diskFreeBytes) }) },
    { id: 'refused', icon: 'shield', value: (now) => now.refusedPerSecond, words: (value) => format.number(value) },
];

/** How busy a hub is, live, and whether something needs its operator. */
export function hubLoadScreen({ client, life }) {
    const warnings = h('div', { class: 'stack close notices' });
    const body = h('div', { class: 'stack' }, h('div', { class: 'hub-cards' }, CARDS.map(() => skeleton(1, { height: 172 }))));
    const talk = conversations({ client, life });
    let views = null;
    /** @type {Object<string, number>} */
    let limits = {};

    const begin = async () => {
        try {
            const options = { signal: life.signal };
            const [load, status] = await Promise.all([client.call('hub.load', { history: true }, options), client.call('status', {}, options)]);
            if (life.hasEnded) return;
            limits = load.limits;
            // What this system does not tell has no card.
            views = CARDS.filter(({ value }) => Number.isFinite(value(load.now))).map((each) => figureCard(each, { limits, kept: KEPT }));
            for (const now of seconds(load)) for (const view of views) view.push(now);
            draw(load.now);
            body.replaceChildren(warnings, h('div', { class: 'hub-cards' }, views.map((view) => view.element)), talk, about(load, status));
        } catch (error) {
            if (!life.hasEnded) body.replaceChildren(errorBanner(error, { retry: begin }));
        }
    };
    const draw = (now) => {
        for (const view of views) view.draw(now);
        const found = troubles(now, limits);
        // Drawn again only when they change: an alert is read out each time.
        const key = found.map(({ id }) => id).join(' ');
        if (warnings.dataset.shown === key) return;
        warnings.dataset.shown = key;
        warnings.replaceChildren(...found.map(({ id, kind }) => banner({ kind, text: t(`hub.trouble.${id}`), detail: t(`hub.trouble.${id}Text`) })));
    };
    life.add(client.events('load', (now) => {
        if (!views) return;
        for (const view of views) view.push(now);
        // A page that nobody looks at draws nothing; what came meanwhile is in the rings.
        if (!document.hidden) draw(now);
    }));
    life.add(client.events('reset', begin));
    begin();
    return { title: t('hub.load'), element: body };
}

/** The last minutes as the hub kept them, one sample for each second as the topic tells them from now on. */
function seconds({ history, now }) {
    const samples = [...(Array.isArray(history) ? history : []), now];
    return samples.flatMap((sample, at) => {
        const next = samples[at + 1];
        // A longer gap was no sample's: the hub stood still.
        const count = next ? Math.min(10, Math.max(1, Math.round((next.at - sample.at) / 1000))) : 1;
        return Array(count).fill(sample);
    }).slice(-KEPT);
}

function about({ startedAt, now, limits }, status) {
    const part = (value, limit) => t('hub.partOf', { value: format.number(value), limit: format.number(limit) });
    return group({
        title: t('hub.about'),
        rows: [
            facts([
                [t('hub.running'), t('hub.value', { value: format.duration(Date.now() - startedAt) })],
                [t('settings.version'), peer(status.version)],
                [t('hub.ids'), part(now.idsKnown, limits.idsKnown)],
                ...(Number.isFinite(now.descriptors) ? [[t('hub.descriptors'), part(now.descriptors, limits.descriptors)]] : []),
                [t('hub.oldWire'), t(status.legacyOpen ? 'hub.oldWireOpen' : 'hub.oldWireClosed')],
            ]),
            ...status.urls.map((url) => h('div', { class: 'row address-row' }, copyable(url, t('doctor.address')))),
        ],
    });
}

function troubles(now, limits) {
    const isNear = (value, limit) => limit > 0 && value > limit * FULL;
    /** @type {{id: string, kind: 'bad' | 'warn'}[]} */
    const all = [
        isNear(now.connections, limits.connections) && { id: 'connections', kind: 'bad' },
        isNear(now.descriptors, limits.descriptors) && { id: 'descriptors', kind: 'bad' },
        now.diskFreeBytes < LITTLE_DISK && { id: 'disk', kind: 'bad' },
        isNear(now.outgoingBytes, limits.outgoingBytes) && { id: 'waiting', kind: 'warn' },
        isNear(now.idsKnown, limits.idsKnown) && { id: 'ids', kind: 'warn' },
    ];
    return all.filter(Boolean);
}
