import { h, spinner } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/** How far a finger pulls until the list is asked for again, in pixels. */
const FAR = 72;

/**
 * Asks again when a finger pulls the page down at its top.
 *
 * @param {HTMLElement} element
 * @param {() => Promise<void>} refresh
 * @returns {HTMLElement} What shows it: to stand at the top.
 */
export function pullToRefresh(element, refresh) {
    const shown = h('div', { class: 'notice-pull', hidden: true }, spinner({ size: 22, label: t('notifications.refreshing') }));
    let from = null;
    let by = 0;
    const put = (next) => {
        by = next;
        shown.hidden = by <= 0;
        shown.style.setProperty('--pull', `${Math.min(by, FAR)}px`);
    };
    element.addEventListener('touchstart', (event) => { from = window.scrollY <= 0 && event.touches.length === 1 ? event.touches[0].clientY : null; }, { passive: true });
    element.addEventListener('touchmove', (event) => {
        if (from === null || window.scrollY > 0 || element.querySelector('.is-swiped')) { if (by > 0) put(0); return; }
        const pulled = (event.touches[0].clientY - from) / 2;
        if (pulled > 12 || by > 0) put(Math.max(0, pulled));
    }, { passive: true });
    const end = async () => {
        from = null;
        if (by < FAR) { put(0); return; }
        put(FAR);
        try {
            await refresh();
        } finally {
            put(0);
        }
    };
    element.addEventListener('touchend', end);
    element.addEventListener('touchcancel', () => { from = null; put(0); });
    return shown;
}
