const MOST = 8;
const TAP = 300;
/** So far an arrow moves, in pixels. */
const STEP = 60;
const MOVES = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };

/**
 * Lets a person zoom and move what lies in a frame: pinch, drag, wheel, double tap, and by keyboard + − 0 and the arrows.
 *
 * @param {HTMLElement} frame Takes the pointer and the keyboard; what overhangs is cut off.
 * @param {HTMLElement} content Fits into the frame at scale 1, centred.
 * @param {{changed?: (scale: number) => void, signal: AbortSignal}} options
 * @returns {PanZoom}
 */
export function panZoom(frame, content, { changed = () => {}, signal }) {
    const view = new PanZoom(frame, content, changed);
    followPointers(view, frame, signal);
    followWheel(view, frame, signal);
    followKeys(view, frame, signal);
    const observer = new ResizeObserver(() => view.settle());
    observer.observe(frame);
    signal.addEventListener('abort', () => observer.disconnect());
    return view;
}

/** How large something lies in its frame, and how far from the middle. */
export class PanZoom {
    #scale = 1;
    #x = 0;
    #y = 0;
    #frame;
    #content;
    #changed;

    constructor(frame, content, changed) {
        this.#frame = frame;
        this.#content = content;
        this.#changed = changed;
    }

    get scale() { return this.#scale; }

    zoom(factor) { this.zoomAt(this.#scale * factor, this.#middle); }

    fit() { this.zoomAt(1, this.#middle); }

    /** Zooms so that what is at a point of the frame stays there. */
    zoomAt(next, point) {
        const wanted = Math.min(MOST, Math.max(1, next));
        const middle = this.#middle;
        const [dx, dy] = [point.x - middle.x, point.y - middle.y];
        this.#x = dx - ((dx - this.#x) * wanted) / this.#scale;
        this.#y = dy - ((dy - this.#y) * wanted) / this.#scale;
        const isNew = wanted !== this.#scale;
        this.#scale = wanted;
        this.settle();
        if (isNew) this.#changed(wanted);
    }

    moveBy(dx, dy) {
        this.#x += dx;
        this.#y += dy;
        this.settle();
    }

    /** Puts it where it may lie, also after the sizes changed. */
    settle() {
        // Nothing is drawn beyond its edge: what is smaller than the frame stays in its middle.
        const within = (at, size, room) => {
            const spare = Math.max(0, (size * this.#scale - room) / 2);
            return Math.min(spare, Math.max(-spare, at));
        };
        this.#x = within(this.#x, this.#content.offsetWidth, this.#frame.clientWidth);
        this.#y = within(this.#y, this.#content.offsetHeight, this.#frame.clientHeight);
        this.#content.style.transform = `translate(${this.#x}px, ${this.#y}px) scale(${this.#scale})`;
        this.#frame.classList.toggle('is-zoomed', this.#scale > 1);
    }

    get #middle() {
        const box = this.#frame.getBoundingClientRect();
        return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    }
}

/** One pointer drags, two pinch, and two taps zoom in or out again. */
function followPointers(view, frame, signal) {
    const pointers = new Map();
    let lastTap = 0;
    let moved = false;
    frame.addEventListener('pointerdown', (event) => {
        if (event.button !== 0) return;
        frame.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        moved = pointers.size > 1;
    }, { signal });
    frame.addEventListener('pointermove', (event) => {
        const former = pointers.get(event.pointerId);
        if (!former) return;
        const now = { x: event.clientX, y: event.clientY };
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        pointers.set(event.pointerId, now);
        if (other) {
            const apart = (point) => Math.hypot(point.x - other.x, point.y - other.y);
            view.zoomAt(view.scale * (apart(now) / Math.max(1, apart(former))), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
        }
        if (Math.hypot(now.x - former.x, now.y - former.y) > 2) moved = true;
        const share = other ? 2 : 1;
        view.moveBy((now.x - former.x) / share, (now.y - former.y) / share);
    }, { signal });
    const lift = (event) => {
        if (!pointers.delete(event.pointerId) || moved || event.type !== 'pointerup') return;
        const isDouble = event.timeStamp - lastTap < TAP;
        lastTap = isDouble ? 0 : event.timeStamp;
        if (isDouble) view.zoomAt(view.scale > 1 ? 1 : 2.5, { x: event.clientX, y: event.clientY });
    };
    frame.addEventListener('pointerup', lift, { signal });
    frame.addEventListener('pointercancel', lift, { signal });
}

function followWheel(view, frame, signal) {
    frame.addEventListener('wheel', (event) => {
        // Over a picture that fits, a plain wheel scrolls the page.
        if (!event.ctrlKey && view.scale === 1) return;
        event.preventDefault();
        view.zoomAt(view.scale * Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), { x: event.clientX, y: event.clientY });
    }, { passive: false, signal });
}

function followKeys(view, frame, signal) {
    frame.addEventListener('keydown', (event) => {
        if (event.target !== frame || event.ctrlKey || event.metaKey || event.altKey) return;
        const move = view.scale > 1 && MOVES[event.key];
        if (event.key === '+' || event.key === '=') view.zoom(1.4);
        else if (event.key === '-') view.zoom(1 / 1.4);
        else if (event.key === '0') view.fit();
        else if (move) view.moveBy(move[0], move[1]);
        else return;
        event.preventDefault();
    }, { signal });
}
