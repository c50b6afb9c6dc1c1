const MOST = 8;
const TAP = 300;

/**
 * Lets a person zoom and move what lies in a frame: pinch, drag, wheel, double tap, and by keyboard + − 0 and the arrows.
 *
 * @param {HTMLElement} frame Takes the pointer and the keyboard; what overhangs is cut off.
 * @param {HTMLElement} content Fits into the frame at scale 1, centred.
 * @param {{changed?: (scale: number) => void, signal: AbortSignal}} options
 * @returns {{scale: number, zoom(factor: number): void, fit(): void, settle(): void}} `settle` after the sizes changed.
 */
export function panZoom(frame, content, { changed = () => {}, signal }) {
    let [scale, x, y] = [1, 0, 0];
    const pointers = new Map();
    let lastTap = 0;
    let moved = false;

    const settle = () => {
        // Nothing is drawn beyond its edge: what is smaller than the frame stays in its middle.
        const spare = (size, room) => Math.max(0, (size * scale - room) / 2);
        const [width, height] = [spare(content.offsetWidth, frame.clientWidth), spare(content.offsetHeight, frame.clientHeight)];
        x = Math.min(width, Math.max(-width, x));
        y = Math.min(height, Math.max(-height, y));
        content.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
        frame.classList.toggle('is-zoomed', scale > 1);
    };
    /** Zooms so that what is at a point of the frame stays there. */
    const zoomAt = (next, point) => {
        const wanted = Math.min(MOST, Math.max(1, next));
        const box = frame.getBoundingClientRect();
        const [dx, dy] = [point.x - box.left - box.width / 2, point.y - box.top - box.height / 2];
        x = dx - ((dx - x) * wanted) / scale;
        y = dy - ((dy - y) * wanted) / scale;
        const isNew = wanted !== scale;
        scale = wanted;
        settle();
        if (isNew) changed(scale);
    };
    const middle = () => {
        const box = frame.getBoundingClientRect();
        return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    };
    const handle = {
        get scale() { return scale; },
        zoom: (factor) => zoomAt(scale * factor, middle()),
        fit: () => zoomAt(1, middle()),
        settle,
    };

    const listen = (type, listener, options = {}) => frame.addEventListener(type, listener, { ...options, signal });
    listen('pointerdown', (event) => {
        if (event.button !== 0) return;
        frame.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        moved = pointers.size > 1;
    });
    listen('pointermove', (event) => {
        const former = pointers.get(event.pointerId);
        if (!former) return;
        const now = { x: event.clientX, y: event.clientY };
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        pointers.set(event.pointerId, now);
        if (other) {
            const apart = (point) => Math.hypot(point.x - other.x, point.y - other.y);
            zoomAt(scale * (apart(now) / Math.max(1, apart(former))), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
        }
        if (Math.hypot(now.x - former.x, now.y - former.y) > 2) moved = true;
        const share = other ? 2 : 1;
        x += (now.x - former.x) / share;
        y += (now.y - former.y) / share;
        settle();
    });
    const lift = (event) => {
        if (!pointers.delete(event.pointerId) || moved || event.type !== 'pointerup') return;
        const isDouble = event.timeStamp - lastTap < TAP;
        lastTap = isDouble ? 0 : event.timeStamp;
        if (isDouble) zoomAt(scale > 1 ? 1 : 2.5, { x: event.clientX, y: event.clientY });
    };
    listen('pointerup', lift);
    listen('pointercancel', lift);
    listen('wheel', (event) => {
        // Over a picture that fits, a plain wheel scrolls the page.
        if (!event.ctrlKey && scale === 1) return;
        event.preventDefault();
        zoomAt(scale * Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), { x: event.clientX, y: event.clientY });
    }, { passive: false });
    listen('keydown', (event) => {
        if (event.target !== frame || event.ctrlKey || event.metaKey || event.altKey) return;
        const step = 60;
        const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
        if (event.key === '+' || event.key === '=') handle.zoom(1.4);
        else if (event.key === '-') handle.zoom(1 / 1.4);
        else if (event.key === '0') handle.fit();
        else if (moves[event.key] && scale > 1) {
            x += moves[event.key][0];
            y += moves[event.key][1];
            settle();
        } else return;
        event.preventDefault();
    });
    const observer = new ResizeObserver(settle);
    observer.observe(frame);
    signal.addEventListener('abort', () => observer.disconnect());
    return handle;
}
