import { loadArea } from '../i18n/index.js';
import { fileAddress } from './address.js';
import { h } from './h.js';
import { takeSymbols } from './symbols.js';

/**
 * What one feature brings to the page, in `features/NAME/feature.js`. All of it is fetched at the start, so it holds names and `import()`
 * only; where its places stand among others is said by their `order`.
 *
 * @typedef {'phone' | 'desktop' | 'hub'} Role
 * @typedef {Object} Later Areas of texts, styles and files of symbols that come when they are needed, by their addresses.
 * @property {string[]} [texts]
 * @property {string[]} [styles]
 * @property {string[]} [symbols]
 * @typedef {Object} RouteRow An address: `nav` puts it into the navigation, where the first five of more than six stand beside “More” on a narrow page; `section` says
 *   under which row of the navigation it belongs. The first of them is where the role's page begins.
 * @property {string} path
 * @property {string} section
 * @property {{icon: string, label: string, order: number}} [nav]
 * @property {() => Promise<Function>} load
 * @property {Later} [later] What comes with this screen alone, beside what comes with its feature.
 * @typedef {Object} TabRow A tab of a computer. Those that carry a number come first: a narrow phone shows them beside “More”.
 * @property {string} id
 * @property {string} icon
 * @property {string} label
 * @property {string} [right] Without it the tab is of no use.
 * @property {number} order
 * @property {() => Promise<Function>} load
 * @property {Later} [later] What comes with this tab alone.
 * @typedef {Object} Feature
 * @property {Partial<Record<Role, RouteRow[]>>} [routes]
 * @property {TabRow[]} [tabs]
 * @property {Partial<Record<Role, string[]>>} [texts] Areas of texts that a role's page begins with.
 * @property {Later} [later] What comes with its first screen, tab or part.
 * @property {Partial<Record<'home' | 'overview' | 'welcome' | 'computer' | 'settings', () => Promise<Function>>>} [parts] For screens of others, made of `{client, life}`: an
 *   element on the first screen, below it on a computer's, and on a phone's while it has no computer; what gives the mark of a computer, by its id, for a phone's list of them; a group on the settings.
 * @property {Partial<Record<Role, (context: {client: Object, chrome: Object, life: Object}) => Promise<void>>>} [background] What it does
 *   beside the screens, from the first one on.
 * @property {() => any} [signOut] Takes away what others at this browser could read, also where the feature was never opened.
 * @property {Record<'en' | 'zh', Record<string, any>>} [words] Texts that the frame or another feature shows.
 */

/** What all features of the page bring, put together. */
export class Features {
    #all;

    /** @param {Feature[]} all */
    constructor(all) { this.#all = all; }

    /** The addresses of a role, those of the navigation first, in their order. */
    routes(role) {
        const order = ({ nav }) => nav?.order ?? Number.MAX_SAFE_INTEGER;
        return this.#rows((feature) => feature.routes?.[role]).sort((one, other) => order(one) - order(other));
    }

    /** The tabs of a computer, in their order. */
    get tabs() { return this.#rows((feature) => feature.tabs).sort((one, other) => one.order - other.order); }

    /**
     * What features show at a place on another's screen, once it is known what they say.
     *
     * @returns {Promise<any[]>}
     */
    async parts(place, context) {
        const rows = this.#rows((feature) => feature.parts?.[place] && [{ load: feature.parts[place] }]);
        return Promise.all(rows.map(async ({ load }) => (await load())(context)));
    }

    /** The areas of texts that a role's page begins with. */
    areas(role) { return [...new Set(this.#all.flatMap(({ texts }) => texts?.[role] ?? []))]; }

    /** What features have others show, in a language. */
    words(language) { return Object.assign({}, ...this.#all.map(({ words }) => words?.[language])); }

    /** Begins what features do beside the screens. What one fails with concerns no other. */
    begin(role, context) {
        for (const { background } of this.#all) background?.[role]?.(context).catch(() => {});
    }

    async signOut() { await Promise.allSettled(this.#all.map(async (feature) => feature.signOut?.())); }

    /** Rows whose modules come together with what their feature needs beside them. */
    #rows(of) {
        return this.#all.flatMap((feature) => (of(feature) || []).map((row) => ({
            ...row, load: async () => (await Promise.all([row.load(), bring(feature.later), bring(row.later)]))[0],
        })));
    }
}

const styles = new Map();

/**
 * Fetches what comes later, each once.
 *
 * @param {Later} later
 */
async function bring({ texts = [], styles: paths = [], symbols = [] } = {}) {
    await Promise.all([...texts.map((area) => loadArea(area)), ...paths.map(style), ...symbols.map(takeSymbols)]);
}

function style(path) {
    if (!styles.has(path)) {
        styles.set(path, new Promise((resolve, reject) => {
            const element = h('link', { rel: 'stylesheet', href: fileAddress(path) });
            element.addEventListener('load', resolve);
            element.addEventListener('error', () => { element.remove(); styles.delete(path); reject(new TypeError(path)); });
            document.head.append(element);
        }));
    }
    return styles.get(path);
}
