import { Listeners } from '../../client.js';
import { nameOf } from '../paired.js';
import { Rows } from './rows.js';
import { isRead } from './row-table.js';

/** The tables of notifications in this phone's database. */
export const TABLES = ['notifications', 'notificationCursors', 'settings'];
const SETTINGS = 'notifications';
const LARGEST_PAGE = 500;

/**
 * The notifications of all computers of this phone: what is kept, and what changed. Each change is on the disk before a computer is told that this phone has it.
 */
export class KeptNotifications {
    /** @type {{enabled: boolean, sound: boolean, preview: boolean}} */
    settings = { enabled: true, sound: true, preview: true };
    #store;
    #topics;
    #paired;
    /** @type {Map<string, Rows>} */
    #computers = new Map();
    #news = new Listeners();
    #position = 0;
    #writing = Promise.resolve();
    #loading;

    /** @param {{store: any, topics: import('../topics.js').Topics, paired: import('../paired.js').Paired}} options */
    constructor({ store, topics, paired }) {
        this.#store = store;
        this.#topics = topics;
        this.#paired = paired;
        this.#loading = this.#load();
        // Whoever asks waits for it and is told.
        this.#loading.catch(() => {});
    }

    /** Once what is kept was read. */
    ready() { return this.#loading; }

    /** The rows of a computer. */
    of(computer) {
        if (!this.#computers.has(computer)) this.#computers.set(computer, this.#rows({}));
        return this.#computers.get(computer);
    }

    /** The last position that was given: rows behind it come after this moment. */
    get newest() { return this.#position; }

    /** What happens from now on: `(computer, news)`. */
    onNews(listener) { return this.#news.add(listener); }

    /** How many are unread, for each computer that has some. */
    get unread() {
        const counts = [...this.#computers].map(([id, rows]) => /** @type {[string, number]} */ ([id, rows.unread])).filter(([, count]) => count > 0);
        const devices = Object.fromEntries(counts);
        return { devices, total: counts.reduce((sum, [, count]) => sum + count, 0) };
    }

    /**
     * Changes the rows of a computer, writes them down, and tells of it.
     *
     * @template {{news: import('./row-table.js').News | null}} T
     * @param {string} computer
     * @param {(rows: Rows) => T} work
     * @returns {Promise<T>} Once it is on the disk.
     */
    async change(computer, work) {
        await this.#loading;
        const rows = this.of(computer);
        const done = work(rows);
        const { cursor, writes } = rows.takeWrites();
        await this.#write([
            { table: 'notificationCursors', key: computer, value: cursor },
            ...writes.map(({ id, row }) => ({ table: 'notifications', key: `${computer} ${id}`, ...(row ? { value: row } : { remove: true }) })),
        ], computer);
        if (done.news) this.#tell(computer, done.news);
        return done;
    }

    /**
     * A part of the list, the newest first.
     *
     * @param {{device: string | null, unread?: boolean, limit?: number, before?: string}} query
     */
    async page({ device, unread = false, limit = 50, before }) {
        await this.#loading;
        const wanted = device === null ? this.#paired.records.map(({ id }) => id) : [device];
        const all = wanted.flatMap((id) => this.of(id).shown.map((row) => ({ device: id, row }))).filter(({ row }) => !unread || !isRead(row));
        if (wanted.length > 1) all.sort((one, other) => other.row.createdAt - one.row.createdAt || other.row.position - one.row.position);
        const place = before === undefined ? null : this.#placeOf(before, device);
        const from = place ? all.findIndex(({ row }) => row.createdAt < place.createdAt || (row.createdAt === place.createdAt && row.position < place.position)) : 0;
        const size = Math.min(LARGEST_PAGE, Math.max(1, limit));
        const page = from < 0 ? [] : all.slice(from, from + size);
        const last = page.at(-1);
        const upTo = device === null ? undefined : this.of(device).upTo;
        return {
            notifications: page.map(({ device: id, row }) => this.row(id, row)), total: all.length, unreadCount: device === null ? this.unread.total : this.of(device).unread,
            ...(upTo !== undefined && { upTo }), ...(last && from + page.length < all.length && { before: textOf(last.row) }),
        };
    }

    /** A row as pages are told of it. */
    row(device, row) {
        const record = this.#paired.records.find(({ id }) => id === device);
        const isWaiting = Boolean(row.readBy?.command || row.deletedBy?.command);
        return { ...row.item, read: isRead(row), device, ...(record && { deviceName: nameOf(record) }), place: textOf(row), ...(isWaiting && { waiting: true }) };
    }

    /** @param {Partial<{enabled: boolean, sound: boolean, preview: boolean}>} members */
    async changeSettings(members) {
        await this.#loading;
        const settings = { ...this.settings };
        for (const name of Object.keys(settings)) if (typeof members[name] === 'boolean') settings[name] = members[name];
        await this.#store.put('settings', SETTINGS, settings);
        this.settings = settings;
        this.#topics.tell('notifications', { local: true });
        return settings;
    }

    /** A computer is not paired any more. */
    async forget(computer) {
        await this.#loading;
        const rows = this.#computers.get(computer);
        this.#computers.delete(computer);
        const ids = rows ? [...rows.all.keys()] : [];
        await this.#write([
            { table: 'notificationCursors', key: computer, remove: true }, ...ids.map((id) => ({ table: 'notifications', key: `${computer} ${id}`, remove: true })),
        ], null);
        this.#news.tell(computer, null);
        this.#topics.tell('notifications', { device: computer });
    }

    #tell(computer, news) {
        if (news.new.length + news.changed.length + news.removed.length === 0) return;
        this.#topics.tell('notifications', { device: computer });
        this.#news.tell(computer, news);
    }

