import { Life } from './life.js';

/**
 * Where the page stands, kept in the address after `#`: back, forward, reload and bookmarks work by themselves.
 *
 * @typedef {Object} Route
 * @property {string} path `/computers/abc/files`
 * @property {Object<string, string>} params Of the pattern's `:names`.
 * @property {URLSearchParams} query What follows `?`.
 * @property {Object} entry The row of a feature that has the address.
 */

/** The address of a path. Values are escaped: `link('/computers', id, 'files', {path})`. */
export function link(base, ...parts) {
    const query = typeof parts.at(-1) === 'object' ? parts.pop() : null;
    const path = [base, ...parts.map((part) => encodeURIComponent(part))].join('/');
    const set = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== '');
    return `#${path}${set.length ? `?${new URLSearchParams(set)}` : ''}`;
}

/** Goes somewhere. `replace` leaves no step back: for redirections and for what only filters. */
export function go(address, { replace = false } = {}) {
    const hash = address.startsWith('#') ? address : `#${address}`;
    if (replace) {
        history.replaceState(history.state, '', hash);
        window.dispatchEvent(new HashChangeEvent('hashchange'));
    } else {
        location.hash = hash;
    }
}

/** @returns {Route | null} Null when no row of the table fits. */
export function match(table, hash = location.hash) {
    const [rawPath, rawQuery] = splitOnce(hash.replace(/^#/, '') || '/', '?');
    const parts = rawPath.split('/').filter(Boolean).map(decoded);
    for (const entry of table) {
        const pattern = entry.path.split('/').filter(Boolean);
        if (pattern.length !== parts.length) continue;
        /** @type {Object<string, string>} */
        const params = {};
        const fits = pattern.every((word, at) => {
            if (!word.startsWith(':')) return word === parts[at];
            params[word.slice(1)] = parts[at];
            return true;
        });
        if (fits) return { path: rawPath, params, query: new URLSearchParams(rawQuery), entry };
    }
    return null;
}

function decoded(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

function splitOnce(text, mark) {
    const at = text.indexOf(mark);
    return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Shows the screen of the address, again at every change of it. A screen that has `update(route)` and returns true from it stays for
 * another address of the same row (another tab, another folder).
 */
export class Router {
    #table;
    #home;
    #show;
    #life = null;
    #shown = null;
    #turn = 0;
    #scrolls = new Map();
    #address = null;
    #listening = new AbortController();

    /**
     * @param {Object} options
     * @param {Object[]} options.table
     * @param {string} options.home Where an unknown address leads.
     * @param {(screen: Object, route: Route) => void} options.show Puts a screen on the page.
     * @param {(route: Route, life: Life) => Promise<Object>} options.make
     */
    constructor({ table, home, show, make }) {
        this.#table = table;
        this.#home = home;
        this.#show = show;
        this.make = make;
        history.scrollRestoration = 'manual';
        window.addEventListener('hashchange', () => this.draw(), { signal: this.#listening.signal });
    }

    get shown() { return this.#shown; }

    /** Leaves the screen and draws no other. */
    end() {
        this.#turn += 1;
        this.#life?.end();
        this.#listening.abort();
    }

    /** Makes the screen again, in another language for example. */
    async redraw() {
        this.#shown = null;
        await this.draw();
    }

    async draw() {
        const route = match(this.#table);
        if (!route) { go(this.#home, { replace: true }); return; }
        if (this.#shown?.route.entry === route.entry && this.#shown.screen.update?.(route) === true) {
            // A screen that is still made for an address between is not wanted any more.
            this.#turn += 1;
            this.#shown.route = route;
            this.#show(this.#shown.screen, route);
            return;
        }
        const turn = ++this.#turn;
        const life = new Life();
        const screen = await this.make(route, life);
        // Another address came meanwhile.
        if (turn !== this.#turn) { life.end(); return; }
        if (this.#address) this.#scrolls.set(this.#address, window.scrollY);
        this.#life?.end();
        this.#life = life;
        this.#shown = { route, screen };
        this.#address = location.hash;
        this.#show(screen, route);
        window.scrollTo(0, this.#scrolls.get(this.#address) ?? 0);
    }
}
