import { button, facts, h, safeText } from '../../kit/index.js';
import { format, hasText, t } from '../../i18n/index.js';

/** Media that are named at first. */
const SHOWN = 10;
const COUNTED = ['stories', 'categories', 'settings'];

/**
 * What came, and what did not.
 *
 * @param {NonNullable<Control['migrate.state']['answer']['report']>} report
 * @param {{isHere?: boolean}} options Whether it is this phone's data by now: then its stories can be opened.
 */
export function reportOf({ counts, mediaFiles, mediaBytes, proof, lostCount, lost, orphanCount, leftOut }, { isHere = false } = {}) {
    const value = (number) => t('moving.value', { value: format.number(number) });
    const out = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
    return h('div', { class: 'moving-report' },
        h('div', { class: 'card rows' }, facts([
            ...COUNTED.filter((table) => counts[table] !== undefined).map((table) => [t(`moving.count.${table}`), value(counts[table])]),
            [t('moving.media'), t('moving.mediaValue', { count: mediaFiles, size: format.bytes(mediaBytes) })],
            [t('moving.proof'), t(proof === 'checksums' ? 'moving.proof.checksums' : 'moving.proof.seals')],
            out > 0 && [t('moving.leftOut'), value(out)],
            orphanCount > 0 && [t('moving.orphans'), value(orphanCount)],
        ].filter(Boolean))),
        lostCount > 0 && broken(lost, lostCount, isHere));
}

/** Media without their file, by story. */
function broken(lost, count, isHere) {
    const lostRow = (medium) => rowOf(medium, isHere);
    const list = h('ul', { class: 'card rows moving-lost' }, lost.slice(0, SHOWN).map(lostRow));
    const more = lost.length > SHOWN && button({ label: t('moving.lostMore', { count: lost.length }), icon: 'chevron-down', kind: 'quiet', press: () => { list.replaceChildren(...lost.map(lostRow)); more.remove(); } });
    return h('div', { class: 'stack close' }, h('h3', { class: 'group-title' }, t('moving.lost', { count })), list, more, h('p', { class: 'group-foot' }, t('moving.lostFoot')));
}

function rowOf({ fileName, reason, storyId }, isHere) {
    const key = `moving.lost.${reason}`;
    return h('li', { class: 'row' }, h('div', { class: 'row-main' },
        h('span', { class: 'row-words' }, safeText(fileName, { limit: 120, class: 'row-title mono' }), h('span', { class: 'row-detail' }, t(hasText(key) ? key : 'moving.lost.OTHER'))),
        isHere && storyId && h('a', { class: 'button quiet', href: `#/journal/${encodeURIComponent(storyId)}` }, t('moving.lostStory'))));
}
