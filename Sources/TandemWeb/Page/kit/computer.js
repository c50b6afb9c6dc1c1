import { chip, h, part, platformIcon, safeText } from './first.js';
import { hasText, t } from '../i18n/index.js';

/** Whether nobody on the way can read what is sent. */
export function endToEndChip(isEndToEnd) {
    return isEndToEnd
        ? chip(t('computers.endToEnd'), 'good', 'lock')
        : chip(t('computers.inTheClear'), 'warn', 'unlock');
}

/** The system of a computer, in words. */
export function platformName(platform) {
    const key = `platform.${platform}`;
    return hasText(key) ? t(key) : safeText(platform || t('platform.other'), { limit: 60 });
}

/** A computer's symbol, with a dot that says whether it is reached. */
export function presenceIcon(device) {
    const dot = h('span', { class: 'presence-dot' });
    const words = h('span', { class: 'visually-hidden' });
    const element = h('span', { class: 'presence' }, platformIcon(device.platform), dot, words);
    const update = (path) => {
        element.classList.toggle('is-online', Boolean(path) && path !== 'failed' && path !== 'connecting');
        words.textContent = t(path ? 'computers.online' : 'computers.notReached');
    };
    update(device.path);
    return part(element, { update });
}

/** The name of a computer, which a person may have left empty. */
export function nameOf(device) {
    return device.name ? safeText(device.name, { limit: 120 }) : t('computers.unnamed');
}
