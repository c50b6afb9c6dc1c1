import { card, facts, h, plainText, safeText } from '../../kit/index.js';
import { chart } from '../../kit/pictures.js';
import { format, t } from '../../i18n/index.js';

const dash = () => t('common.dash');
const shown = (value, words) => (value === null || value === undefined ? dash() : words(value));
const percent = (part) => format.percent(part / 100);
const bytes = (value) => t('common.at', { when: format.bytes(value) });
const rate = (value) => t('common.at', { when: format.rate(value) });
const duration = (seconds) => t('common.at', { when: format.duration(seconds * 1000) });

/** A card with one large figure, what it means, a chart, and rows of what belongs to it. */
class FigureCard {
    /** @param {{title: string, icon: string, chart?: ReturnType<typeof chart>, legend?: Node}} options */
    constructor({ title, icon, chart: picture, legend }) {
        this.figure = h('div', { class: 'figure number' }, dash());
        this.subtitle = h('div', { class: 'figure-text' });
        this.rows = h('div', { class: 'figure-rows' });
        this.chart = picture;
        this.element = card({ title, icon }, h('div', null, this.figure, this.subtitle),
            picture && h('div', { class: 'figure-chart' }, picture, h('div', { class: 'chart-axis' }, h('span', null, t('system.before')), legend, h('span', null, t('system.now')))),
            this.rows);
    }

    show(figure, subtitle, rows) {
        this.figure.replaceChildren(figure);
        // A line's height is kept, so that nothing moves when it comes.
        this.subtitle.replaceChildren(...[subtitle ?? '\u00a0'].flat());
        this.rows.replaceChildren(facts(rows.filter(Boolean)));
        this.chart?.update();
    }
}

/** @param {{rings: Object}} history */
export function processorCard(history) {
    const own = new FigureCard({ title: t('system.processor'), icon: 'cpu', chart: chart({ label: t('system.processorChart'), rings: [history.rings.processor], top: 100, height: 72 }) });
    return {
        element: own.element,
        show: ({ processor }, { celsius }) => own.show(shown(processor.usage, percent), processor.model ? safeText(processor.model, { limit: 120 }) : null, [
            [t('system.cores'), shown(processor.cores, (count) => format.number(count))],
            [t('system.load'), processor.load.length ? processor.load.map((value) => format.number(value, 2, 2)).join('  ') : dash()],
            [t('system.temperature'), shown(celsius, (value) => t('system.degrees', { value }))],
        ]),
    };
}

export function memoryCard(history) {
    const own = new FigureCard({ title: t('system.memory'), icon: 'memory', chart: chart({ label: t('system.memoryChart'), rings: [history.rings.memory], top: 100, height: 72 }) });
    return {
        element: own.element,
        show: ({ memory }, { swap }) => own.show(shown(memory.used, bytes), memory.total ? t('system.of', { total: bytes(memory.total) }) : null, [
            [t('system.available'), shown(memory.available, bytes)],
            [t('system.cached'), shown(memory.cached, bytes)],
            [t('system.swap'), swap?.total ? t('system.usedOf', { used: bytes(swap.used ?? 0), total: bytes(swap.total) }) : dash()],
        ]),
    };
}

export function networkCard(history) {
    const legend = h('span', { class: 'chart-legend' },
        h('span', { class: 'legend-0' }, t('system.down')), h('span', { class: 'legend-1' }, t('system.up')));
    const own = new FigureCard({
        title: t('system.network'), icon: 'network', legend,
        chart: chart({ label: t('system.networkChart'), rings: [history.rings.down, history.rings.up], height: 72 }),
    });
    return {
        element: own.element,
        show: ({ networks }, { rates }) => {
            const up = networks.filter((each) => each.isUp);
            const most = up.slice(0, 4);
            own.show(shown(rates.down, rate), rates.down === null ? null : t('system.sending', { rate: shown(rates.up, rate) }), [
                ...most.map((each) => [safeText(each.name, { limit: 120 }), each.address ? safeText(each.address, { limit: 60, class: 'mono small' }) : dash()]),
                most.length === 0 && [t('system.interface'), dash()],
                [t('system.total'), most.length ? t('system.totals', { down: bytes(sum(up, 'received')), up: bytes(sum(up, 'sent')) }) : dash()],
            ]);
        },
    };
}

export function diskCard() {
    const own = new FigureCard({ title: t('system.disk'), icon: 'disk' });
    const bars = h('div', { class: 'disk-bars' });
    own.rows.before(bars);
    return {
        element: own.element,
        show: ({ disks }) => {
            const [first] = disks;
            own.show(first ? bytes(first.free ?? first.total - first.used) : dash(), first ? t('system.freeOf', { total: bytes(first.total) }) : null, []);
            own.rows.replaceChildren();
            bars.replaceChildren(...disks.slice(0, 6).map(diskBar));
        },
    };
}

function diskBar({ name, used, free, total }) {
    // As `df` counts: what is kept for the system is neither used nor free.
    const part = used === null ? null : used / Math.max(1, free === null ? total : used + free);
    const words = part === null ? dash() : percent(Math.round(part * 100));
    return h('div', { class: 'disk' },
        h('div', { class: 'disk-words' }, safeText(name, { limit: 120, class: 'disk-name' }), h('span', { class: 'soft number' }, words, ' · ', bytes(total))),
        h('div', { class: ['meter', part > 0.9 && 'is-full'], role: 'img', aria: { label: t('system.diskUsed', { name: plainText(name, 120), part: words }) }, data: { peer: '' } },
            h('div', { class: 'meter-bar', vars: { '--part': String(part ?? 0) } })));
}

export function uptimeCard() {
    const own = new FigureCard({ title: t('system.uptime'), icon: 'clock' });
    return {
        element: own.element,
        show: ({ uptime, at }, { program }) => own.show(
            shown(uptime, (seconds) => t('common.at', { when: format.duration(seconds * 1000, 'short') })),
            uptime === null ? null : t('system.since', { when: format.dateTime(at - uptime * 1000) }),
            [
                [t('system.system'), program?.system ? safeText(program.system, { limit: 120 }) : dash()],
                [t('system.kernel'), program?.kernel ? safeText(program.kernel, { limit: 120 }) : dash()],
                [t('system.host'), program?.host ? safeText(program.host, { limit: 120 }) : dash()],
                [t('system.program'), program?.program ? safeText(program.program, { limit: 120 }) : dash()],
            ],
        ),
    };
}

/** Shown only where there is one. */
export function batteryCard() {
    const own = new FigureCard({ title: t('system.battery'), icon: 'battery' });
    own.element.hidden = true;
    return {
        element: own.element,
        show: (_, { batteries = [] }) => {
            own.element.hidden = batteries.length === 0;
            const [first] = batteries;
            if (!first) return;
            own.show(percent(first.percent), stateOf(first), [
                [t('system.left'), shown(first.seconds, duration)],
                ...batteries.slice(1).map((each) => [safeText(each.name ?? '', { limit: 120 }), `${percent(each.percent)} · ${stateOf(each)}`]),
            ]);
        },
    };
}

function stateOf({ state }) {
    return t(['charging', 'discharging', 'full'].includes(state) ? `system.${state}` : 'system.unknown');
}

function sum(all, member) {
    return all.reduce((total, each) => total + (each[member] ?? 0), 0);
}
