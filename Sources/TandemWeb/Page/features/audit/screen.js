import { button, chip, emptyState, errorBanner, group, h, icon, plainText, safeText, segmented, skeleton } from '../../kit/index.js';
import { selectField } from '../../kit/select.js';
import { format, hasText, t } from '../../i18n/index.js';

const PAGE = 50;

/** What the log can be narrowed to, and what the program is asked for it. */
const RESULTS = {
    all: {}, done: { outcome: 'done', by: 'phone' }, refused: { outcome: 'refused' }, failed: { outcome: 'failed' }, yours: { by: 'owner' },
};

/** Who did what here, the newest first; never with what was written or read. */
export function auditScreen(context) {
    const { client, route, life, go, link } = context;
    let filter = filterOf(route.query);
    const list = h('div', { class: 'stack' }, skeleton(8, { height: 60 }));
    const choose = (changed) => go(link('/audit', { phone: filter.phone, result: filter.result === 'all' ? '' : filter.result, ...changed }), { replace: true });
    const phones = selectField({
        label: t('audit.phone'), options: [{ id: '', label: t('audit.allPhones') }], value: '', change: (phone) => choose({ phone }),
    });
    const results = segmented({
        label: t('audit.result'), options: Object.keys(RESULTS).map((id) => ({ id, label: t(`audit.result.${id}`) })), value: filter.result,
        change: (id) => choose({ result: id === 'all' ? '' : id }),
    });
    let turn = 0;

    const load = async () => {
        const mine = ++turn;
        try {
            const page = await ask(null);
            if (life.hasEnded || mine !== turn) return;
            list.replaceChildren(...(page.entries.length > 0 ? pagesOf(page, { older, life }) : [nothing(filter, () => choose({ phone: '', result: '' }))]));
        } catch (error) {
            if (!life.hasEnded && mine === turn) list.replaceChildren(errorBanner(error, { retry: load }));
        }
    };
    const ask = (after) => client.call('devices.audit', {
        limit: PAGE, ...RESULTS[filter.result], ...(filter.phone ? { id: filter.phone } : {}), ...(after ? { after } : {}),
    }, { signal: life.signal });
    /** A further page; null where another list is asked for by then. */
    const older = async (after) => {
        const mine = turn;
        const page = await ask(after);
        return life.hasEnded || mine !== turn ? null : page;
    };

    const offerPhones = async () => {
        const all = await client.devices.list().catch(() => []);
        if (life.hasEnded) return;
        const known = all.map(({ id, name }) => ({ id, label: plainText(name, 60) || t('phones.unnamed'), isPeers: Boolean(name) }));
        // A phone that was forgotten since still stands in the log.
        if (filter.phone && !all.some(({ id }) => id === filter.phone)) known.push({ id: filter.phone, label: t('audit.forgotten') });
        phones.offer([{ id: '', label: t('audit.allPhones') }, ...known], filter.phone);
    };
    offerPhones();
    load();
    return {
        title: t('audit.title'),
        element: h('div', { class: 'stack' }, h('div', { class: 'audit-filters' }, phones, results), list),
        update: (next) => {
            filter = filterOf(next.query);
            results.select(filter.result);
            offerPhones();
            load();
            return true;
        },
    };
}

/**
 * The first page, and below it a button that brings the next into the same days.
 *
 * @param {Object} first
 * @param {{older: (after: string) => Promise<Object | null>, life: import('../../life.js').Life}} options
 */
function pagesOf(first, { older, life }) {
    const days = new Days();
    days.add(first.entries);
    const more = h('div', { class: 'audit-more' });
    const add = async (next) => {
        try {
            const page = await older(next);
            if (!page) return;
            days.add(page.entries);
            offer(page.next);
        } catch (error) {
            if (!life.hasEnded) more.replaceChildren(errorBanner(error, { retry: () => offer(next) }));
        }
    };
    const offer = (next) => more.replaceChildren(next
        ? button({ label: t('audit.older'), icon: 'chevron-down', press: () => add(next) })
        : h('p', { class: 'group-foot' }, t('audit.end')));
    offer(first.next);
    return [days.element, more];
}

/** Why no entry is shown. */
function nothing({ phone, result }, showAll) {
    return phone || result !== 'all'
        ? emptyState({
            icon: 'filter', title: t('audit.noneFitting'), text: t('audit.noneFittingText'),
            actions: [button({ label: t('audit.showAll'), press: showAll })],
        })
        : emptyState({ icon: 'list', title: t('audit.none'), text: t('audit.noneText') });
}

function filterOf(query) {
    const result = query.get('result');
    return { phone: query.get('phone') ?? '', result: Object.hasOwn(RESULTS, result) ? result : 'all' };
}

/** What pages ask by themselves, again and again, and what only looks at lists: several in a row are one line. */
const READS = new Set([
    'threads.list', 'threads.get', 'threads.item', 'threads.approvals', 'threads.agents', 'threads.folders', 'threads.subscribe', 'threads.unsubscribe',
    'notification.getHistory', 'notification.sync', 'notification.getUnreadCount', 'notification.getSettings', 'notification.sources', 'notification.image',
    'system.getInfo', 'system.getPage', 'system.getStatus', 'system.info', 'system.ping', 'sysinfo.getBattery', 'sysinfo.getCPU', 'sysinfo.getHardware',
    'sysinfo.getMemory', 'sysinfo.getOS', 'sysinfo.getPerformance', 'sysinfo.getTemperature', 'sysinfo.getUptime',
    'terminal.list', 'terminal.ack', 'terminal.unsubscribe', 'display.list', 'file.listTransfers', 'clipboard.unwatch', 'commands.list', 'commands.runs', 'commands.output', 'power.status',
]);

