import { t } from '../i18n/index.js';
import { h, part, svg } from './h.js';

/**
 * A code to scan, on white in either scheme. A press makes it as large as the window, for a camera that stands further off.
 *
 * @param {{size: number, rows: string[]}} matrix Rows of 0 and 1, as `client.pairing.matrix` gives them.
 * @param {{label: string}} options
 */
export function qrCode(matrix, { label }) {
    const enlarge = async () => { (await import('./dialog.js')).openDialog({ title: label, size: 'full', content: h('div', { class: 'qr-large' }, codeDrawing(matrix, label)) }); };
    return h('button', { type: 'button', class: 'qr', title: t('common.larger'), aria: { label }, on: { click: enlarge } }, codeDrawing(matrix, label));
}

function codeDrawing(matrix, label) {
    const quiet = 4;
    const side = matrix.size + 2 * quiet;
    let path = '';
    matrix.rows.forEach((row, y) => {
        for (const run of row.matchAll(/1+/g)) path += `M${run.index + quiet} ${y + quiet}h${run[0].length}v1h-${run[0].length}z`;
    });
    return svg('svg', {
        viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges',
    }, svg('rect', { width: side, height: side, fill: '#fff' }), svg('path', { d: path, fill: '#000' }));
}

/** The last samples of something, as many as fit; the oldest are forgotten. */
export class Ring {
    constructor(capacity) {
        this.capacity = capacity;
        this.values = [];
    }

    push(value) {
        this.values.push(value);
        if (this.values.length > this.capacity) this.values.shift();
    }
}

/**
 * A small area chart of one or two rings: drawn as SVG, stretched to its box, the newest at the right.
 *
 * @param {Object} options
 * @param {string} options.label What it shows, for screen readers.
 * @param {Ring[]} options.rings The first is filled, a second is a line.
 * @param {number} [options.top] The value at the upper edge; else the largest seen.
 * @param {number} [options.height] In pixels.
 * @returns {HTMLElement & {update(): void}} Call `update` after a push.
 */
export function chart({ label, rings, top, height = 56 }) {
    const [width, tall] = [100, 40];
    const paths = rings.map((_, index) => ({
        area: svg('path', { class: `chart-area series-${index}` }), line: svg('path', { class: `chart-line series-${index}` }),
    }));
    const element = h('div', { class: 'chart', role: 'img', aria: { label }, vars: { '--height': `${height}px` } },
        svg('svg', { viewBox: `0 0 ${width} ${tall}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
            paths.map(({ area, line }, index) => [index === 0 && area, line])));
    const update = () => {
        const largest = top ?? Math.max(1e-9, ...rings.flatMap((ring) => ring.values.filter(Number.isFinite))) * 1.1;
        rings.forEach((ring, index) => {
            const step = width / Math.max(1, ring.capacity - 1);
            const start = width - (ring.values.length - 1) * step;
            const x = (at) => (start + at * step).toFixed(2);
            const y = (value) => (tall - 1 - (Math.min(largest, Math.max(0, value)) / largest) * (tall - 2)).toFixed(2);
            // What was not measured is a gap, not nothing.
            const runs = [];
            ring.values.forEach((value, at) => {
                if (!Number.isFinite(value)) return;
                if (!Number.isFinite(ring.values[at - 1])) runs.push({ first: at, last: at, points: [] });
                const run = runs.at(-1);
                run.last = at;
                run.points.push(`${x(at)} ${y(value)}`);
            });
            const shown = runs.filter(({ points }) => points.length > 1).map((run) => ({ ...run, line: `M${run.points.join('L')}` }));
            paths[index].line.setAttribute('d', shown.map(({ line }) => line).join(''));
            paths[index].area.setAttribute('d', shown.map(({ line, first, last }) => `${line}L${x(last)} ${tall}L${x(first)} ${tall}Z`).join(''));
        });
    };
    update();
    return part(element, { update });
}
