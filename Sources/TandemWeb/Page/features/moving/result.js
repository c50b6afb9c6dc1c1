import { button, facts, h, linkButton } from '../../kit/index.js';
import { middle } from '../../kit/first.js';
import { plainText } from '../../kit/safe.js';
import { format, t } from '../../i18n/index.js';
import { ownFact, replaceButton } from './agree.js';
import { failureBanner } from './failure.js';
import { endOf, startOf } from './flow-state.js';
import { cancelButton, panel, restartSteps, steps } from './panel.js';
import { reportOf } from './report.js';

/** A file was read and proved; nothing is replaced yet. */
export function offeredView(context) {
    return drawn(({ flow }) => panel({
        symbol: 'check', kind: 'good', title: t('moving.offered'), text: t('moving.offeredText'),
        content: [flow.report && reportOf(flow.report), flow.own && h('div', { class: 'card rows stage-facts' }, facts([ownFact(flow.own)]))], actions: [replaceButton(context), cancelButton(context, 'discard')],
    }));
}

/** The next start of the program puts it into place: what exactly a person does for that. */
export function restartView(context) {
    return drawn(({ flow }) => {
        const what = startOf(flow);
        return panel({
            symbol: 'refresh', kind: 'warn', title: t(`moving.restart.${what}`), text: t(`moving.restart.${what}.text`),
            content: [
                restartSteps(),
                h('p', { class: 'stage-detail' }, t('moving.restartNote')),
                flow.path === null && what === 'restore' && h('p', { class: 'stage-detail' }, t('moving.restartPeer')),
                flow.report && reportOf(flow.report),
            ],
            actions: [cancelButton(context, what === 'back' ? 'stay' : 'discard')],
        });
    });
}

/** A move that ended well. */
export function doneView({ putAway }) {
    return drawn(({ flow }) => {
        const end = endOf(flow);
        const peer = plainText(flow.peer ?? t('moving.newPhone'), 64);
        return panel({
            symbol: 'check', kind: 'good', title: h('span', { data: { peer: '' } }, t(`moving.done.${end}`, { peer })), text: h('span', { data: { peer: '' } }, t(`moving.done.${end}.text`, { peer })),
            content: [
                flow.path !== null && h('div', { class: 'card padded stage-facts' }, middle(flow.path, { tail: 24 })),
                end === 'file' && steps([t('moving.fileStep1'), t('moving.fileStep2'), t('moving.fileStep3')]),
                flow.totalBytes > 0 && h('p', { class: 'stage-detail' }, t('moving.doneSize', { size: format.bytes(flow.totalBytes) })),
            ],
            actions: [button({ label: t('common.done'), kind: 'primary', press: putAway }), linkButton({ label: t('moving.toSettings'), href: '#/settings', kind: 'quiet' })],
        });
    });
}

/** A move that did not work: what happened, what is safe, what to do. */
export function failedView({ putAway }) {
    return drawn(({ flow }) => {
        const failure = flow.failure ?? { reason: null, message: '', values: {} };
        const isWanted = failure.reason === 'cancelled';
        return panel({
            symbol: isWanted ? 'x' : 'warning', kind: isWanted ? 'accent' : 'bad', title: t(isWanted ? 'moving.cancelled' : 'moving.failed'), text: t(`moving.safe.${endOf(flow)}`),
            content: failureBanner(failure, { kind: isWanted ? 'warn' : 'bad' }),
            actions: [button({ label: t('moving.again'), kind: 'primary', press: putAway })],
        });
    });
}

/** A view that is made anew for each state of the program. */
function drawn(make) {
    const element = h('div', null);
    let shown = null;
    return { element, draw: (state) => {
        const said = JSON.stringify(state.flow);
        if (said === shown) return;
        shown = said;
        element.replaceChildren(make(state));
    } };
}