    #placeOf(before, device) {
        const row = device === null ? undefined : this.of(device).row(before);
        if (row) return row;
        const [createdAt, position] = before.split('.').map(Number);
        return Number.isSafeInteger(createdAt) && Number.isSafeInteger(position) ? { createdAt, position } : null;
    }

    #rows(kept) {
        return new Rows({
            ...kept, isEnabled: () => this.settings.enabled,
            nextPosition: () => { this.#position += 1; return this.#position; },
        });
    }

    async #load(only = null) {
        const [rows, cursors, settings] = await Promise.all([this.#store.list('notifications'), this.#store.list('notificationCursors'), this.#store.get('settings', SETTINGS)]);
        const found = new Map(cursors.map(({ key, value }) => [key, { cursor: value, rows: [] }]));
        for (const { key, value } of rows) {
            // A computer's id has no space.
            found.get(key.slice(0, key.indexOf(' ')))?.rows.push(value);
            this.#position = Math.max(this.#position, value.position);
        }
        for (const [id, kept] of found) if (only === null || only === id) this.#computers.set(id, this.#rows(kept));
        if (settings) this.settings = { ...this.settings, ...settings };
        if (only === null) await this.#dropStrangers(rows, cursors);
    }

    /** What came of a computer while it was forgotten. */
    async #dropStrangers(rows, cursors) {
        const paired = new Set(this.#paired.records.map(({ id }) => id));
        const isStrange = (id) => !paired.has(id);
        for (const id of [...this.#computers.keys()].filter(isStrange)) this.#computers.delete(id);
        const left = [
            ...cursors.filter(({ key }) => isStrange(key)).map(({ key }) => ({ table: 'notificationCursors', key, remove: true })),
            ...rows.filter(({ key }) => isStrange(key.slice(0, key.indexOf(' ')))).map(({ key }) => ({ table: 'notifications', key, remove: true })),
        ];
        if (left.length > 0) await this.#store.write(left);
    }

    /** One after the other. Where the disk takes no more, what is shown is again what is on it. */
    #write(writes, computer) {
        const written = this.#writing.then(() => this.#store.write(writes)).catch(async (error) => {
            if (computer !== null) {
                this.#computers.delete(computer);
                await this.#load(computer);
                this.#news.tell(computer, null);
            }
            throw error;
        });
        this.#writing = written.catch(() => {});
        return written;
    }
}

function textOf({ createdAt, position }) { return `${createdAt}.${position}`; }
