import { card, h } from '../../kit/first.js';
import { Ring, chart } from '../../kit/pictures.js';
import { t } from '../../i18n/index.js';

/**
 * One figure of a hub: what it is, its line, and of what it is a part.
 *
 * @typedef {{id: string, icon: string, value: (now: any) => number, words: (value: number) => string, limit?: string, more?: (now: any) => string}} Card
 * @param {Card} card
 * @param {{limits?: Object<string, number>, kept: number}} options `kept` samples make its line; with none it has no line.
 */
export function figureCard({ id, icon, value, words, more, limit }, { limits = {}, kept }) {
    const ring = new Ring(kept);
    const figure = h('div', { class: 'hub-figure number' });
    const detail = h('div', { class: 'row-detail number' });
    const line = kept > 0 ? chart({ label: t(`hub.chart.${id}`), rings: [ring], height: 64 }) : null;
    return {
        element: card({ title: t(`hub.${id}`), icon }, h('div', null, figure, detail), line),
        push: (now) => ring.push(value(now)),
        draw: (now) => {
            figure.textContent = Number.isFinite(value(now)) ? t('hub.value', { value: words(value(now)) }) : t('common.dash');
            detail.textContent = more ? more(now) : limits[limit] ? t('hub.of', { limit: words(limits[limit]) }) : t('hub.lastMinutes');
            line?.update();
        },
    };
}
