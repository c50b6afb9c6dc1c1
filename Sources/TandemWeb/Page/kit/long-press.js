/** So long a finger rests before it means the menu, in milliseconds, and so far it may move meanwhile, in pixels. */
const REST = 480;
const STRAY = 10;

/**
 * Calls `open` for a right click, the menu key and a finger that rests. Text that is selected keeps the browser's own menu.
 *
 * @param {HTMLElement} element
 * @param {(point?: {x: number, y: number}) => void} open
 */
export function longPress(element, open) {
    let timer = null;
    let start = null;
    let openedAt = -Infinity;
    const stop = () => { clearTimeout(timer); timer = null; };
    const now = (point) => {
        stop();
        openedAt = performance.now();
        open(point);
    };
    element.addEventListener('contextmenu', (event) => {
        const selection = getSelection();
        if (!selection.isCollapsed && selection.containsNode(event.target instanceof Node ? event.target : element, true)) return;
        event.preventDefault();
        // A browser that shows its menu for a resting finger tells it here, too.
        if (performance.now() - openedAt < 1000) return;
        // The menu key has no place of its own.
        now(event.clientX > 0 || event.clientY > 0 ? { x: event.clientX, y: event.clientY } : undefined);
    });
    element.addEventListener('pointerdown', (event) => {
        if (event.pointerType !== 'touch' || !event.isPrimary) return;
        start = { x: event.clientX, y: event.clientY };
        timer = setTimeout(now, REST, start);
    });
    element.addEventListener('pointermove', (event) => {
        if (timer !== null && Math.hypot(event.clientX - start.x, event.clientY - start.y) > STRAY) stop();
    });
    for (const type of ['pointerup', 'pointercancel']) element.addEventListener(type, stop);
    // The press that ends it is none on what lies below.
    element.addEventListener('click', (event) => {
        if (performance.now() - openedAt > 700 || event.detail === 0) return;
        event.preventDefault();
        event.stopPropagation();
        openedAt = -Infinity;
    }, { capture: true });
}
