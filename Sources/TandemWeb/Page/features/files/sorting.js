import { h, icon, menuButton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

const KEY = 'tandem.files.sort';
/** @type {('name' | 'size' | 'modified' | 'type')[]} */
const WAYS = ['name', 'size', 'modified', 'type'];

/** By what a folder is sorted; remembered. */
export class Sorting {
    constructor() {
        const [by, direction] = (localStorage.getItem(KEY) ?? '').split(' ');
        this.by = WAYS.find((way) => way === by) ?? 'name';
        this.isDescending = direction === 'down';
    }

    /** The same way again turns it round. */
    choose(by) {
        // The newest and the largest first is what is looked for.
        this.isDescending = by === this.by ? !this.isDescending : by === 'modified' || by === 'size';
        this.by = by;
        localStorage.setItem(KEY, `${by} ${this.isDescending ? 'down' : 'up'}`);
    }
}

export function sortButton(sorting, changed) {
    return menuButton({
        label: t('files.sort'), icon: 'filter',
        items: () => WAYS.map((by) => ({
            label: t(`files.by.${by}`), icon: by === sorting.by ? (sorting.isDescending ? 'arrow-down' : 'arrow-up') : undefined,
            press: () => { sorting.choose(by); changed(); },
        })),
    });
}

/** The heads of the columns, which sort. */
export function sortHead(sorting, changed) {
    const head = (by, name) => h('button', {
        type: 'button', class: ['file-head-cell', name], aria: { pressed: by === sorting.by },
        on: { click: () => { sorting.choose(by); changed(); } },
    }, t(`files.by.${by}`), by === sorting.by && icon(sorting.isDescending ? 'chevron-down' : 'chevron-up', { size: 16 }));
    return h('div', { class: 'file-head' }, head('name', 'file-head-name'), head('size', 'file-size'), head('modified', 'file-time'));
}
