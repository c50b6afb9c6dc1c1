import {
    button, card, emptyState, errorBanner, errorText, group, h, icon, listRow, middle, safeText, skeleton, textField, virtualList,
} from '/kit/index.js';
import { followRight } from '/kit/allowed.js';
import { Store, doneBy } from '/kit/store.js';
import { troubleOf } from '/kit/trouble.js';
import { t } from '/i18n/index.js';
import { change, initial, isTooLong } from './board-state.js';
import { draftOf } from './draft.js';
import { newsOf } from './news.js';

const ROW = 64;

/** The whiteboard of a computer: what stands on it, who wrote it, and a line to write. */
export function whiteboardTab({ client, computer, device, life }) {
    const store = new Store({ initial, change, run: doneBy(() => works) });
    const element = h('div', { class: 'whiteboard' });
    const retry = () => store.send({ kind: 'asked' });
    const write = lineField({ draft: draftOf(device.id), enter: (shape) => store.send({ kind: 'entered', shape }) });
    const board = boardList({ own: client.self.id, retry });

    const works = {
        ask: ({ turn, epoch, after }) => answerTo(
            computer.call('whiteboard.strokes', { ...(epoch !== null && { epoch }), after }, { signal: life.signal }),
            (page) => ({ kind: 'answered', turn, page }), (error) => ({ kind: 'failed', turn, error }),
        ),
        // Leaving the screen does not take a line back.
        write: ({ shape }) => answerTo(
            computer.call('whiteboard.draw', { shape }), (stroke) => ({ kind: 'written', stroke }), (error) => ({ kind: 'unwritten', error }),
        ),
        clear: () => write.clear(),
    };
    /** What a call answers, as an event of the board. */
    async function answerTo(asked, taken, failed) {
        const event = await asked.then(taken, failed);
        if (!life.hasEnded) store.send(event);
        // What was written is not typed any more, whoever looks.
        else if (event.kind === 'written') draftOf(device.id).keep('');
    }

    const draw = (state, before) => {
        if (state.phase !== before?.phase) {
            const trouble = () => troubleOf(state.trouble, { client, device, what: 'whiteboard', right: 'whiteboard', retry });
            element.replaceChildren(...(state.phase === 'refused' ? [trouble()] : [write.element, state.phase === 'loading' ? skeleton(4, { height: ROW }) : board.element]));
        }
        write.show(state);
        board.show(state);
    };
    store.watch(draw);
    draw(store.state);

    life.add(computer.events('whiteboard.stroke', ({ epoch, number, artist, shape }) => store.send({ kind: 'told', epoch, stroke: { number, artist, shape } })));
    life.add(computer.events('whiteboard.wiped', ({ epoch }) => store.send({ kind: 'wiped', epoch })));
    life.add(client.events('reset', retry));
    life.add(computer.reachability(onceBack(retry)));
    followRight({ client, device, life }, 'whiteboard', {
        changed: () => { if (store.state.phase === 'refused') retry(); },
        lost: (error) => store.send({ kind: 'forbidden', error }),
    });
    newsOf(client).look(device.id, life);
    retry();
    return { element };
}

/** Calls `work` when a computer that was away is reached. */
function onceBack(work) {
    let isAway = false;
    return (path) => {
        const wasAway = isAway;
        isAway = !path || path === 'connecting' || path === 'failed';
        if (wasAway && !isAway) work();
    };
}

/** The line to write. */
function lineField({ draft, enter }) {
    const field = textField({
        label: t('whiteboard.line'), value: draft.text, hint: t('whiteboard.hint'),
        input: (text) => { draft.keep(text); field.fail(isTooLong(text.trim()) ? t('whiteboard.tooLong') : null); },
        enter,
    });
    const send = button({ label: t('whiteboard.write'), icon: 'edit', kind: 'primary', press: () => enter(field.value) });
    let unwritten = null;
    return {
        element: card({}, h('div', { class: 'board-line' }, field, send)),
        clear: () => { field.value = ''; draft.keep(''); },
        show: (state) => {
            field.input.readOnly = state.line === 'writing';
            send.disabled = state.line === 'writing';
            if (state.unwritten !== unwritten) field.fail(state.unwritten && errorText(state.unwritten));
            unwritten = state.unwritten;
        },
    };
}

/** What stands on the board, the newest first. */
function boardList({ own, retry }) {
    const strip = h('div', { class: 'board-strip' });
    const title = h('span', null);
    const list = virtualList({
        label: t('whiteboard.title'), rowHeight: ROW, isMeasured: true,
        render: ({ shape, artist }) => listRow({
            lead: icon('edit'), title: safeText(shape, { class: 'board-shape' }), detail: artist === own ? t('whiteboard.you') : middle(artist),
        }),
    });
    const lines = group({ title, rows: list });
    const empty = emptyState({ icon: 'edit', title: t('whiteboard.empty'), text: t('whiteboard.emptyText') });
    let [strokes, trouble] = [null, null];
    return {
        element: h('div', { class: 'stack' }, strip, lines, empty),
        show: (state) => {
            if (state.trouble !== trouble) strip.replaceChildren(...(state.trouble ? [errorBanner(state.trouble, { retry })] : []));
            if (state.strokes !== strokes) {
                title.textContent = t('whiteboard.count', { count: state.strokes.length });
                list.show([...state.strokes].reverse());
                lines.hidden = state.strokes.length === 0;
                empty.hidden = !lines.hidden;
            }
            ({ strokes, trouble } = state);
        },
    };
}
