import { h } from '../../kit/index.js';
import { loadArea } from '../../i18n/index.js';

let styled = null;

/** Loads what only the screens of notifications need, once: their texts and their style. */
export async function loadNotifications() {
    styled ??= new Promise((resolve, reject) => {
        const style = h('link', { rel: 'stylesheet', href: '/styles/screens/notifications.css' });
        style.addEventListener('load', resolve);
        style.addEventListener('error', () => { style.remove(); styled = null; reject(new TypeError('notifications.css')); });
        document.head.append(style);
    });
    await Promise.all([loadArea('notifications'), styled]);
}
