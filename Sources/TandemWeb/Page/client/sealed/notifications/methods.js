import { ClientError } from '../../client.js';
import { clientErrorOf } from '../failures.js';
import { aborted } from '../method-table.js';
import { nameOf } from '../paired.js';
import { Inbox } from './inbox.js';
import { PushTold } from './push.js';

const MOST_IDS = 500;

/**
 * The methods of notifications on a phone, over what it keeps, and an inbox for each computer.
 *
 * @param {import('../method-table.js').MethodTable} table
 * @param {{phone: any, paired: import('../paired.js').Paired, kept: import('./kept.js').KeptNotifications, queue: import('../queue.js').Queue, store: any}} context
 * @returns {() => void} Ends it.
 */
export function serveNotifications(table, { phone, paired, kept, queue, store }) {
    const push = new PushTold(store);
    const inboxes = new Inboxes({ phone, kept, queue, push });
    const inbox = (device) => inboxes.of(paired.record(device).id);

    table.answer('notifications.list', async ({ device, unread, limit, before }) => {
        const id = device === undefined ? null : paired.record(device).id;
        const page = await kept.page({ device: id, unread, limit, before });
        const advice = paired.records.filter((record) => id === null || record.id === id).map((record) => adviceFor(record, phone)).filter(Boolean);
        return { ...page, ...(advice.length > 0 && { advice }) };
    });
    table.answer('notifications.mark', ({ device, ids, all, upTo }) => inbox(device).mark({ kind: 'read', ...(all ? numbered(upTo) : { ids: named(ids) }) }));
    table.answer('notifications.delete', ({ device, ids }) => inbox(device).mark({ kind: 'deleted', ids: named(ids) }));
    table.answer('notifications.clear', ({ device, upTo, before, source }) =>
        inbox(device).mark({ kind: 'deleted', ...numbered(upTo), ...(before !== undefined && { before }), ...(source !== undefined && { source }) }));
    table.answer('notifications.unread', async () => { await kept.ready(); return kept.unread; });
    table.answer('notifications.refresh', async ({ device }) => {
        if (device !== undefined) await inbox(device).refresh();
        else await inboxes.refreshAll();
        return kept.unread;
    });
    table.answer('notifications.local', async (members) => {
        await kept.ready();
        return Object.keys(members).length > 0 ? kept.changeSettings(members) : kept.settings;
    });
    table.answer('notifications.push', async ({ subscription }) => {
        await push.save(subscription ?? null);
        return inboxes.tellPush(Boolean(subscription));
    });
    table.serve('notifications.follow', async ({ device }, { item, signal }) => {
        await kept.ready();
        const wanted = device === undefined ? null : paired.record(device).id;
        const tellComputers = computersTeller({ paired, phone, wanted, item });
        const stops = [
            kept.onNews((computer, news) => { if (wanted === null || computer === wanted) tellNews(kept, computer, news, item); }),
            phone.on('computers', tellComputers), phone.on('rights', tellComputers),
        ];
        tellComputers();
        await aborted(signal).finally(() => stops.forEach((stop) => stop()));
        return null;
    });
    return () => inboxes.end();
}

/** Items of `notifications.follow`: what is new, changed and gone, then how many are unread. */
function tellNews(kept, device, news, item) {
    if (news === null) item({ missed: { device } });
    for (const row of news?.new ?? []) item({ new: kept.row(device, row), banner: news.banners.has(row.id) });
    for (const row of news?.changed ?? []) item({ changed: kept.row(device, row) });
    for (const id of news?.removed ?? []) item({ removed: { device, id } });
    item({ unread: { device, count: news?.unread ?? kept.unread.devices[device] ?? 0 } });
}

