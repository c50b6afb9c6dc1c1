import { button } from './kit/first.js';
import { hasText, t } from './i18n/index.js';
import { h } from './kit/h.js';
import { outside } from './outside.js';

/** Shown where another tab of this browser is the phone. */
export function otherTabPage(useHere) {
    return outside(t('thisPhone.otherTab'), h('p', null, t('thisPhone.otherTabText')), button({ label: t('thisPhone.useHere'), kind: 'primary', press: useHere }));
}

/** Shown where this browser cannot be a phone: why, and what helps. */
export function troublePage(error) {
    const reason = error?.detail?.reason;
    const key = `thisPhone.trouble.${reason}`;
    const isKnown = reason && hasText(key);
    return outside(t(isKnown ? key : 'thisPhone.trouble'), h('p', null, t(isKnown ? `${key}.do` : 'thisPhone.troubleText')),
        button({ label: t('common.retry'), icon: 'refresh', press: () => location.reload() }));
}
