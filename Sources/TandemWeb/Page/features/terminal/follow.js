/** How long after a gesture away from the end what scrolls is still the person, in milliseconds: a busy page draws late. */
const GESTURE = 1000;
/** Keys that scroll up together with Shift. */
const AWAY = new Set(['PageUp', 'Home', 'ArrowUp']);

/**
 * Keeps a terminal at its end until the person scrolls away from it.
 *
 * xterm.js reads each scrolling of its viewport as the person's, also one that it made itself and that the browser tells of late, when more lines have come:
 * a flood then ends some rows below what is seen, and nothing is followed any more.
 *
 * @param {HTMLElement} element The terminal's, with xterm.js open in it.
 * @param {Object} xterm
 * @param {import('../../life.js').Life} life
 * @returns {{leave(): void}} For what the person wants to see elsewhere, by other means than scrolling.
 */
export function followEnd(element, xterm, life) {
    let isFollowing = true;
    let lastGesture = -Infinity;
    let isHeld = false;
    life.listen(element, 'wheel', ({ deltaY }) => { lastGesture = deltaY < 0 ? performance.now() : -Infinity; }, { capture: true, passive: true });
    life.listen(element, 'keydown', ({ shiftKey, key }) => { if (shiftKey && AWAY.has(key)) lastGesture = performance.now(); }, { capture: true });
    const hold = (isDown) => () => { isHeld = isDown; };
    for (const type of ['pointerdown', 'touchstart']) life.listen(element, type, hold(true), { capture: true, passive: true });
    // A scrollbar that is dragged is let go of anywhere.
    for (const type of ['pointerup', 'pointercancel', 'touchend', 'touchcancel']) life.listen(window, type, hold(false), { capture: true, passive: true });
    // Behind xterm.js, which has listened to its viewport since it was opened.
    life.listen(element.querySelector('.xterm-viewport'), 'scroll', () => {
        const { viewportY, baseY } = xterm.buffer.active;
        if (viewportY >= baseY || isHeld || performance.now() - lastGesture < GESTURE) isFollowing = viewportY >= baseY;
        else if (isFollowing) xterm.scrollToBottom();
    });
    return { leave: () => { isFollowing = false; } };
}
