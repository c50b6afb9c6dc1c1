import { button, emptyState, errorBanner, h, riskChip, toast } from '../../kit/index.js';
import { saveBlob } from '../../kit/bytes.js';
import { t } from '../../i18n/index.js';
import { followRight, mayUse } from '../../kit/allowed.js';
import { Store, doneBy } from '../../kit/store.js';
import { troubleOf } from '../../kit/trouble.js';
import { BlindControl, laterControl } from './later-control.js';
import { Live } from './live.js';
import { change, initial } from './tab-state.js';
import { Displays, ScreenBar, ScreenView, kindOf } from './view.js';

/** A view is no wider, as the computer allows. */
const WIDEST = 4096;

/** The screen of a computer: one picture, or what it shows as it changes. */
export function screenTab({ client, computer, device, life }) {
    const element = h('div', { class: 'screen' });
    const store = new Store({ initial, change, run: doneBy(() => effects) });
    const isLive = () => store.state.live === 'on';
    const setLive = (isOn) => store.send({ kind: 'switched', isOn });
    const begin = () => store.send({ kind: 'begun' });
    const trouble = h('div', { class: 'clip-trouble' });
    const view = new ScreenView({ life, zoomed: () => { live.hurry(); widen(); } });
    const displays = new Displays(() => { view.fit(); if (isLive()) live.again(); else take(); });
    /** The width for which the view was opened: one that is zoomed in asks for more. */
    let watched = 0;
    const wantedWidth = () => Math.min(WIDEST, view.wantedWidth(element.clientWidth));
    const widen = () => { if (wantedWidth() > watched) live.again(); };
    const bar = new ScreenBar({ take: () => take(), save: () => saveScreen(ask).catch(failed), toggleLive: () => setLive(!isLive()), toggleControl: () => control.toggle() });
    const control = laterControl({ client, computer, device, life, stage: view.stage, place: (point) => displays.placeAt(view.partsAt(point)), changed: (isOn) => { bar.showControl(isOn); if (isOn && view.picture) setLive(true); }, did: () => live.hurry() });
    const blind = new BlindControl({ client, computer, device, life });

    const ask = (options) => computer.screen({ display: displays.chosen, signal: life.signal, ...options });
    const askSeen = (quality) => ask({ format: 'jpeg', quality, maxWidth: view.wantedWidth(element.clientWidth) });
    const failed = (error) => { if (!life.hasEnded) store.send({ kind: 'failed', error, hasPicture: view.picture !== null }); };
    const tell = () => view.tell(isLive() ? live.average : 0, live.way);
    const watch = () => { watched = wantedWidth(); return computer.live({ display: displays.chosen, maxWidth: watched, signal: life.signal }); };
    const told = () => { tell(); trouble.replaceChildren(); widen(); };
    const live = new Live({ isWanted: () => isLive() && !life.hasEnded, watch, begin: (opened) => view.begin(opened), told, ask: () => askSeen(view.isZoomed ? 80 : 65), show, failed, life });
    const effects = {
        offer() {
            blind.end();
            element.replaceChildren(offer({ take: () => first(), watch: () => first(() => setLive(true)) }), mayUse(device, 'display') === false ? blind.element : '');
        },
        showLive({ isOn }) {
            bar.showLive(isOn);
            view.showLive(isOn);
            tell();
            if (isOn) live.start();
            else live.again();
        },
        refuse: ({ error }) => element.replaceChildren(troubleOf(error, { client, device, what: 'display', right: 'display', retry: begin }), blind.element),
        sayFailed: ({ error }) => trouble.replaceChildren(errorBanner(error, { retry: () => take(), dismissable: true })),
    };

    async function show(picture, isSame = false) {
        await view.show(picture, isSame);
        tell();
        trouble.replaceChildren();
    }

    /** @returns {Promise<boolean>} Whether a picture came. */
    async function take() {
        try {
            const picture = await askSeen(80);
            if (!element.contains(view.stage)) element.replaceChildren(bar.of(displays), trouble, view.stage, view.line, control.element);
            await show(picture);
            return true;
        } catch (error) {
            failed(error);
            return false;
        }
    }

    /** @param {() => void} [work] After the first picture. */
    async function first(work) {
        await displays.load(computer, life.signal);
        if (await take()) work?.();
    }

    followRight({ client, device, life }, 'display', { changed: () => store.send({ kind: 'allowed' }), lost: failed });
    life.add(computer.reachability((path) => { if (path) store.send({ kind: 'reached' }); }));
    life.add(() => store.send({ kind: 'left' }));
    life.listen(document, 'fullscreenchange', () => view.fit());
    begin();
    return { element };
}

/** What there is before the first picture. */
function offer({ take, watch }) {
    const element = emptyState({
        icon: 'screen', title: t('screen.title'), text: t('screen.text'),
        actions: [
            button({ label: t('screen.live'), icon: 'play', kind: 'primary', press: watch }),
            button({ label: t('screen.take'), icon: 'image', press: take }),
        ],
    });
    element.append(h('div', { class: 'screen-risk' }, riskChip('mutating')));
    return element;
}

/** @param {(options: {format: 'png'}) => Promise<{blob: Blob}>} ask */
async function saveScreen(ask) {
    const { blob } = await ask({ format: 'png' });
    const stamp = new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-');
    saveBlob(blob, `${t('screen.fileName')}-${stamp}.${kindOf(blob).toLowerCase()}`);
    toast(t('screen.saved'));
}
