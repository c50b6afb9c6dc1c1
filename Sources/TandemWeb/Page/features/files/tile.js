import { h, icon, menuButton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { fileName } from '../../kit/file-name.js';
import { typeOf } from './entries.js';
import { presses, SYMBOLS } from './row.js';
import { named } from './words.js';

/**
 * One file or folder of a grid. `picture` is told of the place where a small picture of it may come.
 *
 * @param {import('./entries.js').Entry} entry
 * @param {{actions: Object, isSelecting: boolean, isSelected: boolean, picture: (place: HTMLElement, entry: Object) => void}} options
 */
export function fileTile(entry, { actions, isSelecting, isSelected, picture }) {
    const type = typeOf(entry);
    const lead = h('span', { class: ['tile-lead', `type-${type}`] }, icon(SYMBOLS[type], { size: 40 }));
    const parts = [lead, fileName(entry.name, { class: 'file-name' })];
    const press = presses(entry, { actions, isSelecting });
    const main = entry.isFolder && !isSelecting
        ? h('a', { class: 'tile-main', href: actions.address(entry.path), on: { click: press } }, parts)
        : h('button', { type: 'button', class: 'tile-main', aria: { pressed: isSelecting ? isSelected : null }, on: { click: press } }, parts);
    if (type === 'image') picture(lead, entry);
    return h('div', { class: ['tile', isSelected && 'selected'], data: { name: '' } }, main,
        isSelecting
            ? h('span', { class: ['file-check', isSelected && 'on'] }, isSelected && icon('check', { size: 16 }))
            : menuButton({ label: t('files.moreFor', { name: named(entry.name) }), items: () => actions.menu(entry) }));
}
