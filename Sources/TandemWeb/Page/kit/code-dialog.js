import { hasText, t } from '../i18n/index.js';
import { Life } from '../life.js';
import { banner } from './banner.js';
import { button } from './button.js';
import { viewfinder } from './camera.js';
import { fileButton } from './choose.js';
import { openDialog } from './dialog.js';
import { takesPictures } from './drop.js';
import { errorText } from './failure.js';
import { h } from './h.js';
import { spinner } from './states.js';

const LARGEST = 8 << 20;

/**
 * Reads a code by camera, or from a picture that is chosen, dropped or pasted, in a dialog that closes once one is taken. It needs the texts of
 * the area `pairing` and its style.
 *
 * @param {Object} options
 * @param {import('../client/client.js').Client} options.client
 * @param {string} options.title
 * @param {string} options.text Where the code is found.
 * @param {(text: string) => string | null} options.take Null where it is the wanted one, else what is wrong with it.
 */
export function openCodeDialog(options) { new CodeDialog(options).look(); }

class CodeDialog {
    #client;
    #take;
    #note = h('div', { class: 'stack close notices', aria: { live: 'polite' } });
    #view = h('div', { class: 'code-dialog-view' });
    #dialog;
    /** @type {Life | null} Of the camera, or of a picture that is read. */
    #looking = null;

    constructor({ client, title, text, take }) {
        this.#client = client;
        this.#take = take;
        const picture = fileButton({ label: t('pairing.choosePicture'), icon: 'image', accept: 'image/*', take: (file) => this.#readPicture(file) });
        this.#dialog = openDialog({
            title, content: [h('p', { class: 'dialog-text' }, text), this.#view, this.#note, h('p', { class: 'stage-detail drop-hint' }, t('pairing.dropHint'))],
            actions: [picture],
        });
        takesPictures(this.#dialog.element, { take: (file) => this.#readPicture(file), signal: this.#dialog.life.signal });
    }

    #next() {
        this.#looking?.end();
        this.#looking = new Life(this.#dialog.life);
        this.#note.replaceChildren();
        return this.#looking;
    }

    async look() {
        const mine = this.#next();
        const finder = viewfinder({
            label: t('pairing.cameraView'), signal: mine.signal, read: (frame) => this.#readFrame(frame),
            found: (text) => { if (!mine.hasEnded) this.#found(text); }, failed: (error) => { if (!mine.hasEnded) this.#noCamera(error); },
        });
        this.#view.replaceChildren(finder, h('p', { class: 'stage-text' }, t('pairing.hold')));
        await finder.start().catch((error) => { if (!mine.hasEnded) this.#noCamera(error); });
    }

    /** A frame that cannot be used is none: the next one comes. */
    async #readFrame(frame) {
        try {
            return await this.#client.pairing.read(frame);
        } catch (error) {
            if (pictureTrouble(error)) return null;
            throw error;
        }
    }

    async #readPicture(file) {
        const mine = this.#next();
        if (file.size > LARGEST) { this.#say('pairing.pictureTooLarge'); return; }
        this.#view.replaceChildren(spinner({ size: 32, label: t('pairing.reading') }));
        try {
            const text = await this.#client.pairing.read(file);
            if (mine.hasEnded) return;
            if (text) this.#found(text);
            else this.#say('pairing.noCode');
        } catch (error) {
            if (!mine.hasEnded) this.#say(pictureTrouble(error), error);
        }
    }

    #found(text) {
        const trouble = this.#take(text);
        if (trouble === null) this.#dialog.close();
        else this.#show(trouble);
    }

    #noCamera(error) {
        const key = `pairing.camera.${error.reason}`;
        this.#say(hasText(key) ? key : null, error);
    }

    /** @param {string | null} key Of a text, with what to do behind `.do`; null for a failure that has none. */
    #say(key, error) { this.#show(key ? t(key) : errorText(error), key && t(`${key}.do`)); }

    #show(text, detail = null) {
        this.#view.replaceChildren();
        this.#note.replaceChildren(banner({ kind: 'warn', text, detail, actions: [button({ label: t('pairing.openCamera'), kind: 'quiet', press: () => { this.look(); } })] }));
    }
}

/** What is wrong with a picture itself; null for any other failure. */
function pictureTrouble(error) {
    const key = `pairing.${error?.detail?.reason}`;
    return hasText(`${key}.do`) ? key : null;
}
