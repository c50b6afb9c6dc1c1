import { button, h, iconButton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/** Several entries chosen together, and the bar of what can be done with them. */
export class Selection {
    #chosen = new Map();
    #last = null;
    #options;
    isOn = false;

    /** @param {{changed: () => void, entries: () => Object[], actions: {fetch: Function, trash: Function}}} options */
    constructor(options) {
        this.#options = options;
        this.bar = h('div', { class: 'selection-bar', hidden: true, role: 'toolbar', aria: { label: t('files.selection') } });
    }

    has(entry) { return this.#chosen.has(entry.path); }

    begin() {
        this.isOn = true;
        this.#changed();
    }

    toggle(entry, { isRange = false } = {}) {
        this.isOn = true;
        const entries = this.#options.entries();
        const [from, to] = [entries.findIndex((each) => each.path === this.#last), entries.findIndex((each) => each.path === entry.path)];
        if (isRange && from >= 0 && to >= 0) {
            for (const each of entries.slice(Math.min(from, to), Math.max(from, to) + 1)) this.#chosen.set(each.path, each);
        } else if (this.#chosen.has(entry.path)) {
            this.#chosen.delete(entry.path);
        } else {
            this.#chosen.set(entry.path, entry);
        }
        this.#last = entry.path;
        this.#changed();
    }

    end() {
        if (!this.isOn) return;
        this.isOn = false;
        this.#chosen.clear();
        this.#changed();
    }

    #all() {
        for (const each of this.#options.entries()) this.#chosen.set(each.path, each);
        this.#changed();
    }

    #changed() {
        this.bar.hidden = !this.isOn;
        if (this.isOn) {
            const chosen = [...this.#chosen.values()];
            const none = chosen.length === 0;
            this.bar.replaceChildren(
                iconButton({ label: t('files.selectEnd'), icon: 'x', press: () => this.end() }),
                h('span', { class: 'selection-count', role: 'status' }, t('files.selected', { count: chosen.length })),
                button({ label: t('files.selectAll'), kind: 'quiet', press: () => this.#all() }),
                iconButton({ label: t('files.download'), icon: 'download', disabled: none, press: () => { this.#options.actions.fetch(chosen); } }),
                iconButton({ label: t('files.trash'), icon: 'trash', kind: 'danger', disabled: none, press: () => { this.#options.actions.trash(chosen); } }));
        }
        this.#options.changed();
    }
}
