import { button, h, spinner, switchRow } from '../../kit/index.js';
import { viewfinder } from '../../kit/camera.js';
import { fileButton } from '../../kit/choose.js';
import { takesPictures } from '../../kit/drop.js';
import { t } from '../../i18n/index.js';
import { Stage } from './stage.js';

const LARGEST = 8 << 20;
const SLOW = 12_000;
/** Why the program found no code to read in a picture; each has a sentence. */
const PICTURE_TROUBLES = new Set(['noCode', 'severalCodes', 'notAPicture', 'damagedPicture', 'pictureTooLarge', 'otherCode']);

/**
 * Finds a code by camera or in a picture, on a stage of its own: what scanning has in common on a phone and on a computer.
 *
 * @param {Object} options
 * @param {import('../../client/client.js').Client} options.client
 * @param {import('../../life.js').Life} options.life
 * @param {string} [options.classes] Of the element.
 * @param {{title: string, text: string, dropHint: string, noCamera?: string}} options.words Keys of texts; the last one in place of the
 *   advice where there is no camera.
 * @param {() => Node} options.other A link to another way to pair.
 * @param {(text: string) => void} options.found
 * @param {(error: Error) => void} options.failed
 * @returns {CodeFinder}
 */
export function codeFinder(options) {
    const finder = new CodeFinder(options);
    finder.idle();
    return finder;
}

class CodeFinder {
    #client;
    #words;
    #other;
    #found;
    #failed;
    #isScanning = true;

    constructor({ client, life, classes = '', words, other, found, failed }) {
        this.#client = client;
        this.#words = words;
        this.#other = other;
        this.#found = found;
        this.#failed = failed;
        this.stage = new Stage(life);
        this.element = h('div', { class: ['way', classes] }, this.stage.element);
        takesPictures(this.element, {
            take: (file) => this.#readPicture(file), signal: life.signal, accepts: () => this.#isScanning && !this.element.hidden,
        });
    }

    /**
     * Ends what belongs to the standing that is shown; pictures are taken only while one is scanned for.
     *
     * @returns {import('../../life.js').Life} Of the next one.
     */
    next(isScanning) {
        this.#isScanning = isScanning;
        return this.stage.next();
    }

    idle = () => {
        const { title, text, dropHint } = this.#words;
        this.next(true);
        this.stage.show({
            symbol: 'camera', title: t(title), text: t(text),
            content: h('p', { class: 'stage-detail drop-hint' }, t(dropHint)), actions: [this.#cameraButton('primary'), this.#pictureButton()],
        });
    };

    #pictureButton() {
        return fileButton({ label: t('pairing.choosePicture'), icon: 'image', accept: 'image/*', take: (file) => this.#readPicture(file) });
    }

    #cameraButton(kind) { return button({ label: t('pairing.openCamera'), icon: 'camera', kind, press: () => this.#openCamera() }); }

    async #openCamera() {
        const mine = this.next(true);
        const hint = h('p', { class: 'stage-text' }, t('pairing.hold'));
        const finder = viewfinder({
            label: t('pairing.cameraView'), signal: mine.signal, read: (frame) => this.#readFrame(frame, hint),
            found: (text) => { if (!mine.hasEnded) this.#found(text); },
            failed: (error) => { if (!mine.hasEnded) this.#noCamera(error); },
        });
        const extras = h('div', { class: 'stage-light' });
        this.stage.show({
            title: t(this.#words.title), content: [finder, hint, extras],
            actions: [button({ label: t('common.cancel'), press: this.idle }), this.#pictureButton()],
        });
        try {
            const { canLight } = await finder.start();
            if (canLight) extras.append(switchRow({ label: t('pairing.light'), on: false, change: (on) => finder.light(on) }));
            mine.after(SLOW, () => { hint.textContent = t('pairing.holdLonger'); });
        } catch (error) {
            if (!mine.hasEnded) this.#noCamera(error);
        }
    }

    /** A frame that cannot be used is none: the next one comes. Why is said where holding the camera otherwise helps. */
    async #readFrame(frame, hint) {
        try {
            return await this.#client.pairing.read(frame);
        } catch (error) {
            const reason = pictureTrouble(error);
            if (!reason) throw error;
            if (reason === 'severalCodes') hint.textContent = t('pairing.holdOne');
            return null;
        }
    }

    #noCamera(error) {
        const { noCamera } = this.#words;
        this.next(true);
        if (!error.reason) { this.#failed(error); return; }
        const key = `pairing.camera.${error.reason}`;
        this.stage.show({
            kind: 'warn', symbol: 'camera', title: t(key), text: t(error.reason === 'none' && noCamera ? noCamera : `${key}.do`),
            actions: [
                button({ label: t('common.retry'), kind: 'primary', press: () => this.#openCamera() }), this.#pictureButton(), this.#other(),
            ],
        });
    }

    async #readPicture(file) {
        const mine = this.next(false);
        if (file.size > LARGEST) { this.#noCode('pictureTooLarge'); return; }
        this.stage.show({ symbol: spinner({ size: 32 }), title: t('pairing.reading') });
        try {
            const text = await this.#client.pairing.read(file);
            if (mine.hasEnded) return;
            if (text) this.#found(text);
            else this.#noCode('noCode');
        } catch (error) {
            if (mine.hasEnded) return;
            const reason = pictureTrouble(error);
            if (reason) this.#noCode(reason);
            else this.#failed(error);
        }
    }

    #noCode(reason) {
        this.next(true);
        this.stage.show({
            kind: 'warn', symbol: 'image', title: t(`pairing.${reason}`), text: t(`pairing.${reason}.do`),
            actions: [this.#pictureButton(), this.#cameraButton(), this.#other()],
        });
    }
}

/** What is wrong with a picture itself, of which the page knows what to do; null for any other failure. */
function pictureTrouble(error) {
    const reason = error?.detail?.reason;
    return PICTURE_TROUBLES.has(reason) ? reason : null;
}

/** The device's name in its code, to show until it answers. Whether the code is right is the program's to say. */
export function nameIn(text) {
    try {
        const name = JSON.parse(text)?.deviceInfo?.name;
        return typeof name === 'string' && name ? name.slice(0, 64) : null;
    } catch {
        return null;
    }
}
