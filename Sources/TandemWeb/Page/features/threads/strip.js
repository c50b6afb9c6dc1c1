import { button, find, h, icon, relativeTime, safeText } from '../../kit/first.js';
import { t } from '../../i18n/index.js';
import { link } from '../../router.js';
import { approvalLine } from './approval.js';
import { said } from '../../kit/said.js';
import { waitsOf } from './waits.js';
import { agentMark, titleOf } from './words.js';

/** So many stand there; the others behind a press. */
const SHOWN = 3;

/**
 * The address of a thread.
 *
 * @param {string} place A computer's id, empty for this one's own.
 */
export function threadLink(place, thread, query = {}) {
    const members = { source: thread.source, thread: thread.id, ...query };
    return place ? link('/computers', place, 'threads', members) : link('/threads', members);
}

/**
 * What waits for the person, the longest first: across all computers, or hidden where nothing does.
 *
 * @param {{client: Object, life: Object}} options
 * @returns {Promise<HTMLElement>} Once it is known what waits.
 */
export async function waitingStrip({ client, life }) {
    const rows = h('div', { class: 'card rows waiting-rows' });
    const count = h('span', { class: 'badge' });
    const element = h('section', { class: 'waiting', hidden: true, aria: { label: t('threads.waiting') } },
        h('div', { class: 'group-head' }, h('h2', { class: 'group-title waiting-title' }, icon('bell', { size: 16 }), h('span', null, t('threads.waiting'))), count), rows);
    const waits = waitsOf(client);
    let isWhole = false;
    const draw = () => {
        const all = waits.all;
        element.hidden = all.length === 0;
        count.textContent = String(all.length);
        const several = new Set(all.map(({ place }) => place)).size > 1 || client.role === 'phone';
        const focused = element.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
        rows.replaceChildren(...(isWhole ? all : all.slice(0, SHOWN)).map((entry) => waitingRow(entry, several)));
        if (!isWhole && all.length > SHOWN) {
            rows.append(h('div', { class: 'waiting-more' }, button({ label: t('threads.allWaiting', { count: all.length }), kind: 'quiet', press: () => { isWhole = true; draw(); } })));
        }
        if (focused) find(rows, `[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    };
    waits.use(life, draw);
    await waits.ready;
    return element;
}

function waitingRow({ place, device, thread, approvals, at }, withComputer) {
    const { words, text } = approvals.length > 0 ? approvalLine(approvals[0]) : { words: t('threads.state.input'), text: '' };
    return h('a', { class: 'row-main waiting-row', href: threadLink(place, thread) },
        agentMark(thread.source, approvals.length > 0 ? 'approval' : thread.state),
        h('span', { class: 'row-words' },
            h('span', { class: 'waiting-what' }, h('span', null, words), text && said(text, { class: 'mono waiting-text' })),
            h('span', { class: 'row-detail dotted' },
                thread.title && h('span', { class: 'dotted-part' }, titleOf(thread, { class: 'one-line' })),
                withComputer && device && h('span', { class: 'dotted-part' }, safeText(device.name, { limit: 60 })),
                at > 0 && h('span', { class: 'dotted-part' }, relativeTime(at, { isShort: true })))),
        icon('chevron-right', { size: 18 }));
}
