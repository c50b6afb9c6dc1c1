import { h } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/** So long a line stays to be read out, in milliseconds: what is taken back afterwards stands nowhere any more. */
const READ = 4000;

/** What a screen reader is told of: messages of the other person as they come. */
export function newsLog() {
    const element = h('div', { class: 'visually-hidden', role: 'log', aria: { live: 'polite', label: t('chat.news') } });
    const say = (text) => {
        const line = h('p', { data: { peer: '' } }, text);
        element.append(line);
        setTimeout(() => line.remove(), READ);
    };
    return { element, say };
}