/** Entries on a card for each day. */
class Days {
    element = h('div', { class: 'stack' });
    #day = null;
    #rows = null;
    #reads = null;

    add(entries) {
        for (const entry of entries) {
            const day = format.date(entry.at);
            if (day !== this.#day) {
                this.#day = day;
                const made = group({ title: dayName(day), rows: [] });
                this.#rows = made.querySelector('.rows');
                this.element.append(made);
                this.#reads = null;
            }
            if (entry.by === 'owner' || entry.outcome !== 'done' || !READS.has(entry.method)) {
                this.#reads = null;
                this.#rows.append(row(entry));
            } else if (this.#reads?.add(entry)) {
                // It stands with those before it.
            } else {
                this.#reads = new Reads(entry);
                this.#rows.append(this.#reads.element);
            }
        }
    }
}

/** What one phone only looked at, one after the other: a row where it is one, else a line that opens. */
class Reads {
    element = h('div', { class: 'audit-reads' });
    #device;
    #rows = [];
    #count = 0;

    constructor(entry) {
        this.#device = entry.device;
        this.add(entry);
    }

    /** @returns {boolean} Whether it belongs here. */
    add(entry) {
        if (entry.device !== this.#device) return false;
        this.#rows.push(row(entry));
        this.#count += entry.count;
        if (this.#rows.length === 1) { this.element.replaceChildren(...this.#rows); return true; }
        if (this.#rows.length === 2) {
            const name = h('span', { class: 'row-detail' }, safeText(entry.name || entry.device));
            this.words = h('span', { class: 'row-title' });
            this.below = h('div', null, this.#rows[0]);
            this.element.replaceChildren(h('details', { class: 'disclosure' },
                h('summary', null, icon('chevron-right', { size: 18 }), h('span', { class: 'row-words' }, this.words, name)), this.below));
        }
        this.below.append(this.#rows.at(-1));
        this.words.textContent = t('audit.looked', { count: this.#count });
        return true;
    }
}

/** @param {string} day As `format.date` writes it. */
function dayName(day) {
    const before = new Date();
    before.setDate(before.getDate() - 1);
    if (day === format.date(Date.now())) return t('audit.today');
    return day === format.date(before) ? t('audit.yesterday') : t('common.at', { when: day });
}

const SYMBOLS = {
    terminal: 'terminal', file: 'file', clipboard: 'clipboard', display: 'screen', screen: 'screen', system: 'system', sysinfo: 'system',
    notification: 'bell',
};

function row(entry) {
    const isYours = entry.by === 'owner';
    const failed = entry.outcome === 'refused' || entry.outcome === 'failed';
    return h('div', { class: ['audit-row', isYours && 'is-yours', failed && `is-${entry.outcome}`] },
        icon(isYours ? 'shield-check' : SYMBOLS[entry.method.split('.')[0]] ?? 'activity', { size: 20 }),
        h('div', { class: 'row-words' },
            h('div', { class: 'audit-what' },
                h('span', { class: 'row-title' }, actionName(entry), entry.count > 1 && h('span', { class: 'soft number' }, t('audit.times', { count: entry.count }))),
                safeText(entry.detail ? `${entry.method} ${entry.detail}` : entry.method, { class: 'audit-method' })),
            h('div', { class: 'row-detail' }, isYours ? [t('audit.you'), ' · ', safeText(entry.name)] : safeText(entry.name || entry.device), result(entry))),
        h('div', { class: 'audit-time' }, h('time', { dateTime: new Date(entry.at).toISOString(), title: t('common.at', { when: format.dateTime(entry.at) }) },
            t('common.at', { when: format.time(entry.at) })),
            failed ? h('div', null, chip(t(`audit.result.${entry.outcome}`), entry.outcome === 'refused' ? 'warn' : 'bad')) : ''));
}

/** What it was, in plain words; a method that the page does not know has its own name beside it anyway. */
function actionName(entry) {
    const key = `audit.method.${entry.method.replaceAll(' ', '-')}`;
    const words = t(hasText(key) ? key : 'audit.method.other');
    return h('span', null, words, entry.method.startsWith('devices ') && entry.detail ? [t('common.colon'), rightsIn(entry.detail)] : '');
}

/** The rights that the person gave or took, by their names. */
function rightsIn(detail) {
    const names = detail.split(/[\s,]+/).filter(Boolean);
    return names.flatMap((name, index) => [index > 0 ? t('rights.comma') : '', hasText(`rights.${name}`) ? t(`rights.${name}`) : safeText(name)]);
}

/** Why it was not done; what runs still. */
function result(entry) {
    if (entry.outcome === 'begun') return [' · ', t('audit.begun')];
    if (entry.code === undefined || entry.code === null) return '';
    const key = `audit.code.${Math.abs(entry.code)}`;
    return [' · ', hasText(key) ? t(key) : safeText(entry.reason ?? String(entry.code))];
}
