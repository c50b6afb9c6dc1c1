import { button, errorText, h, linkButton, safeText, spinner, switchRow } from '../../components/index.js';
import { viewfinder } from '../../components/camera.js';
import { fileButton } from '../../components/choose.js';
import { takesPictures } from '../../components/drop.js';
import { hasText, t } from '../../i18n/index.js';
import { Life } from '../../life.js';
import { Stage } from '../pairing/stage.js';
import { showPaired } from './code.js';
import { comparedWords } from './phone-words.js';
import { loadRights, rightSwitch } from './rights.js';

const LARGEST = 8 << 20;
const SLOW = 12_000;
const REMEDIES = { keyChanged: { acceptNewIdentity: true }, notEndToEnd: { allowUnsealed: true } };

/** The computer reads a phone's code, by camera or from a picture, and its person says what that phone may do. */
export function scanPhone({ client, life, link }) {
    const stage = new Stage();
    const element = h('div', { class: 'way card code-card' }, stage.element);
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
    const showInstead = () => linkButton({ label: t('hosting.takePart'), icon: 'qr', kind: 'quiet', href: link('/pair', 'show') });
    const cameraButton = () => button({ label: t('pairing.openCamera'), icon: 'camera', kind: 'primary', press: openCamera });

    function idle() {
        next(true);
        stage.show({
            symbol: 'camera', title: t('hosting.scanTitle'), text: t('hosting.scanText'),
            content: h('p', { class: 'stage-detail drop-hint' }, t('hosting.dropHint')), actions: [cameraButton(), pictureButton()],
        });
    }

    async function openCamera() {
        const mine = next(true);
        const finder = viewfinder({
            label: t('pairing.cameraView'), signal: mine.signal, read: (frame) => client.pairing.read(frame),
            found: (text) => { if (!mine.hasEnded) choose(text); },
            failed: (error) => { if (!mine.hasEnded) noCamera(error); },
        });
        const hint = h('p', { class: 'stage-text' }, t('pairing.hold'));
        const extras = h('div', { class: 'stage-light' });
        stage.show({
            title: t('hosting.scanTitle'), content: [finder, hint, extras],
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
            kind: 'warn', symbol: 'camera', title: t(key), text: t(error.reason === 'none' ? 'pairing.camera.failed.do' : `${key}.do`),
            actions: [button({ label: t('common.retry'), kind: 'primary', press: openCamera }), pictureButton(), showInstead()],
        });
    }

    async function readPicture(file) {
        const mine = next(false);
        if (file.size > LARGEST) { noCode('pictureTooLarge'); return; }
        stage.show({ symbol: spinner({ size: 32 }), title: t('pairing.reading') });
        try {
            const text = await client.pairing.read(file);
            if (mine.hasEnded) return;
            if (text) choose(text);
            else noCode('noCode');
        } catch (error) {
            if (!mine.hasEnded) failed(error);
        }
    }

    function noCode(reason) {
        next(true);
        stage.show({
            kind: 'warn', symbol: 'image', title: t(`pairing.${reason}`), text: t(`pairing.${reason}.do`),
            actions: [pictureButton(), cameraButton()],
        });
    }

    /** What it may do is said together with the yes, as for a phone that asks. */
    async function choose(text) {
        const mine = next(false);
        const name = nameIn(text);
        const rights = (await loadRights(client).catch(() => [])).filter(({ initial }) => !initial);
        if (mine.hasEnded) return;
        const chosen = new Set();
        stage.show({
            kind: 'good', symbol: 'phone', title: name ? safeText(name) : t('hosting.found'), text: t('hosting.foundText'),
            content: h('div', { class: 'card rows stage-facts' }, rights.map((right) => rightSwitch(right, {
                on: false, change: (on) => { if (on) chosen.add(right.name); else chosen.delete(right.name); },
            }))),
            actions: [
                button({ label: t('common.cancel'), press: idle }),
                button({ label: t('hosting.pair'), kind: 'primary', press: () => { pair(text, { allow: chosen.size > 0 ? [...chosen] : undefined }); } }),
            ],
        });
    }

    async function pair(text, options) {
        const mine = next(false);
        const draw = (words) => stage.show({
            symbol: spinner({ size: 32 }), title: t('hosting.asking'), text: t('hosting.askingText'),
            content: words && comparedWords(t('hosting.mustShow'), words), actions: [button({ label: t('common.cancel'), press: idle })],
        });
        draw(null);
        const follow = client.pairing.scan(text, options, {
            signal: mine.signal, onItem: (item) => { if (!mine.hasEnded && item.key) draw(item.key); },
        });
        try {
            const phone = await follow.result;
            if (mine.hasEnded) return;
            next(false);
            showPaired(stage, phone, { link, again: idle });
        } catch (error) {
            if (!mine.hasEnded) failed(error, (more) => pair(text, { ...options, ...more }));
        }
    }

    function failed(error, goOn) {
        next(false);
        const reason = error.detail?.reason;
        const key = `hosting.fails.${reason}`;
        const isKnown = hasText(key);
        const remedy = goOn && REMEDIES[reason];
        stage.show({
            kind: 'bad', symbol: 'warning', title: isKnown ? t(key) : t('hosting.scanFailed'), text: isKnown ? t(`${key}.do`) : errorText(error),
            content: !isKnown && error.message && safeText(error.message, { tag: 'p', class: 'stage-detail' }),
            actions: [
                button({ label: t('common.retry'), kind: 'primary', press: idle }), showInstead(),
                remedy && button({ label: t(`${key}.anyway`), press: () => { goOn(remedy); } }),
            ].filter(Boolean),
        });
    }

    idle();
    return element;
}

/** The phone's name in its code, to show until it answers. Whether the code is right is the program's to say. */
function nameIn(text) {
    try {
        const name = JSON.parse(text)?.deviceInfo?.name;
        return typeof name === 'string' && name ? name.slice(0, 64) : null;
    } catch {
        return null;
    }
}
