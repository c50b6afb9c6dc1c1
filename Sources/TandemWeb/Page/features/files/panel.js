import { button, errorText, h, icon, iconButton, progress, safeText, toast } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { handAgain } from './transfers/transfers.js';
import { fileName } from '../../kit/file-name.js';
import { pickByField } from '../../kit/pick.js';

/**
 * The transfers, as a card at the foot: a line for all of them, and each when it is opened.
 *
 * @param {{transfers: Object, life: import('../../life.js').Life}} options
 */
export function transfersPanel({ transfers, life }) {
    let isOpen = true;
    const rows = new Map();
    const list = h('div', { class: 'transfer-list', id: 'transfer-list' });
    const summary = h('span', { class: 'transfer-summary', role: 'status' });
    const toggle = h('button', {
        type: 'button', class: 'transfer-toggle', aria: { expanded: true, controls: 'transfer-list' },
        on: { click: () => { isOpen = !isOpen; draw(); } },
    }, icon('files', { size: 20 }), summary, h('span', { class: 'transfer-arrow' }, icon('chevron-down', { size: 18 })));
    const clear = button({ label: t('files.clearDone'), kind: 'quiet', press: () => transfers.clear() });
    const element = h('section', { class: 'transfers', hidden: true, aria: { label: t('files.transfers') } },
        h('div', { class: 'transfer-head' }, toggle, clear), list);

    const draw = () => {
        const { jobs } = transfers;
        element.hidden = jobs.length === 0;
        toggle.setAttribute('aria-expanded', String(isOpen));
        list.hidden = !isOpen;
        clear.hidden = !jobs.some((job) => job.isOver);
        summary.textContent = summaryOf(jobs);
        for (const [job, row] of rows) if (!jobs.includes(job)) { row.element.remove(); rows.delete(job); }
        for (const job of jobs) {
            if (!rows.has(job)) {
                rows.set(job, transferRow(job, transfers));
                list.prepend(rows.get(job).element);
            }
            rows.get(job).update();
        }
    };
    life.add(transfers.onChange(draw));
    draw();
    return element;
}

function summaryOf(jobs) {
    const open = jobs.filter((job) => !job.isOver);
    if (open.length === 0) return t('files.transfersDone', { count: jobs.length });
    const total = open.reduce((sum, job) => sum + job.kept.total, 0);
    const done = open.reduce((sum, job) => sum + job.kept.done, 0);
    const rate = open.reduce((sum, job) => sum + (job.rate ?? 0), 0);
    const left = rate > 0 ? (total - done) * 1000 / rate : null;
    return [t('files.transfersOpen', { count: open.length }), total > 0 && format.percent(Math.min(1, done / total)), left && t('files.left', { time: format.clock(left) })]
        .filter(Boolean).join(' · ');
}

function transferRow(job, transfers) {
    const bar = progress({ label: t('files.progressOf', { name: job.kept.name }) });
    const detail = h('span', { class: 'row-detail number dotted' });
    const controls = h('div', { class: 'row-actions' });
    const trouble = h('div', { class: 'transfer-trouble' });
    const element = h('div', { class: 'transfer' },
        h('span', { class: 'row-lead' }, icon(job.isUpload ? 'upload' : 'download', { size: 20 })),
        h('div', { class: 'row-words' }, fileName(job.kept.zip ? `${job.kept.name}.zip` : job.kept.name, { class: 'file-name' }),
            bar, detail, trouble), controls);
    let shown = null;
    let said = '';
    const update = () => {
        bar.update(job.state === 'running' ? job.part : job.part ?? 0);
        bar.hidden = job.state === 'done' || job.state === 'failed';
        const words = detailOf(job);
        if (said !== words.join()) detail.replaceChildren(...words.map((each) => h('span', { class: 'dotted-part' }, each)));
        said = words.join();
        if (shown === job.state) return;
        shown = job.state;
        element.dataset.state = job.state;
        trouble.replaceChildren(...troubleOf(job, transfers));
        const hadFocus = controls.contains(document.activeElement);
        controls.replaceChildren(...controlsOf(job, transfers));
        // Pause becomes go on: the keyboard stays there.
        if (hadFocus) controls.querySelector('button')?.focus();
    };
    return { element, update };
}

