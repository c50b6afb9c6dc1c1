import { changeIcon, iconButton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

const KEY = 'tandem.files.layout';

/** How a folder is laid out, as rows or as a grid of pictures; remembered. */
export class Layout {
    isGrid = localStorage.getItem(KEY) === 'grid';

    change() {
        this.isGrid = !this.isGrid;
        localStorage.setItem(KEY, this.isGrid ? 'grid' : 'list');
    }
}

/** Says what a press makes of it. */
export function layoutButton(layout, changed) {
    const label = () => t(layout.isGrid ? 'files.asList' : 'files.asGrid');
    const symbol = () => (layout.isGrid ? 'list' : 'grid');
    const element = iconButton({
        label: label(), icon: symbol(),
        press: () => {
            layout.change();
            element.title = label();
            element.setAttribute('aria-label', label());
            changeIcon(element.querySelector('.icon'), symbol());
            changed();
        },
    });
    return element;
}
