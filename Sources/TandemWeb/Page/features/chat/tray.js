import { h, icon, iconButton, switchRow } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/** Of one message, as the hub takes them; and of one file, in bytes, as the program takes it. */
const MOST = 9;
const LARGEST = 25 * 1024 * 1024;

/** Pictures that were chosen and not sent: they can be taken away, and a single one can be made a view-once picture. */
export class Tray {
    element = h('div', { class: 'tray', hidden: true });
    isOnce = false;
    #files = [];
    #changed;

    /** @param {{changed: () => void}} options */
    constructor({ changed }) { this.#changed = changed; }

    get isEmpty() { return this.#files.length === 0; }

    /** @returns {{blob: Blob, name: string}[]} */
    get files() { return this.#files.map(({ file }) => ({ blob: file, name: file.name })); }

    /**
     * @param {Iterable<File>} files
     * @param {boolean} [isOnce] As a view-once picture, where it is a single one.
     * @returns {string | null} Why some of them were not taken.
     */
    add(files, isOnce = this.isOnce) {
        let refused = null;
        for (const file of files) {
            if (!file.type.startsWith('image/')) refused = t('chat.noPicture');
            else if (file.size > LARGEST) refused = t('chat.pictureTooLarge');
            else if (this.#files.length >= MOST) refused = t('chat.tooManyPictures', { count: MOST });
            else this.#files.push({ file, address: URL.createObjectURL(file) });
        }
        this.isOnce = isOnce && this.#files.length === 1;
        this.#draw();
        return refused;
    }

    clear() {
        for (const { address } of this.#files) URL.revokeObjectURL(address);
        this.#files = [];
        this.isOnce = false;
        this.#draw();
    }

    #draw() {
        const once = this.#files.length === 1 && switchRow({ label: t('chat.viewOnce'), detail: t('chat.viewOnceText'), on: this.isOnce, change: (on) => { this.isOnce = on; this.#changed(); } });
        this.element.replaceChildren(h('div', { class: 'tray-pictures' }, this.#files.map((each, at) => h('div', { class: 'tray-picture' },
            h('img', { src: each.address, alt: t('chat.chosenPicture', { number: at + 1 }) }),
            iconButton({ label: t('chat.takeAway', { number: at + 1 }), icon: 'x', press: () => this.#remove(each) })))), ...[once].filter(Boolean));
        this.element.hidden = this.isEmpty;
        this.#changed();
    }

    #remove(each) {
        URL.revokeObjectURL(each.address);
        this.#files = this.#files.filter((other) => other !== each);
        this.isOnce = this.isOnce && this.#files.length === 1;
        this.#draw();
    }
}

/** The mark on what takes pictures that are held above it. */
export function dropHint() { return h('div', { class: 'drop-hint-over', aria: { hidden: true } }, icon('image', { size: 28 }), h('span', null, t('chat.dropPictures'))); }
