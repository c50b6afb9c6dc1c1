import { ClientError } from '../../client/client.js';
import { errorBanner, h, skeleton } from '../../kit/index.js';
import { Life } from '../../life.js';

/** Where a computer's tabs are shown, one at a time. */
export class TabPlace {
    element = h('div', { class: 'tab-body' });
    #life;
    #given;
    #badge;
    #began;
    /** @type {{id: string, life: Life, tab: Object | null} | null} */
    #shown = null;

    /**
     * @param {Object} options
     * @param {Life} options.life Of the screen.
     * @param {{client: import('../../client/client.js').Client, [name: string]: any}} options.given What every tab is given.
     * @param {(id: string, count: number, words: string) => void} options.badge Puts a number on a tab.
     * @param {() => void} options.began Called when another tab is shown, before it is made.
     */
    constructor({ life, given, badge, began }) {
        this.#life = life;
        this.#given = given;
        this.#badge = badge;
        this.#began = began;
    }

    /** The id of the tab that is shown. */
    get id() { return this.#shown?.id ?? null; }

    /** @param {import('../../kit/feature.js').TabRow} row */
    async show(row, route) {
        if (this.#shown?.id === row.id && this.#shown.tab?.update?.(route) === true) return;
        this.end();
        const own = { id: row.id, life: new Life(this.#life), tab: null };
        this.#shown = own;
        this.element.replaceChildren(skeleton(4));
        this.#began();
        try {
            const make = await row.load();
            if (this.#shown !== own) return;
            const badge = (count, words) => this.#badge(row.id, count, words);
            own.tab = await make({ ...this.#given, route, life: own.life, badge });
        } catch (error) {
            console.error(error);
            own.tab = { element: this.#failed(error, own, () => this.show(row, route)) };
        }
        if (this.#shown !== own) return;
        this.element.replaceChildren(own.tab.element);
    }

    end() { this.#shown?.life.end(); }

    #failed(error, own, show) {
        const { client } = this.#given;
        const again = () => {
            if (this.#shown !== own) return;
            this.end();
            this.#shown = null;
            show();
        };
        // What was not loaded before cannot be fetched while the program is away.
        const isGone = client.state !== 'live';
        if (isGone) own.life.add(client.onState((state) => { if (state === 'live') again(); }));
        return errorBanner(isGone ? new ClientError('gone') : error, { retry: again });
    }
}
