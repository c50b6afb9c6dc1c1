import { t } from '../i18n/index.js';
import { button, iconButton } from './button.js';
import { hubText, ownText, reasonText } from './failure.js';
import { h } from './h.js';
import { icon } from './icon.js';
import { safeText } from './safe.js';

const SYMBOLS = { info: 'info', good: 'check', warn: 'warning', bad: 'warning', offline: 'offline' };

/**
 * A strip that says what is the matter.
 *
 * @param {Object} options
 * @param {'info' | 'good' | 'warn' | 'bad' | 'offline'} [options.kind]
 * @param {import('./h.js').Child} options.text
 * @param {import('./h.js').Child} [options.detail] Below it, smaller.
 * @param {Node[]} [options.actions]
 * @param {boolean} [options.dismissable]
 */
export function banner({ kind = 'info', text, detail, actions = [], dismissable = false }) {
    const isUrgent = kind === 'bad' || kind === 'warn';
    const element = h('div', { class: ['banner', kind], role: isUrgent ? 'alert' : 'status' },
        icon(SYMBOLS[kind], { size: 20 }),
        h('div', { class: 'banner-words' }, h('div', null, text), detail && h('div', { class: 'banner-detail' }, detail)),
        actions.length > 0 && h('div', { class: 'banner-actions' }, actions),
        dismissable && iconButton({ label: t('common.dismiss'), icon: 'x', press: () => element.remove() }));
    return element;
}

/**
 * A banner for a failure: the page's sentence, and below it a hub's, or the program's own one where that says more.
 *
 * @param {import('../client/client.js').Failure | null} error
 * @param {{retry?: () => any, dismissable?: boolean, text?: string}} options `text` instead of the page's general sentence.
 */
export function errorBanner(error, { retry, dismissable = false, text } = {}) {
    // Of a computer that is away the page says all there is; the program's sentence is for who types commands, and has a hub's within it.
    const said = hubText(error);
    const detail = said ? safeText(said, { limit: 600 }) : error?.message && error.code !== 'away' && !reasonText(error) ? safeText(error.message, { limit: 600 }) : null;
    return banner({
        kind: error?.code === 'away' || error?.code === 'offline' ? 'offline' : 'bad',
        text: text ?? ownText(error),
        detail,
        actions: retry ? [button({ label: t('common.retry'), kind: 'quiet', press: retry })] : [],
        dismissable,
    });
}
