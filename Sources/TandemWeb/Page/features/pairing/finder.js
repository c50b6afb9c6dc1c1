import { button, h, spinner, switchRow } from '../../kit/index.js';
import { viewfinder } from '../../kit/camera.js';
import { fileButton } from '../../kit/choose.js';
import { takesPictures } from '../../kit/drop.js';
import { t } from '../../i18n/index.js';
import { Life } from '../../life.js';
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
 * @param {Life} options.life
 * @param {string} [options.classes] Of the element.
 * @param {{title: string, text: string, dropHint: string, noCamera?: string}} options.words Keys of texts; the last one in place of the
 *   advice where there is no camera.
 * @param {() => Node} options.other A link to another way to pair.
 * @param {(text: string) => void} options.found
 * @param {(error: Error) => void} options.failed
 * @returns {{element: HTMLElement, stage: Stage, idle: () => void, next: (isScanning: boolean) => Life}} `next` ends what belongs to the
 *   standing that is shown and returns the life of the next one; pictures are taken only while one is scanned for.
 */
export function codeFinder({ client, life, classes = '', words, other, found, failed }) {
    const stage = new Stage();
    const element = h('div', { class: ['way', classes] }, stage.element);
    let own = new Life(life);
    let isScanning = true;
    const next = (scanning) => {
        own.end();
        own = new Life(life);
        isScanning = scanning;
        return own;
    };
    takesPictures(element, { take: (file) => readPicture(file), signal: life.signal, accepts: () => isScanning && !element.hidden });

    const pictureButton = () => fileButton({ label: t('pairing.choosePicture'), icon: 'image', accept: 'image/*', take: readPicture });
    const cameraButton = (kind) => button({ label: t('pairing.openCamera'), icon: 'camera', kind, press: openCamera });

    function idle() {
        next(true);
        stage.show({
            symbol: 'camera', title: t(words.title), text: t(words.text),
            content: h('p', { class: 'stage-detail drop-hint' }, t(words.dropHint)), actions: [cameraButton('primary'), pictureButton()],
        });
    }

    async function openCamera() {
        const mine = next(true);
        /** A frame that cannot be used is none: the next one comes. Why is said where holding the camera otherwise helps. */
        const readFrame = async (frame) => {
            try {
                return await client.pairing.read(frame);
            } catch (error) {
                const reason = pictureTrouble(error);
                if (!reason) throw error;
                if (reason === 'severalCodes') hint.textContent = t('pairing.holdOne');
                return null;
            }
        };
        const finder = viewfinder({
            label: t('pairing.cameraView'), signal: mine.signal, read: readFrame,
            found: (text) => { if (!mine.hasEnded) found(text); },
            failed: (error) => { if (!mine.hasEnded) noCamera(error); },
        });
        const hint = h('p', { class: 'stage-text' }, t('pairing.hold'));
        const extras = h('div', { class: 'stage-light' });
        stage.show({
            title: t(words.title), content: [finder, hint, extras],
            actions: [button({ label: t('common.cancel'), press: idle }), pictureButton()],
        });
        try {
            const { canLight } = await finder.start();
            if (canLight) extras.append(switchRow({ label: t('pairing.light'), on: false, change: (on) => finder.light(on) }));
            mine.after(SLOW, () => { hint.textContent = t('pairing.holdLonger'); });
        } catch (error) {
            if (!mine.hasEnded) noCamera(error);
        }
    }

    function noCamera(error) {
        next(true);
        if (!error.reason) { failed(error); return; }
        const key = `pairing.camera.${error.reason}`;
        stage.show({
            kind: 'warn', symbol: 'camera', title: t(key), text: t(error.reason === 'none' && words.noCamera ? words.noCamera : `${key}.do`),
            actions: [button({ label: t('common.retry'), kind: 'primary', press: openCamera }), pictureButton(), other()],
        });
    }

    async function readPicture(file) {
        const mine = next(false);
        if (file.size > LARGEST) { noCode('pictureTooLarge'); return; }
        stage.show({ symbol: spinner({ size: 32 }), title: t('pairing.reading') });
        try {
            const text = await client.pairing.read(file);
            if (mine.hasEnded) return;
            if (text) found(text);
            else noCode('noCode');
        } catch (error) {
            if (mine.hasEnded) return;
            const reason = pictureTrouble(error);
            if (reason) noCode(reason);
            else failed(error);
        }
    }

    function noCode(reason) {
        next(true);
        stage.show({
            kind: 'warn', symbol: 'image', title: t(`pairing.${reason}`), text: t(`pairing.${reason}.do`),
            actions: [pictureButton(), cameraButton(), other()],
        });
    }

    idle();
    return { element, stage, idle, next };
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
