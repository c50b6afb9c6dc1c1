import { errorText, h, icon, spinner } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { Store, doneBy } from '../../kit/store.js';
import { keyOf } from './conversation-state.js';
import { change, initial } from './flash-state.js';
import { blurOf } from './picture.js';

/** A view-once picture as a card. The receiver's is opened by press and hold. */
export function flashCard(message, context) {
    switch (message.flash) {
        case 'closed': return context.cards.get(keyOf(message)) ?? closedCard(message, context);
        case 'own': return card('eye-off', t('chat.flash.own'), t('chat.flash.ownText'), blurOf(message.pictures[0] ?? { blurHash: null }));
        case 'viewedByPeer': return card('eye', t('chat.flash.viewedByPeer'));
        default: return card('eye', t('chat.flash.viewed'));
    }
}

function card(symbol, title, text, picture = null) {
    return h('div', { class: 'flash' }, h('span', { class: 'flash-mark' }, picture, icon(symbol, { size: 22 })), h('span', { class: 'flash-words' }, h('span', { class: 'flash-title' }, title), text && h('span', { class: 'small soft' }, text)));
}

function closedCard(message, { chat, life, cards, hold, letGo }) {
    const words = h('span', { class: 'flash-words' });
    const mark = h('span', { class: 'flash-mark' });
    const element = h('button', { type: 'button', class: 'flash is-closed' }, mark, words);
    cards.set(keyOf(message), element);
    const store = new Store({ initial, change, run: doneBy(() => works) });
    let shown = null;
    const works = {
        fetch: async () => {
            // That it was opened is told while it is held: the card stays until the person has let go.
            hold(message);
            try {
                store.send({ kind: 'arrived', picture: URL.createObjectURL(await chat.flash(message.conversation, message.id)) });
            } catch (error) {
                store.send({ kind: 'failed', error });
            }
        },
        show: ({ picture }) => {
            shown = h('div', { class: 'flash-shown', aria: { hidden: true } }, h('img', { src: picture, alt: '', draggable: false }), h('p', null, t('chat.flash.letGo')));
            document.body.append(shown);
        },
        hide: () => shown?.remove(),
        forget: ({ picture }) => URL.revokeObjectURL(picture),
    };
    const draw = ({ phase, trouble }) => {
        const title = { closed: 'hold', opening: 'opening', ready: 'ready', showing: 'letGo', viewed: 'viewed' }[phase];
        mark.replaceChildren(phase === 'opening' ? spinner({ size: 22 }) : icon(phase === 'viewed' ? 'eye' : 'flash', { size: 22 }));
        words.replaceChildren(h('span', { class: 'flash-title' }, t(`chat.flash.${title}`)), h('span', { class: 'small' }, trouble ? errorText(trouble) : phase === 'closed' ? t('chat.flash.once') : ''));
        element.disabled = phase === 'viewed';
        if (phase === 'viewed' || phase === 'closed') letGo(message);
    };
    store.watch((state) => { if (!life.hasEnded) draw(state); });
    draw(store.state);
    holds(element, { life, press: () => store.send({ kind: 'pressed' }), release: () => store.send({ kind: 'released' }), leave: () => store.send({ kind: 'left' }) });
    return element;
}

/** Calls `press` and `release` for a finger, a pointer and a key that is held; `leave` when the page is not looked at any more. */
function holds(element, { life, press, release, leave }) {
    element.addEventListener('pointerdown', (event) => {
        if (event.button !== 0) return;
        // The press stays this card's wherever the pointer goes, and what it shows is covered by no menu.
        element.setPointerCapture(event.pointerId);
        press();
    });
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture', 'blur']) element.addEventListener(type, release);
    element.addEventListener('keydown', (event) => {
        if (event.key !== ' ' && event.key !== 'Enter') return;
        event.preventDefault();
        if (!event.repeat) press();
    });
    element.addEventListener('keyup', (event) => { if (event.key === ' ' || event.key === 'Enter') release(); });
    for (const type of ['contextmenu', 'dragstart']) element.addEventListener(type, (event) => { event.preventDefault(); event.stopPropagation(); });
    life.listen(window, 'blur', leave);
    life.listen(document, 'visibilitychange', () => { if (document.hidden) leave(); });
    life.add(leave);
}
