import { h, iconButton, plainText } from './index.js';
import { format, t } from '../i18n/index.js';
import { fittedPicture, toBase64 } from './bytes.js';
import { pickByField } from './pick.js';

/** Of all together, as they are sent. */
const MOST = 512 * 1024;
const MOST_FILES = 8;
const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp,text/*,application/json,.md,.log,.patch,.diff,.yaml,.yml,.toml,.swift,.rs,.go,.py,.ts,.tsx,.js,.c,.h,.cpp,.java,.kt,.sh,.sql';

/** Files that go along with a message, as chips that can be taken away. */
export class Attachments {
    #files = [];
    #changed;
    element = h('div', { class: 'attachments' });
    trouble = h('div', { class: 'attachment-trouble small', role: 'status' });

    /** @param {{changed: () => void}} options */
    constructor({ changed }) { this.#changed = changed; }

    get isEmpty() { return this.#files.length === 0; }

    /**
     * As the computer takes them.
     *
     * @returns {{name: string, type: string, data: string}[]}
     */
    get values() { return this.#files.map(({ name, type, data }) => ({ name, type, data })); }

    async pick() { await this.add(await pickByField({ multiple: true, accept: ACCEPTED })); }

    /** @param {Iterable<File>} files */
    async add(files) {
        this.trouble.textContent = '';
        for (const file of files) {
            const refused = await this.#take(file);
            if (refused) this.trouble.textContent = refused;
        }
        this.#draw();
    }

    clear() {
        for (const { picture } of this.#files) if (picture) URL.revokeObjectURL(picture);
        this.#files = [];
        this.trouble.textContent = '';
        this.#draw();
    }

    async #take(file) {
        const name = plainText(file.name, 80);
        if (this.#files.length >= MOST_FILES) return t('kit.tooManyFiles', { count: MOST_FILES });
        const left = MOST - this.#files.reduce((sum, each) => sum + each.size, 0);
        let blob = file;
        if (file.type.startsWith('image/')) {
            // Scaled down until it fits into what is left.
            blob = await fittedPicture(file, left);
            if (!blob) return t('kit.noPictureFile', { name });
        } else if (!await isText(file)) {
            return t('kit.noTextFile', { name });
        }
        if (blob.size > left) return t('kit.fileTooLarge', { name, limit: format.bytes(MOST) });
        this.#files.push({
            name: file.name.slice(0, 200), type: blob.type || 'text/plain', size: blob.size, data: await toBase64(blob),
            picture: blob.type.startsWith('image/') ? URL.createObjectURL(blob) : null,
        });
        return null;
    }

    #draw() {
        this.element.replaceChildren(...this.#files.map((file) => h('div', { class: 'attachment' },
            file.picture && h('img', { src: file.picture, alt: '' }),
            h('span', { class: 'attachment-name', data: { peer: '' } }, plainText(file.name, 40)),
            h('span', { class: 'small soft number' }, t('kit.size', { size: format.bytes(file.size) })),
            iconButton({ label: t('kit.removeFile', { name: plainText(file.name, 40) }), icon: 'x', press: () => this.#remove(file) }))));
        this.#changed();
    }

    #remove(file) {
        if (file.picture) URL.revokeObjectURL(file.picture);
        this.#files = this.#files.filter((each) => each !== file);
        this.trouble.textContent = '';
        this.#draw();
    }
}

/** Whether a file's beginning is text in UTF-8. */
async function isText(file) {
    if (file.size > MOST) return true;
    try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
        return !text.includes('\0');
    } catch {
        return false;
    }
}
