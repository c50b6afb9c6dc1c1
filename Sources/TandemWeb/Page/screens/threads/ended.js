import { h, icon } from '../../components/index.js';
import { t } from '../../i18n/index.js';
import { beginning, said } from './text.js';

/** Why the last turn of a thread failed, where the thread itself does not say it. @returns {HTMLElement & {update(thread: Object | null, last: Object | undefined): void}} */
export function endedNote() {
    const element = h('div', { class: 'ended', role: 'status', hidden: true });
    let drawn = '';
    element.update = (thread, last) => {
        const reason = thread?.state === 'failed' && typeof thread.reason === 'string' ? thread.reason : '';
        element.hidden = !reason || (last?.kind === 'notice' && last.notice === 'error' && last.text === reason);
        if (element.hidden || drawn === reason) return;
        drawn = reason;
        element.replaceChildren(h('div', { class: 'notice is-bad' }, icon('warning', { size: 18 }),
            h('div', { class: 'notice-words' }, h('span', { class: 'notice-name' }, t('threads.state.failed')), said(beginning(reason, 2000), { tag: 'div', class: 'notice-text' }))));
    };
    return element;
}
