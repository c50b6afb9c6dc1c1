import { banner, button, facts, h, icon, progress } from '../../kit/index.js';
import { plainText } from '../../kit/safe.js';
import { format, hasText, t } from '../../i18n/index.js';
import { canPause, canResume, partOf, phasesOf } from './flow-state.js';
import { sentenceOf } from './failure.js';
import { drawTrouble } from './linking.js';
import { cancelButton, panel } from './panel.js';

/** The word of a phone that waits for room. */
const FULL = 'diskFull';

/** How far a move is: its phases, a bar, what comes and when it ends; what it waits for, and letting it wait. */
export function progressView(context) {
    const title = h('span', { data: { peer: '' } });
    const text = h('span', null);
    const phases = h('ol', { class: 'moving-phases' });
    const bar = progress({ label: t('moving.progress') });
    const numbers = h('div', { class: 'card rows stage-facts' });
    const trouble = h('div', { class: 'notices', aria: { live: 'polite' } });
    const held = h('div', { class: 'notices', aria: { live: 'polite' } });
    const hold = h('div', { class: 'moving-hold' });
    const element = panel({ title, text, content: [phases, h('div', { class: 'moving-bar' }, bar), held, trouble, numbers], actions: [hold, cancelButton(context)] });
    let shown = {};
    const draw = ({ flow, rate }) => {
        const peer = plainText(flow.peer ?? t(flow.role === 'new' ? 'moving.oldPhone' : 'moving.newPhone'), 64);
        const key = wordsOf(flow);
        title.textContent = t(key, { peer });
        text.textContent = t(`${key}.text`, { peer });
        bar.update(flow.pausedHere === null && flow.pausedThere === null ? partOf(flow) : flow.fraction);
        if (flow.step !== shown.step) phases.replaceChildren(...phasesOf(flow).map(phase));
        numbers.replaceChildren(facts(factsOf(flow, rate)));
        numbers.hidden = numbers.querySelector('dt') === null;
        if (flow.pausedHere !== shown.pausedHere || flow.pausedThere !== shown.pausedThere || flow.trouble?.reason !== shown.trouble?.reason) held.replaceChildren(...waitingOf(flow, peer));
        if (flow.pausedHere !== shown.pausedHere || flow.step !== shown.step) hold.replaceChildren(...holdOf(flow, context));
        // A full disk is said once, as what it waits for.
        drawTrouble(trouble, flow.pausedHere === FULL ? { ...flow, trouble: null } : flow, shown);
        shown = flow;
    };
    return { element, draw };
}

/** The key of the heading: what the step means on this phone. */
function wordsOf({ step, role, path }) {
    const own = `moving.step.${step}.${path !== null ? 'file' : role}`;
    return hasText(own) ? own : `moving.step.${step}`;
}

function phase({ id, state }) {
    return h('li', { class: `moving-phase ${state}`, aria: { current: state === 'now' ? 'step' : null } },
        h('span', { class: 'moving-phase-mark' }, state === 'done' && icon('check', { size: 16 })), h('span', null, t(`moving.phase.${id}`)));
}

function factsOf(flow, rate) {
    const { fraction, doneBytes, totalBytes, timeLeft, pausedHere, pausedThere } = flow;
    const isHeld = pausedHere !== null || pausedThere !== null;
    const value = (text) => h('span', { class: 'number' }, t('moving.value', { value: text }));
    return [
        partOf(flow) !== null && [t('moving.done'), value(format.percent(fraction))],
        doneBytes > 0 && [t('moving.bytes'), totalBytes > 0 ? h('span', { class: 'number' }, t('moving.bytesOf', { done: format.bytes(doneBytes), total: format.bytes(totalBytes) })) : value(format.bytes(doneBytes))],
        !isHeld && rate?.perSecond && [t('moving.rate'), value(format.rate(rate.perSecond))],
        !isHeld && timeLeft !== null && [t('moving.left'), value(format.duration(timeLeft * 1000))],
    ].filter(Boolean);
}

/** Why it waits: this phone, the other one, or both. */
function waitingOf({ pausedHere, pausedThere, trouble }, peer) {
    const room = trouble?.reason === FULL ? sentenceOf(FULL, trouble.values) : null;
    const own = pausedHere !== null && (pausedHere === FULL ? banner({ kind: 'warn', text: room?.text ?? t('moving.full'), detail: t('moving.fullText') })
        : banner({ kind: 'info', text: t('moving.paused'), detail: t('moving.pausedText') }));
    const there = pausedThere !== null && (pausedThere === FULL ? banner({ kind: 'warn', text: t('moving.fullThere', { peer }), detail: t('moving.fullThereText') })
        : banner({ kind: 'info', text: t('moving.pausedThere', { peer }), detail: t('moving.pausedThereText') }));
    return [own, there].filter(Boolean);
}

function holdOf(flow, { act }) {
    if (canResume(flow)) return [button({ label: t('moving.resume'), icon: 'play', kind: 'primary', press: () => act('migrate.resume', {}) })];
    return canPause(flow) ? [button({ label: t('moving.pause'), icon: 'pause', press: () => act('migrate.pause', {}) })] : [];
}
