import { h } from '../../kit/index.js';
import { loadArea } from '../../i18n/index.js';

let styled = null;

/** Loads what only the screens of threads need, once: their texts and their style. */
export async function loadThreads() {
    styled ??= new Promise((resolve, reject) => {
        const style = h('link', { rel: 'stylesheet', href: '/styles/screens/threads.css' });
        style.addEventListener('load', resolve);
        style.addEventListener('error', () => { style.remove(); styled = null; reject(new TypeError('threads.css')); });
        document.head.append(style);
    });
    await Promise.all([loadArea('threads'), styled]);
}
