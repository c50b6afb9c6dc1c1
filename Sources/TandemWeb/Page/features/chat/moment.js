import { h } from '../../kit/first.js';
import { t } from '../../i18n/index.js';
import { markerText, rowTime } from './times.js';

/** The latest moment that there is a date for, in milliseconds since 1970. */
const LATEST = 8.64e15;

/** When something in a list was written. */
export function rowMoment(time) { return moment(time, 'chat-time number', (bounded) => rowTime(bounded, Date.now(), t('chat.yesterday'))); }

/** The time between two messages. */
export function markerMoment(time) { return moment(time, 'number', markerText); }

/** A sender's clock may say anything. */
function moment(time, name, words) {
    const bounded = Math.min(LATEST, Math.max(0, time));
    return h('time', { class: name, dateTime: new Date(bounded).toISOString() }, words(bounded));
}
