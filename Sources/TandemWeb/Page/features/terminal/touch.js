import { TouchSelection } from './selection.js';

const SLOP = 10;
const LONG_PRESS = 450;
/** How fast a fling slows down, for each millisecond. */
const FRICTION = 0.9975;
const SLOWEST = 0.02;

/**
 * Fingers on a terminal, which xterm.js leaves out: scrolling that goes on after a fling, and selecting by a long press. Scrolling is told
 * to xterm.js as a wheel, so that history scrolls, a pager gets arrows, and a program that asked for the mouse gets the mouse.
 *
 * @param {import('./view.js').TerminalView} view
 * @param {Object} xterm
 * @param {import('../../life.js').Life} life
 */
export function touchScreen(view, xterm, life) {
    const selection = new TouchSelection(view, xterm, life);
    const screen = view.element.querySelector('.xterm-screen');
    let touch = null;
    let fling = null;

    const wheel = (deltaY, at) => screen.dispatchEvent(new WheelEvent('wheel', {
        deltaY, deltaMode: 0, clientX: at.x, clientY: at.y, bubbles: true, cancelable: true,
    }));
    const stopFling = () => { cancelAnimationFrame(fling); fling = null; };
    const startFling = (speed, at) => {
        let before = performance.now();
        const step = (now) => {
            const passed = Math.min(40, now - before);
            before = now;
            wheel(-speed * passed, at);
            speed *= FRICTION ** passed;
            fling = Math.abs(speed) > SLOWEST ? requestAnimationFrame(step) : null;
        };
        fling = requestAnimationFrame(step);
    };
    life.add(stopFling);

    life.listen(view.element, 'touchstart', (event) => {
        if (event.target.closest('.terminal-selection')) return;
        // Kept from xterm.js, which scrolls without momentum.
        event.stopPropagation();
        const wasFlinging = fling !== null;
        stopFling();
        if (event.touches.length !== 1) { end(); return; }
        const { clientX: x, clientY: y } = event.touches[0];
        touch = { x, y, start: { x, y }, mode: 'waiting', moves: [], wasFlinging, follow: new AbortController(), timer: setTimeout(() => {
            if (touch?.mode !== 'waiting') return;
            touch.mode = 'selecting';
            navigator.vibrate?.(10);
            selection.start(touch.start);
        }, LONG_PRESS) };
        // A touch goes on at the element where it began, even when xterm.js has drawn another one in its place.
        const on = (type, listener) => event.target.addEventListener(type, listener, { signal: touch.follow.signal, passive: false });
        on('touchmove', move);
        on('touchend', end);
        on('touchcancel', end);
    }, { capture: true, passive: true });

    const move = (event) => {
        event.stopPropagation();
        if (!touch || event.touches.length !== 1) return;
        const { clientX: x, clientY: y } = event.touches[0];
        if (touch.mode === 'waiting' && Math.hypot(x - touch.start.x, y - touch.start.y) > SLOP) touch.mode = 'scrolling';
        if (touch.mode !== 'waiting') event.preventDefault();
        if (touch.mode === 'selecting') selection.extend({ x, y });
        if (touch.mode === 'scrolling') {
            wheel(touch.y - y, { x, y });
            touch.moves = [...touch.moves.slice(-4), { y, at: performance.now() }];
        }
        Object.assign(touch, { x, y });
    };

    const end = (event) => {
        if (!touch) return;
        event?.stopPropagation();
        clearTimeout(touch.timer);
        touch.follow.abort();
        const { mode, moves, wasFlinging } = touch;
        const at = { x: touch.x, y: touch.y };
        touch = null;
        // A tap stays the browser's: it gives the focus, follows links and clicks. One that stopped a fling does no more.
        if (event?.cancelable && (mode !== 'waiting' || wasFlinging)) event.preventDefault();
        if (mode === 'selecting') selection.offer();
        else if (mode === 'waiting' && event?.type === 'touchend' && !wasFlinging) selection.end();
        if (mode !== 'scrolling' || moves.length < 2 || event?.type !== 'touchend') return;
        const passed = performance.now() - moves[0].at;
        const speed = (moves.at(-1).y - moves[0].y) / Math.max(1, passed);
        if (Math.abs(speed) > 0.1 && performance.now() - moves.at(-1).at < 60) startFling(speed, at);
    };
    life.listen(view.element, 'contextmenu', (event) => { if (touch || selection.isOn) event.preventDefault(); }, { capture: true });
    life.add(() => touch?.follow.abort());
}
