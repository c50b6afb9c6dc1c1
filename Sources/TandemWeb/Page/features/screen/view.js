import { button, changeIcon, h, iconButton, plainText, relativeTime } from '../../kit/index.js';
import { selectField } from '../../kit/select.js';
import { panZoom } from '../../kit/pan-zoom.js';
import { format, t } from '../../i18n/index.js';

/** The picture of a screen in a frame that zooms and moves it. */
export class ScreenView {
    #canvas = h('canvas', { class: 'screen-picture', role: 'img', aria: { label: t('screen.picture') } });
    #frame = h('div', { class: 'screen-frame', tabIndex: 0, role: 'group', aria: { label: t('screen.frame') } }, this.#canvas);
    #zoomOut = iconButton({ label: t('screen.smaller'), icon: 'zoom-out', press: () => { this.#lens.zoom(1 / 1.4); } });
    #fit = h('button', { type: 'button', class: 'icon-button screen-scale number', title: t('screen.fit'), on: { click: () => this.fit() } });
    #zoomIn = iconButton({ label: t('screen.larger'), icon: 'zoom-in', press: () => { this.#lens.zoom(1.4); } });
    #lens;
    #life;
    /** What is said of the picture. */
    line = h('p', { class: 'screen-line small soft number', data: { peer: '' } });
    /** The last one; none at first. */
    picture = null;

