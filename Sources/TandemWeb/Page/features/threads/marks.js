import { badge, h } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { waitsOf } from './waits.js';

/**
 * How much waits at each computer, as marks of a list of computers.
 *
 * @param {{client: Object, life: Object}} options
 * @returns {(place: string) => HTMLElement} The one mark of a computer, which keeps itself.
 */
export function waitingMarks({ client, life }) {
    const waits = waitsOf(client);
    const marks = new Map();
    const draw = (mark, place) => {
        const count = waits.countAt(place);
        mark.replaceChildren(...(count > 0 ? [badge(count, t('threads.waitHere'))] : []));
    };
    waits.use(life, () => marks.forEach(draw));
    return (place) => {
        if (!marks.has(place)) marks.set(place, h('span', null));
        draw(marks.get(place), place);
        return marks.get(place);
    };
}
