import { h, virtualList } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { Thumbnails } from './thumbnails.js';
import { fileTile } from './tile.js';

const GAP = 8;
/** Of a tile below its picture, in pixels. */
const WORDS = 44;
/** The least width of a tile, in pixels: three beside each other on a phone. */
const LEAST = { narrow: 104, wide: 148 };
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * A folder as a grid: pictures are seen small, as far as the computer makes them, and only where they are in sight.
 *
 * @param {{computer: Object, life: Object, tile: (entry: Object) => Object}} options `tile` gives what a tile is drawn with.
 */
export function gridView({ computer, life, tile }) {
    const thumbnails = new Thumbnails({ computer, life });
    const element = h('div', { class: 'file-grid' });
    let [list, entries, columns, width] = [null, [], 0, 0];
    const draw = () => {
        const rows = Array.from({ length: Math.ceil(entries.length / columns) }, (_, at) => entries.slice(at * columns, (at + 1) * columns));
        const rowHeight = Math.floor((width - (columns - 1) * GAP) / columns) + WORDS + GAP;
        if (list?.rowHeight === rowHeight) { list.show(rows); return; }
        list = virtualList({
            label: t('files.list'), rowHeight, items: rows,
            render: (row) => h('div', { class: 'tiles', vars: { '--columns': String(columns) } },
                row.map((entry) => fileTile(entry, { ...tile(entry), picture: (place, of) => thumbnails.watch(place, of) }))),
        });
        element.replaceChildren(list);
    };
    const measure = () => {
        const now = element.clientWidth;
        if (now === 0 || now === width) return;
        width = now;
        const least = width < 600 ? LEAST.narrow : LEAST.wide;
        columns = Math.max(2, Math.floor((width + GAP) / (least + GAP)));
        draw();
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    life.add(() => observer.disconnect());
    element.addEventListener('keydown', (event) => walk(event, element, columns));
    return Object.assign(element, {
        show(next) { entries = next; if (columns > 0) draw(); },
        refresh() { list?.refresh(); },
        /** It is not shown any more. */
        end() { observer.disconnect(); thumbnails.end(); },
    });
}

/** The arrow keys go from tile to tile. */
function walk(event, element, columns) {
    const by = STEPS[event.key] ?? { ArrowUp: -columns, ArrowDown: columns }[event.key];
    const now = event.target instanceof Element ? event.target.closest('.tile-main') : null;
    if (!by || !now || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = [...element.querySelectorAll('.tile-main')];
    const next = all[all.indexOf(now) + by];
    event.preventDefault();
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
}