/** Tells which computers are followed, and where one tells this phone nothing because it lacks the right. */
function computersTeller({ paired, phone, wanted, item }) {
    let told = '';
    return () => {
        const computers = paired.records.filter(({ id }) => wanted === null || id === wanted).map((record) => {
            const advice = adviceFor(record, phone);
            return { device: record.id, deviceName: nameOf(record), ...(advice && { advice }) };
        });
        const text = JSON.stringify(computers);
        if (text === told) return;
        told = text;
        item({ computers });
    };
}

/** What the person at a computer can do so that it tells this phone anything. */
function adviceFor(record, phone) {
    if (!record.rights || record.rights.includes('notification')) return null;
    return `${nameOf(record)} does not tell this phone its notifications. Allow it there: tandem devices allow ${phone.did} notification`;
}

function named(ids) {
    if (!Array.isArray(ids) || ids.length === 0 || ids.length > MOST_IDS) throw new ClientError('bad-request', `Say which notifications are meant: 1 to ${MOST_IDS}.`);
    return ids.map(String);
}

function numbered(upTo) { return Number.isSafeInteger(upTo) ? { upTo } : {}; }

/** An inbox for each computer, for as long as it is paired. */
class Inboxes {
    #options;
    /** @type {Map<string, Inbox>} */
    #all = new Map();
    #stops;

    constructor(options) {
        const { phone, kept, queue, push } = options;
        this.#options = options;
        this.#stops = [
            phone.on('computers', () => this.#follow()),
            phone.on('rights', ({ id, rights }) => { if (rights?.includes('notification')) this.#all.get(id)?.allowed(); }),
            phone.on('ended', ({ id }) => Promise.all([kept.forget(id), push.forget(id)]).catch(() => {})),
            queue.onEnded(({ entry, isDone }) => { this.#all.get(entry.desktopId)?.ended(entry.id, isDone).catch(() => {}); }),
        ];
        this.#follow();
        this.#endEarlierMarks().catch(() => {});
    }

    of(id) {
        this.#follow();
        return this.#all.get(id);
    }

    end() {
        this.#stops.forEach((stop) => stop());
        for (const inbox of this.#all.values()) inbox.end();
    }

    /** @throws Why one did not answer, once all others did. */
    async refreshAll() {
        const asked = await Promise.allSettled([...this.#all.values()].map((inbox) => inbox.refresh()));
        for (const each of asked) if (each.status === 'rejected' && clientErrorOf(each.reason).code !== 'away') throw each.reason;
    }

    /** Tells every computer where this phone is woken: how many know it now, and how many will be told once they are reached. */
    async tellPush(isWanted) {
        let [told, waiting, refusal] = [0, 0, null];
        for (const inbox of this.#all.values()) {
            try {
                if (await inbox.tellPush()) told += 1;
                else waiting += 1;
            } catch (error) {
                waiting += 1;
                if (error.detail?.rpc !== undefined) refusal = error;
            }
        }
        // A browser whose subscription no computer takes is not woken: the person is told why.
        if (refusal && told === 0 && isWanted) throw refusal;
        return { told, waiting };
    }

    #follow() {
        const { phone, kept, queue, push } = this.#options;
        const ids = new Set(phone.computers().map(({ id }) => id));
        for (const [id, inbox] of this.#all) {
            if (ids.has(id)) continue;
            inbox.end();
            this.#all.delete(id);
        }
        for (const id of ids) {
            const computer = phone.computer(id);
            // One that is paired anew is spoken with anew.
            if (this.#all.get(id)?.computer === computer) continue;
            this.#all.get(id)?.end();
            this.#all.set(id, new Inbox({ computer, kept, queue, push }));
        }
    }

    /** Marks of a page before this one whose commands do not wait any more: done, or taken out. The computer says which. */
    async #endEarlierMarks() {
        const { kept, queue } = this.#options;
        await kept.ready();
        const waiting = new Set(queue.list().filter(({ status }) => status !== 'failed').map(({ id }) => id));
        for (const [id, inbox] of this.#all) {
            for (const command of kept.of(id).commands) if (!waiting.has(command)) await inbox.ended(command, false);
        }
    }
}
