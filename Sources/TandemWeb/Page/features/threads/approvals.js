import { h } from '../../kit/index.js';
import { approvalCard, approvalLine } from './approval.js';
import { byWhom } from './people.js';

/** An answered one stays so long, unless the person takes it away. */
const STAYS = 8000;

/**
 * What waits for the person in one thread, above where they write. An answer from elsewhere closes a card as one from here does.
 *
 * @param {{client: Object, threads: Object, thread: {id: string, source: string}, life: Object, about: () => Object | null, mayAnswer: () => boolean,
 *   changed: (count: number) => void, say: (text: string) => void, left: () => void}} context `left`: a card went that had the focus, and no other is there.
 */
export function approvalStack({ client, threads, thread, life, about, mayAnswer, changed, say, left }) {
    const element = h('div', { class: 'approvals' });
    const cards = new Map();
    const isOurs = (approval) => approval?.thread_id === thread.id && approval.source === thread.source;
    const waiting = () => [...cards.values()].filter(({ isOver }) => !isOver).length;

    const add = (approval) => {
        if (!isOurs(approval) || cards.has(approval.id)) return;
        const entry = { isOver: false };
        entry.card = approvalCard(approval, {
            thread: about(), mayAnswer: mayAnswer(),
            answer: (answer) => threads.approve({ approval: approval.id, ...answer }, { signal: life.signal }).then((told) => { over(approval.id, entry); return told; }),
            who: (by) => byWhom(client, by),
            dismissed: () => remove(approval.id),
        });
        cards.set(approval.id, entry);
        element.append(entry.card);
        const { words, text } = approvalLine(approval);
        say(`${words} ${text}`);
        changed(waiting());
    };
    const over = (id, entry) => {
        if (entry.isOver) return;
        entry.isOver = true;
        changed(waiting());
        life.after(STAYS, () => {
            // Not from under the keyboard: there it goes when the focus does.
            if (entry.card.querySelector(':focus-visible')) entry.card.addEventListener('focusout', () => remove(id), { once: true });
            else remove(id);
        });
    };
    const remove = (id) => {
        const card = cards.get(id)?.card;
        const hadFocus = card?.contains(document.activeElement);
        card?.remove();
        if (!hadFocus) return;
        const next = element.querySelector('button');
        if (next) next.focus({ preventScroll: true });
        else left();
    };
    const close = (id, told) => {
        const entry = cards.get(id);
        // The answer to a press says more than the event of the same answer.
        if (!entry || entry.isOver || entry.card.querySelector('[aria-busy]')) return;
        over(id, entry);
        entry.card.closed(told);
    };
    return {
        element,
        receive: (event) => {
            if (event.event === 'threads.approval') add(event.approval);
            if (event.event === 'threads.approval.closed') close(event.approval, event);
        },
        ask: async () => (await threads.approvals({ signal: life.signal })).items ?? [],
        /** What waits now: what does no more closes. */
        show: (items) => {
            if (life.hasEnded) return;
            const open = items.filter(isOurs);
            for (const id of cards.keys()) if (!open.some((each) => each.id === id)) close(id, { option: null, by: null });
            open.forEach(add);
        },
        redraw: () => {
            for (const { card } of cards.values()) card.remove();
            cards.clear();
        },
    };
}
