import { h, icon, safeText } from '../../kit/index.js';
import { plainText } from '../../kit/first.js';
import { format, hasText, t } from '../../i18n/index.js';

/**
 * How the media of a story are shown: in its text, or below it.
 *
 * @typedef {import('../../client/journal.js').Medium} Medium
 */
export class MediaViews {
    #journal;
    #media;
    #pictures;

    /**
     * @param {import('../../client/journal.js').Journal} journal
     * @param {Medium[]} media All of the story.
     */
    constructor(journal, media) {
        this.#journal = journal;
        this.#media = new Map(media.map((medium) => [medium.id, medium]));
        this.#pictures = media.filter((medium) => medium.type === 'image' && !medium.broken);
    }

    /** Media that stand in the text, once they were shown there. */
    placed = new Set();

    /**
     * One that the text names; null for one that the story does not have.
     *
     * @param {{id: string, words: string}} named
     * @returns {HTMLElement | null}
     */
    inText({ id, words }) {
        const medium = this.#media.get(id);
        if (!medium) return null;
        this.placed.add(id);
        return this.#view(medium, { words, isSmall: false });
    }

    /** Those that the text does not name, small. @returns {HTMLElement | null} */
    get others() {
        const left = [...this.#media.values()].filter(({ id }) => !this.placed.has(id));
        if (left.length === 0) return null;
        return h('ul', { class: 'media-grid', aria: { label: t('journal.media') } }, left.map((medium) => h('li', { class: `is-${medium.type}` }, this.#view(medium, { words: '', isSmall: true }))));
    }

    #view(medium, { words, isSmall }) {
        if (medium.broken) return broken(medium);
        switch (medium.type) {
            case 'image': return this.#picture(medium, { words, isSmall });
            case 'video': return h('video', { class: 'medium', controls: true, preload: 'metadata', playsInline: true, src: this.#journal.mediumAddress(medium.id), aria: { label: nameOf(medium) } });
            case 'audio': return h('audio', { class: 'medium', controls: true, preload: 'none', src: this.#journal.mediumAddress(medium.id), aria: { label: nameOf(medium) } });
            default: return this.#file(medium);
        }
    }

    #picture(medium, { words, isSmall }) {
        const at = this.#pictures.indexOf(medium);
        const address = (isThumbnail) => this.#journal.mediumAddress(medium.id, { isThumbnail });
        const image = h('img', {
            class: 'medium', alt: plainText(words, 300) || t('pictures.of', { number: at + 1, count: this.#pictures.length }), decoding: 'async', loading: 'lazy',
            width: medium.width || null, height: medium.height || null, src: address(isSmall && medium.hasThumbnail),
        });
        const element = h('button', { type: 'button', class: 'medium-picture', on: { click: () => this.#look(at) } }, image);
        image.addEventListener('error', () => element.replaceWith(broken({ ...medium, broken: '' })));
        return element;
    }

    async #look(at) {
        const { openPictures } = await import('../../kit/show.js');
        openPictures({ at, pictures: this.#pictures.map(({ id, fileName }) => ({ address: this.#journal.mediumAddress(id), name: fileName })) });
    }

    #file(medium) {
        return h('a', { class: 'medium-file', href: this.#journal.mediumAddress(medium.id), download: medium.fileName },
            icon('file', { size: 22 }), h('span', { class: 'row-words' }, safeText(medium.fileName, { limit: 80 }), h('span', { class: 'small soft' }, format.bytes(medium.fileSize))), icon('download', { size: 20 }));
    }
}

/** For the name of what plays it. */
function nameOf({ type, fileName }) { return t(type === 'video' ? 'journal.videoOf' : 'journal.audioOf', { name: plainText(fileName, 80) }); }

/** One whose file is missing or damaged. */
function broken({ fileName, broken: reason }) {
    const key = `journal.broken.${reason}`;
    return h('span', { class: 'medium-broken' }, icon('warning', { size: 22 }),
        h('span', { class: 'row-words' }, safeText(fileName, { limit: 80 }), h('span', { class: 'small' }, t(hasText(key) ? key : 'journal.broken'))));
}
