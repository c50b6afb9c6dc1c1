import { h, icon, menuButton, safeText } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { fileName } from '../../kit/file-name.js';
import { typeOf } from './entries.js';
import { segments } from './paths.js';
import { named } from './words.js';

export const SYMBOLS = { folder: 'folder', image: 'image', video: 'video', audio: 'audio', archive: 'archive', text: 'text', file: 'file' };

/** Of today the hour, else the day. */
function momentOf(value) { return new Date(value).toDateString() === new Date().toDateString() ? format.time(value) : format.date(value); }

/** What a press on an entry does: with a key beside it, or while some are chosen, it chooses. */
export function presses(entry, { actions, isSelecting }) {
    return (event) => {
        if (isSelecting || event.ctrlKey || event.metaKey || event.shiftKey) {
            event.preventDefault();
            actions.select(entry, { isRange: event.shiftKey });
        } else if (!entry.isFolder) {
            actions.open(entry);
        }
    };
}

/**
 * One file or folder.
 *
 * @param {import('./entries.js').Entry} entry
 * @param {{actions: Object, isSelecting: boolean, isSelected: boolean, showsFolder: boolean, isWide: boolean}} options
 */
export function fileRow(entry, { actions, isSelecting, isSelected, showsFolder, isWide }) {
    const type = typeOf(entry);
    const size = entry.isFolder || entry.size === null ? null : format.bytes(entry.size);
    const time = entry.modified ? (isWide ? format.dateTime(entry.modified) : momentOf(entry.modified)) : null;
    const folder = showsFolder ? segments(entry.path).at(-2)?.path : null;
    const words = h('span', { class: 'row-words' },
        fileName(entry.name, { class: 'file-name' }),
        folder && h('span', { class: 'row-detail file-folder' }, safeText(folder, { limit: 80 })),
        !isWide && h('span', { class: 'row-detail' }, [size, time].filter(Boolean).join(' · ') || t(`files.kind.${entry.kind}`)));
    const parts = [
        isSelecting && h('span', { class: ['file-check', isSelected && 'on'] }, isSelected && icon('check', { size: 16 })),
        h('span', { class: ['row-lead', `type-${type}`] }, icon(SYMBOLS[type], { size: 24 })), words,
        isWide && h('span', { class: 'file-size number' }, size ?? ''), isWide && h('span', { class: 'file-time number' }, time ?? ''),
    ];
    const press = presses(entry, { actions, isSelecting });
    const main = entry.isFolder && !isSelecting
        ? h('a', { class: 'row-main', href: actions.address(entry.path), on: { click: press } }, parts)
        : h('button', { type: 'button', class: 'row-main', aria: { pressed: isSelecting ? isSelected : null }, on: { click: press } }, parts);
    return h('div', { class: ['row', 'file-row', isSelected && 'selected'], data: { name: '' } }, main,
        !isSelecting && h('div', { class: 'row-actions' }, menuButton({
            label: t('files.moreFor', { name: named(entry.name) }), items: () => actions.menu(entry),
        })));
}
