import { banner, button, confirm, group, h, icon, listRow, safeText } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { reportOf } from './report.js';

/** What a move takes along. */
const TAKEN = [['journal', 'journal'], ['computers', 'computer'], ['chats', 'chat'], ['notifications', 'bell'], ['settings', 'settings']];

/** Nothing is under way: which phone this is, and which way; and what the last move left. */
export function chooseView(context) {
    const element = h('div', { class: 'stack' });
    let shown = null;
    return { element, draw: ({ flow }) => {
        if (flow === shown) return;
        shown = flow;
        element.replaceChildren(...[lastStart(flow), flow.undo && earlier(flow, context), ...ways(context), taken()].filter(Boolean));
    } };
}

/** What the last start of the program did with what was decided before it. */
function lastStart({ lastStart: start, undo }) {
    if (!start) return null;
    const isBack = start.change !== 'restore';
    if (start.failure !== null) {
        return banner({ kind: 'warn', text: t(isBack ? 'moving.notBack' : 'moving.notInPlace'), detail: safeText(start.failure, { limit: 600 }) });
    }
    // Once it cannot be undone it is the phone's data like any other.
    if (!undo) return null;
    return banner({ kind: 'good', text: t(isBack ? 'moving.wentBack' : 'moving.inPlace'), detail: t(isBack ? 'moving.wentBackText' : 'moving.inPlaceText') });
}

/** What was replaced, and the way back to it. */
function earlier({ undo, report }, { act }) {
    const until = format.dateTime(undo.until);
    const back = button({ label: t('moving.undo'), press: () => confirm({
        title: t('moving.undoTitle'), text: t('moving.undoText', { since: format.dateTime(undo.since), changes: undo.changes }), action: t('moving.undo'),
        work: () => act('migrate.rollback', {}),
    }) });
    return h('div', { class: 'stack close' },
        group({
            title: t('moving.earlier'), foot: t('moving.earlierFoot'),
            rows: [listRow({ lead: icon('clock'), title: t('moving.earlierRow', { until }), detail: t('moving.earlierText', { since: format.dateTime(undo.since) }), actions: [back] })],
        }),
        report && h('details', { class: 'moving-more' }, h('summary', null, t('moving.whatCame')), reportOf(report, { isHere: true })));
}

function ways({ link }) {
    const row = (way, symbol) => listRow({ lead: icon(symbol), title: t(`moving.way.${way}`), detail: t(`moving.way.${way}.text`), href: link('/moving', { way }) });
    return [
        group({ title: t('moving.byLink'), rows: [row('receive', 'download'), row('send', 'upload')], foot: t('moving.byLinkFoot') }),
        group({ title: t('moving.byFile'), rows: [row('export', 'archive'), row('restore', 'folder')], foot: t('moving.byFileFoot') }),
    ];
}

function taken() {
    return group({
        title: t('moving.taken'), foot: t('moving.takenFoot'),
        rows: TAKEN.map(([what, symbol]) => listRow({ lead: icon(symbol), title: t(`moving.taken.${what}`), detail: t(`moving.taken.${what}.text`) })),
    });
}
