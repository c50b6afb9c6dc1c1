/** From here on a movement is a swipe, and from there on it does something, in pixels. */
const BEGIN = 14;
const FAR = 96;
/** How long after it a press belongs to it, in milliseconds. */
const AFTER = 60;

/**
 * Lets a finger push a row aside. What it does can be done otherwise, too: a swipe is found neither by keyboard nor by a screen reader.
 *
 * @param {HTMLElement} row What moves, by `--swipe`.
 * @param {{left: () => void, right: (() => void) | null}} acts
 */
export function swipes(row, { left, right }) {
    let start = null;
    let by = 0;
    let ended = -Infinity;
    // The press that ends a swipe is none on the row.
    row.addEventListener('click', (event) => {
        if (event.timeStamp - ended > AFTER) return;
        event.preventDefault();
        event.stopPropagation();
    }, { capture: true });
    const put = (next) => {
        by = next;
        row.style.setProperty('--swipe', `${by}px`);
        row.classList.toggle('is-left', by < 0);
        row.classList.toggle('is-right', by > 0);
        row.classList.toggle('is-far', Math.abs(by) >= FAR);
    };
    row.addEventListener('pointerdown', (event) => {
        if (event.pointerType !== 'touch' || !event.isPrimary) return;
        start = { x: event.clientX, y: event.clientY, id: event.pointerId, isSwipe: false };
    });
    row.addEventListener('pointermove', (event) => {
        if (start?.id !== event.pointerId) return;
        const [x, y] = [event.clientX - start.x, event.clientY - start.y];
        if (!start.isSwipe) {
            if (Math.abs(x) < BEGIN || Math.abs(x) < Math.abs(y) * 1.5) return;
            start.isSwipe = true;
            row.setPointerCapture(event.pointerId);
            row.classList.add('is-swiped');
        }
        put(right ? x : Math.min(0, x));
    });
    const end = (event) => {
        if (start?.id !== event.pointerId) return;
        const { isSwipe } = start;
        start = null;
        if (!isSwipe) return;
        const act = event.type === 'pointerup' && Math.abs(by) >= FAR ? (by < 0 ? left : right) : null;
        ended = event.timeStamp;
        setTimeout(() => row.classList.remove('is-swiped'), 0);
        put(0);
        act?.();
    };
    row.addEventListener('pointerup', end);
    row.addEventListener('pointercancel', end);
}
