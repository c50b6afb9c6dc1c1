import { button, changeIcon, emptyState, errorBanner, h, iconButton, plainText, relativeTime, riskChip, toast } from '../../kit/index.js';
import { selectField } from '../../kit/select.js';
import { saveBlob } from '../../kit/bytes.js';
import { panZoom } from '../../kit/pan-zoom.js';
import { format, t } from '../../i18n/index.js';
import { followRight } from '../../kit/allowed.js';
import { troubleOf } from '../../kit/trouble.js';
import { Pace, digest } from './pace.js';

/** The screen of a computer: one picture, or one after the other as fast as it pays. */
export function screenTab({ client, computer, device, life }) {
    const element = h('div', { class: 'screen' });
    let displays = [];
    let display = 0;
    let shown = null;
    let isLive = false;
    let running = null;
    let isRefused = false;
    /** It was live when the computer went: it goes on by itself. */
    let resumes = false;

    const trouble = h('div', { class: 'clip-trouble' });
    const canvas = h('canvas', { class: 'screen-picture', role: 'img', aria: { label: t('screen.picture') } });
    const frame = h('div', { class: 'screen-frame', tabIndex: 0, role: 'group', aria: { label: t('screen.frame') } }, canvas);
    const view = panZoom(frame, canvas, { signal: life.signal, changed: () => { drawZoom(); pace.hurry(); } });
    const line = h('p', { class: 'screen-line small soft number', data: { peer: '' } });
    const liveButton = button({ label: t('screen.live'), icon: 'play', kind: 'primary', press: () => { setLive(!isLive); } });
    const againButton = button({ label: t('screen.again'), icon: 'refresh', press: () => take() });
    const zoomOut = iconButton({ label: t('screen.smaller'), icon: 'zoom-out', press: () => { view.zoom(1 / 1.4); } });
    const fit = h('button', { type: 'button', class: 'icon-button screen-scale number', title: t('screen.fit'), on: { click: () => view.fit() } });
    const zoomIn = iconButton({ label: t('screen.larger'), icon: 'zoom-in', press: () => { view.zoom(1.4); } });
    const whole = iconButton({ label: t('screen.whole'), icon: 'maximize', press: () => { toggleWhole(); } });
    const choice = selectField({
        label: t('screen.display'), options: [], value: '0', change: (id) => { display = Number(id); view.fit(); take(); },
    });
    const stage = h('div', { class: 'screen-stage' }, frame,
        h('div', { class: 'screen-tools' }, zoomOut, fit, zoomIn, whole));
    const pace = new Pace();

    const drawZoom = () => {
        zoomOut.disabled = view.scale <= 1;
        zoomIn.disabled = view.scale >= 8;
        fit.textContent = format.percent(view.scale);
        fit.setAttribute('aria-label', `${t('screen.fit')}, ${format.percent(view.scale)}`);
    };
    const drawLine = () => {
        if (!shown) return;
        const facts = [`${shown.width} × ${shown.height}`, kindOf(shown.blob), format.bytes(shown.blob.size)];
        const rate = isLive && pace.average > 0 ? t('screen.rate', { rate: 1000 / Math.max(100, pace.average) }) : null;
        line.replaceChildren(facts.join(' · '), ' · ', rate ?? relativeTime(shown.at || Date.now()));
    };

    /** As many pixels as are seen: no more than the display has, and no more than the eye gets. The first picture comes before its frame. */
    const wantedWidth = () => Math.min(16_384, Math.max(640, Math.ceil(((frame.clientWidth || element.clientWidth) * devicePixelRatio * view.scale) / 320) * 320));

    const ask = (options) => computer.screen({ display, signal: life.signal, ...options });

    async function draw(picture) {
        const bitmap = await createImageBitmap(picture.blob);
        if (life.hasEnded) return;
        const isOtherShape = canvas.width * bitmap.height !== canvas.height * bitmap.width;
        canvas.width = bitmap.width;
        canvas.height = bitmap.height;
        canvas.getContext('2d').drawImage(bitmap, 0, 0);
        bitmap.close();
        frame.style.setProperty('--shape', `${canvas.width} / ${canvas.height}`);
        if (isOtherShape) view.settle();
        shown = picture;
        drawLine();
    }

    /** @returns {Promise<boolean>} Whether a picture came. */
    async function take() {
        try {
            const picture = await ask({ format: 'jpeg', quality: 80, maxWidth: wantedWidth() });
            if (!element.contains(stage)) layOut();
            await draw(picture);
            trouble.replaceChildren();
            return true;
        } catch (error) {
            failed(error);
            return false;
        }
    }

    const failed = (error) => {
        if (life.hasEnded || error.code === 'cancelled') return;
        resumes = isLive && error.code === 'away';
        setLive(false);
        if (error.code === 'not-allowed' || !shown) {
            isRefused = true;
            element.replaceChildren(troubleOf(error, { client, device, what: 'display', right: 'display', retry: begin }));
            return;
        }
        trouble.replaceChildren(errorBanner(error, { retry: () => take(), dismissable: true }));
    };

    const setLive = (on) => {
        if (isLive === on) return;
        isLive = on;
        if (on) resumes = false;
        liveButton.querySelector('.button-label').textContent = t(on ? 'screen.stop' : 'screen.live');
        changeIcon(liveButton, on ? 'pause' : 'play');
        liveButton.classList.toggle('primary', !on);
        againButton.hidden = on;
        frame.classList.toggle('is-live', on);
        drawLine();
        if (on) running ??= run().finally(() => { running = null; });
    };

    async function run() {
        let former = null;
        while (isLive && !life.hasEnded) {
            if (document.hidden) await untilVisible(life);
            const start = performance.now();
            let picture;
            try {
                picture = await ask({ format: 'jpeg', quality: view.scale > 1 ? 80 : 65, maxWidth: wantedWidth() });
            } catch (error) {
                // The computer is taking as many pictures as it may: a little later there is room.
                if (error.code === 'refused' && error.detail.retryAfter) { await pause(1000 * error.detail.retryAfter); continue; }
                failed(error);
                return;
            }
            const took = performance.now() - start;
            const print = await digest(picture.blob);
            const isSame = print === former;
            former = print;
            const rest = pace.next(isSame, took);
            if (!isLive || life.hasEnded) return;
            if (isSame) { shown = picture; drawLine(); } else await draw(picture);
            trouble.replaceChildren();
            await pause(rest);
        }
    }

    async function save() {
        try {
            const { blob } = await ask({ format: 'png' });
            const stamp = new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-');
            saveBlob(blob, `${t('screen.fileName')}-${stamp}.${kindOf(blob).toLowerCase()}`);
            toast(t('screen.saved'));
        } catch (error) {
            failed(error);
        }
    }

    const toggleWhole = () => {
        if (document.fullscreenElement) document.exitFullscreen();
        else stage.requestFullscreen?.().catch(() => {});
    };

    const layOut = () => {
        drawZoom();
        element.replaceChildren(
            h('div', { class: 'screen-bar' },
                displays.length > 1 && h('div', { class: 'screen-display' }, choice),
                h('div', { class: 'screen-actions' },
                    againButton, button({ label: t('screen.save'), icon: 'download', press: save }), liveButton)),
            trouble, stage, line);
    };

    /** What there is to look at. A computer that does not tell has one display. */
    async function listDisplays() {
        try {
            ({ displays } = await computer.call('display.list', {}, { signal: life.signal }));
        } catch {
            displays = [];
        }
        choice.offer(displays.map((each) => ({
            id: String(each.id), isPeers: true,
            label: t('screen.displayName', { number: each.id + 1, name: plainText(each.name ?? '', 60), size: `${each.width} × ${each.height}` }),
        })), String(display));
    }

    const begin = () => {
        isRefused = false;
        const first = (work) => async () => {
            await listDisplays();
            if (await take()) work?.();
        };
        element.replaceChildren(emptyState({
            icon: 'screen', title: t('screen.title'), text: t('screen.text'),
            actions: [
                button({ label: t('screen.live'), icon: 'play', kind: 'primary', press: first(() => setLive(true)) }),
                button({ label: t('screen.take'), icon: 'image', press: first() }),
            ],
        }));
        element.firstElementChild.append(h('div', { class: 'screen-risk' }, riskChip('mutating')));
    };

    followRight({ client, device, life }, 'display', { changed: () => { if (isRefused) begin(); }, lost: failed });
    life.add(computer.reachability((path) => {
        if (path && isRefused) begin();
        else if (path && resumes) setLive(true);
    }));
    life.add(() => { isLive = false; });
    life.listen(document, 'fullscreenchange', () => view.fit());
    begin();
    return { element };
}

function kindOf(blob) {
    return (blob.type.split('/')[1] ?? '').toUpperCase();
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function untilVisible(life) {
    return new Promise((resolve) => {
        life.listen(document, 'visibilitychange', () => { if (!document.hidden) resolve(); });
        life.add(resolve);
    });
}
