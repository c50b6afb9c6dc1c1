import { t } from '../i18n/index.js';
import { Life } from '../life.js';
import { h, icon, iconButton, spinner } from './index.js';
import { panZoom } from './pan-zoom.js';

/** So far a finger moves aside before the next picture comes, and down before it closes, in pixels. */
const ASIDE = 60;
const DOWN = 110;

/**
 * Shows pictures, one at a time, over the whole window: zoomed by pinch, wheel, double tap and keyboard, turned by swipe and arrows. Its texts are the
 * area `pictures`, its style is `styles/screens/show.css`.
 *
 * @param {Object} options
 * @param {{address: string, name?: string, before?: () => Node | null}[]} options.pictures `name` is what it is saved as, and `before` makes what
 *   is shown until it is there.
 * @param {number} options.at Which of them is shown first.
 */
export function openPictures({ pictures, at }) {
    const life = new Life();
    let own = null;
    let view = null;
    const frame = h('div', { class: 'show-frame', tabIndex: 0, role: 'group', aria: { label: t('pictures.zoomHint') } });
    const count = h('span', { class: 'show-count number' });
    const save = h('a', { class: 'icon-button', download: '', title: t('pictures.save'), aria: { label: t('pictures.save') } }, icon('download'));
    const turned = (by) => { if (pictures[at + by]) show(at + by); };
    const before = iconButton({ label: t('pictures.before'), icon: 'chevron-left', press: () => turned(-1) });
    const after = iconButton({ label: t('pictures.after'), icon: 'chevron-right', press: () => turned(1) });
    const element = h('dialog', { class: 'show', aria: { label: t('pictures.title') } },
        h('div', { class: 'show-bar' }, count, iconButton({ label: t('pictures.zoomOut'), icon: 'zoom-out', press: () => view?.zoom(1 / 1.6) }), iconButton({ label: t('pictures.zoomIn'), icon: 'zoom-in', press: () => view?.zoom(1.6) }), save,
            iconButton({ label: t('common.close'), icon: 'x', press: () => element.close() })),
        frame, h('div', { class: 'show-turn' }, before, after));

    function show(next) {
        at = next;
        own?.end();
        own = new Life(life);
        const { address, name, before: instead } = pictures[at];
        const waiting = h('div', { class: 'show-waiting' }, instead?.(), spinner({ size: 28, label: t('common.loading') }));
        const image = h('img', { class: 'show-image', src: address, alt: t('pictures.of', { number: at + 1, count: pictures.length }), draggable: false });
        image.addEventListener('load', () => waiting.remove());
        image.addEventListener('error', () => waiting.replaceChildren(h('p', null, t('pictures.failed'))));
        frame.replaceChildren(image, waiting);
        view = panZoom(frame, image, { signal: own.signal });
        save.setAttribute('href', address);
        save.setAttribute('download', name ?? '');
        count.textContent = pictures.length > 1 ? `${at + 1} / ${pictures.length}` : '';
        before.disabled = at === 0;
        after.disabled = at === pictures.length - 1;
        element.classList.toggle('is-one', pictures.length === 1);
    }

    element.addEventListener('close', () => { life.end(); element.remove(); });
    life.listen(window, 'hashchange', () => element.close());
    turning(frame, life, { isWhole: () => view?.scale === 1, turned, close: () => element.close() });
    document.body.append(element);
    element.showModal();
    show(at);
    frame.focus({ preventScroll: true });
}

/** The arrow keys and a swipe go to the picture before and the next, and a swipe down closes, while the picture fits. */
function turning(frame, life, { isWhole, turned, close }) {
    life.listen(frame, 'keydown', (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by || !isWhole() || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        turned(by);
    });
    let from = null;
    life.listen(frame, 'pointerdown', (event) => { from = event.isPrimary && isWhole() ? { x: event.clientX, y: event.clientY } : null; });
    life.listen(frame, 'pointerup', (event) => {
        if (!from || !event.isPrimary || !isWhole()) return;
        const [x, y] = [event.clientX - from.x, event.clientY - from.y];
        from = null;
        if (Math.abs(x) > ASIDE && Math.abs(x) > 2 * Math.abs(y)) turned(x < 0 ? 1 : -1);
        else if (y > DOWN && y > 2 * Math.abs(x)) close();
    });
}
