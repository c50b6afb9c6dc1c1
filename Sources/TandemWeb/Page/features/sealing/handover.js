import { h, progress } from '../../kit/index.js';
import { plainText } from '../../kit/safe.js';
import { t } from '../../i18n/index.js';
import { handoverState } from './devices-state.js';

/**
 * How far a history came, below its device: what this phone hands over, or takes. Nothing for none.
 *
 * @param {import('./devices-state.js').Device} device
 */
export function handoverLine(device) {
    const { handover } = device;
    const state = handoverState(handover);
    if (!handover || !state) return null;
    const { done, messages } = handover;
    const text = t(`sealing.history.${state.stage}`, { done, messages });
    return h('span', { class: 'sealing-handover' },
        h('span', null, text, handover.isCut && t('sealing.historyCut')),
        state.part !== null && progress({ label: text, part: state.part }),
        // A sentence of the program's, in which a hub's own words may stand.
        handover.failure && h('span', { class: 'sealing-failure', data: { peer: '' } }, plainText(handover.failure, 300)));
}