    /** @param {{life: import('../../life.js').Life, zoomed: () => void}} options */
    constructor({ life, zoomed }) {
        this.#life = life;
        this.#lens = panZoom(this.#frame, this.#canvas, { signal: life.signal, changed: () => { this.#drawZoom(); zoomed(); } });
        const whole = iconButton({ label: t('screen.whole'), icon: 'maximize', press: () => { this.#toggleWhole(); } });
        this.stage = h('div', { class: 'screen-stage' }, this.#frame, h('div', { class: 'screen-tools' }, this.#zoomOut, this.#fit, this.#zoomIn, whole));
        this.#drawZoom();
    }

    get isZoomed() { return this.#lens.scale > 1; }

    /**
     * As many pixels as are seen: no more than the display has, and no more than the eye gets.
     *
     * @param {number} room What the frame will have: the first picture comes before it.
     */
    wantedWidth(room) {
        return Math.min(16_384, Math.max(640, Math.ceil(((this.#frame.clientWidth || room) * devicePixelRatio * this.#lens.scale) / 320) * 320));
    }

    /** @param {boolean} isSame As the one that is shown. */
    async show(picture, isSame) {
        if (!isSame) {
            const bitmap = await createImageBitmap(picture.blob);
            if (this.#life.hasEnded) return;
            this.#draw(bitmap);
        }
        this.picture = picture;
    }

    /** Begins a view: what draws the parts of its pictures, of which the first has all. */
    begin({ width, height }) {
        let isNew = true;
        return (parts) => {
            if (isNew) this.#shape(width, height);
            isNew = false;
            const context = this.#canvas.getContext('2d');
            for (const { area, bitmap } of parts) {
                context.drawImage(bitmap, area.x, area.y, area.width, area.height);
                bitmap.close();
            }
            this.picture = { width, height, blob: null, at: Date.now() };
        };
    }

    /**
     * Says what is shown; with how fast others come, where that is known.
     *
     * @param {number} average How long a picture takes, in milliseconds; 0 where none follows.
     * @param {'fast' | 'slow' | null} way How what changes comes, where it comes by itself.
     */
    tell(average, way) {
        if (!this.picture) return;
        const { width, height, blob, at } = this.picture;
        const facts = [`${width} × ${height}`, ...(blob ? [kindOf(blob), format.bytes(blob.size)] : [])];
        const rate = way ? t(`screen.way.${way}`) : average > 0 ? t('screen.rate', { rate: 1000 / Math.max(100, average) }) : null;
        this.line.replaceChildren(facts.join(' · '), ' · ', rate ?? relativeTime(at || Date.now()));
    }

    showLive(isOn) { this.#frame.classList.toggle('is-live', isOn); }

    fit() { this.#lens.fit(); }

    /** The parts of the picture's width and height at which a point of the window lies; null beside it. */
    partsAt({ x, y }) {
        const box = this.#canvas.getBoundingClientRect();
        const parts = { x: (x - box.left) / box.width, y: (y - box.top) / box.height };
        return parts.x >= 0 && parts.x < 1 && parts.y >= 0 && parts.y < 1 ? parts : null;
    }

    #draw(bitmap) {
        this.#shape(bitmap.width, bitmap.height);
        this.#canvas.getContext('2d').drawImage(bitmap, 0, 0);
        bitmap.close();
    }

    /** Makes room for a picture of this size. */
    #shape(width, height) {
        const canvas = this.#canvas;
        const isOtherShape = canvas.width * height !== canvas.height * width;
        canvas.width = width;
        canvas.height = height;
        this.#frame.style.setProperty('--shape', `${canvas.width} / ${canvas.height}`);
        if (isOtherShape) this.#lens.settle();
    }

    #drawZoom() {
        const { scale } = this.#lens;
        this.#zoomOut.disabled = scale <= 1;
        this.#zoomIn.disabled = scale >= 8;
        this.#fit.textContent = format.percent(scale);
        this.#fit.setAttribute('aria-label', `${t('screen.fit')}, ${format.percent(scale)}`);
    }

    #toggleWhole() {
        if (document.fullscreenElement) document.exitFullscreen();
        else this.stage.requestFullscreen?.().catch(() => {});
    }
}

/** What can be done with the picture, above it. */
export class ScreenBar {
    #save;
    #again;
    #live;
    #control;

    /** @param {{take: () => any, save: () => any, toggleLive: () => void, toggleControl: () => any}} options */
    constructor({ take, save, toggleLive, toggleControl }) {
        this.#control = button({ label: t('screen.control'), icon: 'pointer', press: toggleControl });
        this.showControl(false);
        this.#save = button({ label: t('screen.save'), icon: 'download', press: save });
        this.#again = button({ label: t('screen.again'), icon: 'refresh', press: take });
        this.#live = button({ label: t('screen.live'), icon: 'play', kind: 'primary', press: toggleLive });
    }

    /** @param {Displays} displays */
    of(displays) {
        return h('div', { class: 'screen-bar' }, displays.hasSeveral && h('div', { class: 'screen-display' }, displays.choice),
            h('div', { class: 'screen-actions' }, this.#again, this.#save, this.#control, this.#live));
    }

    showLive(isOn) {
        this.#live.querySelector('.button-label').textContent = t(isOn ? 'screen.stop' : 'screen.live');
        changeIcon(this.#live, isOn ? 'pause' : 'play');
        this.#live.classList.toggle('primary', !isOn);
        this.#again.hidden = isOn;
    }

    showControl(isOn) {
        this.#control.setAttribute('aria-pressed', String(isOn));
        this.#control.classList.toggle('primary', isOn);
    }
}

/** What there is to look at. */
export class Displays {
    chosen = 0;
    hasSeveral = false;
    /** What the computer said of each, by its id. */
    #all = new Map();

    /** @param {() => void} changed Another one was chosen. */
    constructor(changed) {
        this.choice = selectField({ label: t('screen.display'), options: [], value: '0', change: (id) => { this.chosen = Number(id); changed(); } });
    }

    /** Asks for them. A computer that does not tell has one. */
    async load(computer, signal) {
        let displays = [];
        try {
            ({ displays } = await computer.call('display.list', {}, { signal }));
        } catch {
            // Its one display needs no name.
        }
        this.#all = new Map(displays.map((each) => [each.id, each]));
        this.hasSeveral = displays.length > 1;
        this.choice.offer(displays.map((each) => ({
            id: String(each.id), isPeers: true,
            label: t('screen.displayName', { number: each.id + 1, name: plainText(each.name ?? '', 60), size: `${each.width} × ${each.height}` }),
        })), String(this.chosen));
    }

    /** The event that puts the pointer at parts of the width and height of the one that is chosen; null where its size is not known. */
    placeAt(parts) {
        const { width, height } = this.#all.get(this.chosen) ?? {};
        if (!parts || !(width > 0) || !(height > 0)) return null;
        return { type: 'position', x: Math.floor(parts.x * width), y: Math.floor(parts.y * height), display: this.chosen };
    }
}

/** What a picture is, as `JPEG`. */
export function kindOf(blob) { return (blob.type.split('/')[1] ?? '').toUpperCase(); }
