import { h, virtualList } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { Layout, layoutButton } from './layout.js';
import { fileRow } from './row.js';
import { sortHead } from './sorting.js';

/** The entries of a folder, as rows or as a grid. */
export class FolderList {
    #options;
    #layout = new Layout();
    #gridView = null;
    /** What is drawn; null while it is to be made anew. */
    #view = null;
    #entries = [];
    #how = { isFound: false, isWide: false };
    element = h('div', { class: 'folder-list' });

    /**
     * @param {{computer: Object, life: Object, sorting: import('./sorting.js').Sorting, drawn: (entry: Object) => Object, changed: () => void,
     *   failed: (error: Object) => void}} options `drawn` gives what an entry is drawn with; `changed` is told of another order or layout.
     */
    constructor(options) {
        this.#options = options;
        this.button = layoutButton(this.#layout, () => { this.drop(); options.changed(); });
    }

    /** @param {import('./entries.js').Entry[]} entries @param {{isFound: boolean, isWide: boolean}} how Found ones say their folder. */
    show(entries, how) {
        this.#entries = entries;
        this.#how = how;
        if (!this.#view) this.#make();
        this.#view?.show(entries);
    }

    /** Draws what is in sight again. */
    refresh() { this.#view?.refresh(); }

    /** What is shown next is drawn anew. */
    drop() {
        this.#view?.end?.();
        this.#view = null;
        this.element.remove();
    }

    #make() {
        if (this.#layout.isGrid && !this.#gridView) { this.#bringGrid(); return; }
        const { computer, life, sorting, drawn, changed } = this.#options;
        if (this.#layout.isGrid) {
            this.#view = this.#gridView({ computer, life, tile: drawn });
            this.element.replaceChildren(this.#view);
            return;
        }
        const { isFound, isWide } = this.#how;
        const list = virtualList({
            label: t('files.list'), rowHeight: (isWide ? 48 : 64) + (isFound ? 14 : 0),
            render: (entry) => fileRow(entry, { ...drawn(entry), showsFolder: isFound, isWide }),
        });
        this.#view = list;
        this.element.replaceChildren(h('div', { class: 'card file-card' }, isWide && sortHead(sorting, () => { this.drop(); changed(); }), list));
    }

    async #bringGrid() {
        try {
            this.#gridView = (await import('./grid.js')).gridView;
            if (!this.#view && this.#layout.isGrid && this.element.isConnected) this.show(this.#entries, this.#how);
        } catch (error) {
            this.#options.failed(error);
        }
    }
}
