import { button, chip, errorBanner, h, safeText } from '../../kit/index.js';
import { visible } from '../../kit/said.js';
import { Store } from '../../kit/store.js';
import { format, t } from '../../i18n/index.js';
import { change, initialOf } from './run-state.js';

/** How far apart looks are while a run goes on and nothing is told of it: what is told may be lost. */
const EVERY = 3000;

/**
 * A run with what it prints, as long as it is looked at.
 *
 * @param {{run: any, ask: (offset: number) => Promise<any>, stop: () => Promise<any>, life: import('../../life.js').Life, ended?: (run: any) => void}} options
 * @returns {{element: HTMLElement, look: () => void, id: string}}
 */
export function runPanel({ run, ask, stop, life, ended = () => {} }) {
    const output = h('pre', { class: 'run-output mono', tabIndex: 0, dir: 'auto', data: { peer: '' }, aria: { label: t('commands.output') }, role: 'log' });
    const end = h('span', { role: 'status' });
    const stopping = button({ label: t('commands.stop'), icon: 'stop', kind: 'danger', press: async () => { await stop(); store.send({ kind: 'look' }); } });
    const note = h('p', { class: 'small soft' });
    const trouble = h('div', null);
    const element = h('section', { class: 'card padded run-card' },
        h('div', { class: 'card-head' }, h('h2', { class: 'card-title' }, safeText(run.name, { limit: 64 })), end, stopping),
        trouble, note, output);
    const store = new Store({
        initial: initialOf(run), change,
        run: ({ offset }) => ask(offset).then((part) => store.send({ kind: 'part', part }), (error) => store.send({ kind: 'failed', error })),
    });
    const draw = (state, before) => {
        if (life.hasEnded) return;
        const isAtEnd = output.scrollHeight - output.scrollTop - output.clientHeight < 24;
        if (state.text !== before?.text) output.textContent = visible(state.text);
        if (isAtEnd) output.scrollTop = output.scrollHeight;
        output.hidden = state.text === '';
        const isOver = Boolean(state.run?.end);
        stopping.hidden = isOver;
        end.replaceChildren(isOver ? endChip(state.run.end) : chip(t('commands.runs'), 'busy', 'activity'));
        note.replaceChildren(...[state.isCut && t('commands.cut'), state.isOver && state.text === '' && t(state.run?.printed ? 'commands.gone' : 'commands.silent')].filter(Boolean));
        note.hidden = note.childNodes.length === 0;
        trouble.replaceChildren(...(state.error ? [errorBanner(state.error, { retry: () => store.send({ kind: 'look' }) })] : []));
        if (state.isOver && !before?.isOver) ended(state.run);
    };
    life.add(store.watch(draw));
    draw(store.state);
    const look = () => store.send({ kind: 'look' });
    life.every(EVERY, () => { if (!store.state.error) look(); });
    look();
    return { element, look, id: run.run };
}

/** How a run ended, as a chip. */
export function endChip(end) {
    const isGood = end?.how === 'exited' && end.number === 0;
    return chip(endWords(end), isGood ? 'good' : end?.how === 'stopped' ? 'idle' : 'bad', isGood ? 'check' : 'info');
}

/** The same in words. */
export function endWords(end) {
    const { how, number, reason } = end ?? {};
    if (how === 'exited') return number === 0 ? t('commands.end.done') : t('commands.end.exited', { number });
    if (how === 'signalled') return t('commands.end.signalled', { number });
    if (how === 'failedToStart') return reason ? safeText(reason, { limit: 300 }) : t('commands.end.failedToStart');
    return ['timedOut', 'stopped', 'rightEnded', 'hostEnded'].includes(how) ? t(`commands.end.${how}`) : safeText(how ?? '', { limit: 64 });
}

/**
 * What stands below a run's name in a list.
 *
 * @param {any} run
 * @param {...Node} first What comes before it.
 */
export function runDetail(run, ...first) {
    const parts = [...first, t('common.at', { when: format.dateTime(run.startedAt) }), run.end ? endWords(run.end) : t('commands.runs')];
    return h('span', { class: 'dotted' }, parts.map((part) => h('span', { class: 'dotted-part' }, part)));
}
