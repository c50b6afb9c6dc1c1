const known = new WeakMap();

/** A large import or export takes minutes, in milliseconds. */
const LONG = 3_600_000;

/**
 * This phone's journal: the one place that knows what the methods and the route of bytes are called. One for the page.
 *
 * @param {import('./client.js').Client} client
 * @returns {Journal}
 */
export function journalOf(client) {
    if (!known.has(client)) known.set(client, new Journal(client));
    return known.get(client);
}

/**
 * @typedef {Control['journal.list']['answer']['stories'][number]} StoryEntry A story in a list.
 * @typedef {Control['journal.show']['answer']} Story
 * @typedef {Story['media'][number]} Medium
 * @typedef {Control['journal.categories']['answer']['categories'][number]} Category
 * @typedef {Control['journal.edit']['params']['change']} Change What is missing stays; an empty text takes away.
 * @typedef {{signal?: AbortSignal}} Options
 */

export class Journal {
    #client;

    /** @param {import('./client.js').Client} client */
    constructor(client) { this.#client = client; }

    // MARK: Stories

    /**
     * The newest first.
     *
     * @param {{words?: string, category?: string | null, until?: number | null, isDeleted?: boolean, before?: string | null, limit?: number}} query With words
     *   they are searched for, in stories that are not deleted and of any time. `until` is the first moment that does not count.
     * @param {Options} [options]
     */
    stories({ words = '', category = null, until = null, isDeleted = false, before = null, limit = 50 }, options) {
        const page = { limit, ...(category && { category }), ...(before && { before }) };
        if (words) return this.#client.call('journal.search', { words, ...page }, options);
        return this.#client.call('journal.list', { ...page, ...(isDeleted && { deleted: true }), ...(until !== null && { until }) }, options);
    }

    /** @param {Options} [options] */
    show(id, options) { return this.#client.call('journal.show', { id }, options); }

    /** @param {Change} draft */
    add(draft) { return this.#client.call('journal.add', draft); }

    /** @param {string} id @param {Change} change */
    edit(id, change) { return this.#client.call('journal.edit', { id, change }); }

    /** It can be restored. */
    delete(id) { return this.#client.call('journal.delete', { id }); }

    restore(id) { return this.#client.call('journal.restore', { id }); }

    /** Removes all deleted stories for good, with their media. */
    purge() { return this.#client.call('journal.purge', {}); }

    // MARK: Categories

    /** Each before what is inside of it. @param {Options} [options] */
    categories(options) { return this.#client.call('journal.categories', {}, options); }

    /** @param {{name: string, parent?: string, color?: string}} category Without a parent at the top. */
    addCategory(category) { return this.#client.call('journal.addCategory', category); }

    /** @param {string} category @param {{name?: string, parent?: string, color?: string}} change An empty parent is the top. */
    editCategory(category, change) { return this.#client.call('journal.editCategory', { category, ...change }); }

    deleteCategory(category) { return this.#client.call('journal.deleteCategory', { category }); }

    // MARK: Media

    /** The address of a medium, for an element that shows, plays or saves it. @param {{isThumbnail?: boolean}} [options] */
    mediumAddress(id, { isThumbnail = false } = {}) {
        return this.#client.routes.address('journal/media', { id, ...(isThumbnail && { thumbnail: 1 }) });
    }

    /**
     * Puts a file that the browser picked into a story.
     *
     * @param {string} story
     * @param {File} file
     * @param {Options} [options]
     * @returns {Promise<Medium>}
     */
    attach(story, file, options) { return this.#client.routes.post('journal/media', { story, name: file.name }, file, options); }

    // MARK: In and out

    /** @param {{path: string, format?: string}} what A file or folder of this machine. */
    import(what) { return this.#client.call('journal.import', what, { timeout: LONG }); }

    /** @param {string} folder */
    export(folder) { return this.#client.call('journal.export', { folder }, { timeout: LONG }); }

    /** Told when something in the journal changed, or may have. */
    onChange(listener) {
        const stops = ['journal', 'reset'].map((topic) => this.#client.events(topic, () => listener()));
        return () => stops.forEach((stop) => stop());
    }
}
