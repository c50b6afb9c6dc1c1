import { banner, button, h, safeText, spinner } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { startOf } from './flow-state.js';
import { panel, restartSteps } from './panel.js';
import { reportOf } from './report.js';

/** After this long, in milliseconds, a start of the program is not as it should be. It has 20 s to end. */
const LATE = 45_000;

/** The program starts itself again, and the page waits for it to come back: the person has nothing to do. */
export function placingView({ life }) {
    const title = h('span', null);
    const note = h('p', { class: 'stage-detail' });
    const late = h('div', { class: 'moving-late', role: 'status', hidden: true });
    life.after(LATE, () => {
        late.replaceChildren(h('p', { class: 'stage-detail' }, t('moving.placingLate')), restartSteps());
        late.hidden = false;
    });
    const element = panel({ title, text: t('moving.placingText'), content: [h('div', { class: 'line moving-checking', role: 'status' }, spinner({ size: 20 }), h('span', null, t('moving.placingNow'))), note, late] });
    return { element, draw: ({ flow }) => {
        const what = startOf(flow);
        title.textContent = t(`moving.placing.${what}`);
        note.textContent = t('moving.restartNote');
    } };
}

/** What that start did: the person looked on. */
export function placedView({ putAway }) {
    const element = h('div', null);
    return { element, draw: ({ flow }) => element.replaceChildren(placed(flow, putAway)) };
}

function placed({ lastStart: { change, failure }, report }, putAway) {
    const what = change === 'restore' ? 'restore' : 'back';
    const actions = [button({ label: t('common.done'), kind: 'primary', press: putAway })];
    if (failure !== null) {
        return panel({
            symbol: 'warning', kind: 'warn', title: t(what === 'restore' ? 'moving.notInPlace' : 'moving.notBack'),
            content: banner({ kind: 'warn', text: t('moving.why'), detail: safeText(failure, { limit: 600 }) }), actions,
        });
    }
    return panel({
        symbol: 'check', kind: 'good', title: t(what === 'restore' ? 'moving.inPlace' : 'moving.wentBack'), text: t(`moving.placed.${what}`),
        content: what === 'restore' && report && reportOf(report, { isHere: true }), actions,
    });
}
