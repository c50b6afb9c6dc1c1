import { button } from './button.js';
import { h } from './h.js';

/**
 * A button that lets the person choose a file.
 *
 * @param {Object} options
 * @param {string} options.label
 * @param {string} [options.icon]
 * @param {'plain' | 'primary' | 'quiet'} [options.kind]
 * @param {string} [options.accept] For example `image/*`.
 * @param {(file: File) => void} options.take
 */
export function fileButton({ label, icon, kind, accept, take }) {
    const input = h('input', { type: 'file', hidden: true, accept: accept ?? '' });
    input.addEventListener('change', () => {
        const [file] = input.files;
        // Emptied, so that the same file can be chosen again.
        input.value = '';
        if (file) take(file);
    });
    return h('span', { class: 'file-button' }, button({ label, icon, kind, press: () => { input.click(); } }), input);
}
