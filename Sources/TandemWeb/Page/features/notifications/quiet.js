import { h, part } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

const DAY = 1440;

/** Minutes from midnight of `22:00`; null for anything else. */
export function minutesOf(text) {
    const found = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text ?? '');
    return found ? Number(found[1]) * 60 + Number(found[2]) : null;
}

/** The parts of a day that are quiet, as minutes: two where it goes over midnight, the whole day where it begins and ends at once. */
export function quietSpans(start, end) {
    if (start === null || end === null) return [];
    if (start === end) return [[0, DAY]];
    return start < end ? [[start, end]] : [[start, DAY], [0, end]].filter(([from, to]) => to > from);
}

/**
 * A day from left to right, with what is quiet in it.
 *
 * @returns {HTMLElement & {update(settings: Object): void}}
 */
export function quietStrip(settings) {
    const bar = h('div', { class: 'quiet-bar' });
    const element = h('div', { class: 'quiet-day', role: 'img' }, bar,
        h('div', { class: 'quiet-hours', aria: { hidden: true } }, [0, 6, 12, 18, 24].map((hour) => h('span', { class: 'number', vars: { '--at': `${hour / 24 * 100}%` } }, String(hour).padStart(2, '0')))));
    const update = ({ quietHoursEnabled, quietHoursStart, quietHoursEnd }) => {
        const [start, end] = [minutesOf(quietHoursStart), minutesOf(quietHoursEnd)];
        const spans = quietHoursEnabled ? quietSpans(start, end) : [];
        bar.replaceChildren(...spans.map(([from, to]) => h('span', { class: 'quiet-span', vars: { '--from': `${from / DAY * 100}%`, '--part': `${(to - from) / DAY * 100}%` } })));
        element.setAttribute('aria-label', spans.length === 0 ? t('notifications.quietOff') : start === end ? t('notifications.quietAll') : t('notifications.quietFrom', { start: quietHoursStart, end: quietHoursEnd }));
    };
    update(settings);
    return part(element, { update });
}