/** How far it is, in parts. */
function detailOf(job) {
    const { kept } = job;
    const amount = kept.total > 0 ? t('files.doneOf', { done: format.bytes(kept.done), total: format.bytes(kept.total) }) : null;
    const files = job.parts.length > 1 ? t('files.filesDone', { done: job.doneParts, count: job.parts.length }) : null;
    switch (job.state) {
        case 'running': {
            if (kept.zip && !kept.isWalked) return [t('files.counting', { count: kept.found ?? 0 })];
            return [files, amount, job.rate !== null && format.rate(job.rate), job.timeLeft !== null && t('files.left', { time: format.clock(job.timeLeft) })]
                .filter(Boolean);
        }
        case 'waiting': return [t('files.state.waiting'), amount].filter(Boolean);
        case 'paused': return [t('files.state.paused'), files, amount].filter(Boolean);
        case 'away': return [t('files.state.away'), amount].filter(Boolean);
        case 'asking': return [t('files.state.asking'), amount].filter(Boolean);
        case 'done': return [t(job.isUpload ? 'files.state.sent' : 'files.state.saved'), files && t('files.fileCount', { count: job.parts.length }), format.bytes(kept.total),
            job.skipped > 0 && t('files.skipped', { count: job.skipped })].filter(Boolean);
        default: return [t('files.state.failed')];
    }
}

function troubleOf(job, transfers) {
    const { error } = job.kept;
    if (job.state === 'asking') {
        const hasHandles = (job.kept.handles ?? []).length > 0;
        return [h('p', { class: 'small' }, t(hasHandles ? 'files.askPermission' : 'files.askAgain')),
            button({ label: t(hasHandles ? 'files.continue' : 'files.chooseAgain'), kind: 'primary', press: () => (hasHandles ? transfers.resume(job) : chooseAgain(job, transfers)) })];
    }
    if (!error || !['failed', 'away'].includes(job.state)) return [];
    return [h('p', { class: 'small transfer-error' }, reasonOf(job, error)),
        error.message && error.reason !== 'changed' && h('p', { class: 'small soft' }, safeText(error.message, { limit: 300 }))].filter(Boolean);
}

function reasonOf(job, error) {
    if (error.reason === 'changed') return t('files.changed');
    if (error.reason === 'saveStopped') return t('files.saveStopped');
    if (error.reason === 'saveLeft') return t('files.saveLeft');
    if (error.reason === 'saveUnknown') return t('files.saveUnknown');
    if (error.code === 'not-allowed') return t(job.isUpload ? 'files.readOnly' : 'files.notReadable');
    if (error.code === 'full') return t(job.isUpload ? 'files.fullThere' : 'files.fullHere');
    return errorText(error);
}

async function chooseAgain(job, transfers) {
    const files = await pickByField(job.kept.isFolder ? { webkitdirectory: true, multiple: true } : {});
    if (files.length === 0) return;
    const given = files.map((file) => ({ file, sub: job.kept.isFolder ? file.webkitRelativePath.split('/').slice(0, -1).join('/') : '' }));
    if (!transfers.give(job, given)) toast(t('files.otherFile'), 'bad');
}

function controlsOf(job, transfers) {
    const name = job.kept.name;
    const make = (key, symbol, press) => iconButton({ label: t(key, { name }), icon: symbol, press });
    const found = [];
    if (['running', 'waiting'].includes(job.state)) found.push(make('files.pause', 'pause', () => transfers.pause(job)));
    if (['paused', 'away'].includes(job.state)) found.push(make('files.resume', 'play', () => { transfers.resume(job); }));
    if (job.state === 'failed') found.push(make('files.again', 'refresh', () => { transfers.resume(job); }));
    // What the browser downloaded itself is not here to be handed over again.
    if (job.state === 'done' && !job.isUpload && !job.kept.isSaved) {
        found.push(make('files.saveAgain', 'download', async () => { if (!await handAgain(job)) toast(t('files.notKept'), 'bad'); }));
    }
    if (job.state !== 'done') found.push(make('files.cancelIt', 'x', () => { transfers.cancel(job); }));
    return found;
}
