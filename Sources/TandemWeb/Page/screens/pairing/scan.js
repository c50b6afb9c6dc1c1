import { button, h, linkButton, safeText, spinner, switchRow } from '../../components/index.js';
import { viewfinder } from '../../components/camera.js';
import { fileButton } from '../../components/choose.js';
import { takesPictures } from '../../components/drop.js';
import { t } from '../../i18n/index.js';
import { Life } from '../../life.js';
import { Stage, numberToType, ownWords } from './stage.js';

const LARGEST = 8 << 20;
const SLOW = 12_000;

/** The phone reads the computer's code: by camera, or from a picture. */
export function scanWay({ client, life, link }) {
    const stage = new Stage();
    const element = h('div', { class: 'way' }, stage.element);
    /** What belongs to the standing that is shown; ends with it. */
    let own = new Life(life);
    let isScanning = true;
    const next = (scanning) => {
        own.end();
        own = new Life(life);
        isScanning = scanning;
        return own;
    };
    takesPictures(element, { take: (file) => readPicture(file), signal: life.signal, accepts: () => isScanning && !element.hidden });

    const idle = () => {
        next(true);
        stage.show({
            symbol: 'camera', title: t('pairing.scanTitle'), text: t('pairing.scanText'),
            content: h('p', { class: 'stage-detail drop-hint' }, t('pairing.dropHint')),
            actions: [
                button({ label: t('pairing.openCamera'), icon: 'camera', kind: 'primary', press: openCamera }),
                pictureButton(),
            ],
        });
    };
    const pictureButton = () =>
        fileButton({ label: t('pairing.choosePicture'), icon: 'image', accept: 'image/*', take: readPicture });
    const typeInstead = () => linkButton({ label: t('pairing.typeInstead'), href: link('/pair', 'code') });

    async function openCamera() {
        const mine = next(true);
        const finder = viewfinder({
            label: t('pairing.cameraView'), signal: mine.signal,
            read: (frame) => client.pairing.read(frame),
            found: (text) => { if (!mine.hasEnded) pair(text); },
            failed: (error) => { if (!mine.hasEnded) noCamera(error); },
        });
        const hint = h('p', { class: 'stage-text' }, t('pairing.hold'));
        const extras = h('div', { class: 'stage-light' });
        stage.show({
            title: t('pairing.scanTitle'), content: [finder, hint, extras],
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

    const noCamera = (error) => {
        next(true);
        if (!error.reason) { failed(error); return; }
        stage.show({
            kind: 'warn', symbol: 'camera', title: t(`pairing.camera.${error.reason}`), text: t(`pairing.camera.${error.reason}.do`),
            actions: [
                button({ label: t('common.retry'), kind: 'primary', press: openCamera }), pictureButton(), typeInstead(),
            ],
        });
    };

    async function readPicture(file) {
        const mine = next(false);
        if (file.size > LARGEST) { noCode('pictureTooLarge'); return; }
        stage.show({ symbol: spinner({ size: 32 }), title: t('pairing.reading') });
        try {
            const text = await client.pairing.read(file);
            if (mine.hasEnded) return;
            if (text) pair(text);
            else noCode('noCode');
        } catch (error) {
            if (!mine.hasEnded) failed(error);
        }
    }

    const noCode = (reason) => {
        next(true);
        stage.show({
            kind: 'warn', symbol: 'image', title: t(`pairing.${reason}`), text: t(`pairing.${reason}.do`),
            actions: [pictureButton(), button({ label: t('pairing.openCamera'), icon: 'camera', press: openCamera }), typeInstead()],
        });
    };

    async function pair(text, options = {}) {
        const mine = next(false);
        const name = nameIn(text);
        let [words, number] = [null, null];
        const draw = () => stage.show({
            symbol: spinner({ size: 32 }),
            title: name ? [t('pairing.telling'), ' ', safeText(name, { limit: 64 }), '…'] : t('pairing.tellingComputer'),
            text: t('pairing.sayYes'),
            content: [number && numberToType(number), ownWords(words)],
            actions: [button({ label: t('common.cancel'), press: idle })],
        });
        draw();
        const follow = client.pairing.scan(text, options, {
            signal: mine.signal,
            onItem: (item) => {
                if (item.event === 'key') words = item.key;
                if (item.event === 'compare') number = item.number;
                if (!mine.hasEnded) draw();
            },
        });
        try {
            const device = await follow.result;
            if (mine.hasEnded) return;
            next(false);
            stage.succeeded(device, { link, again: idle });
        } catch (error) {
            if (!mine.hasEnded) failed(error, { name, goOn: (more) => pair(text, more) });
        }
    }

    const failed = (error, more = {}) => {
        next(false);
        stage.failed(error, { ...more, again: idle, others: [typeInstead()] });
    };

    idle();
    return element;
}

/** The computer's name in its code, to show until it answers. Whether the code is right is the program's to say. */
function nameIn(text) {
    try {
        const name = JSON.parse(text)?.deviceInfo?.name;
        return typeof name === 'string' ? name.slice(0, 64) : null;
    } catch {
        return null;
    }
}
