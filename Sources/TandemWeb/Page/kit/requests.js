import { errorBanner, h, part, safeText, toast } from './first.js';
import { loadArea, t } from '../i18n/index.js';
import { loadRights } from './rights.js';

/**
 * Who asks to be paired, each on a card with what helps to decide. Cards stay while their request does, so that what was chosen on one is
 * not lost when another comes.
 *
 * @param {{client: Object, life: import('../life.js').Life}} context
 * @param {{changed?: (count: number) => void, refused?: (refused: Object[]) => void, accepted?: (phone: Object) => void}} options
 * @returns {HTMLElement & {ready: Promise<void>, load(): Promise<void>}}
 */
export function requestList({ client, life }, { changed = () => {}, refused = () => {}, accepted = () => {} } = {}) {
    const element = h('div', { class: 'stack requests', aria: { live: 'polite' } });
    const cards = new Map();
    /** Requests that are known to be taken back; null before the first answer, since what was before it is no news. */
    let takenBack = null;
    let turn = 0;
    const load = async () => {
        const mine = ++turn;
        try {
            const [answer, rights] = await Promise.all([client.pairing.requests(), loadRights(client).catch(() => [])]);
            const makeCard = answer.requests.length > 0 ? await cardMaker() : null;
            if (life.hasEnded || mine !== turn) return;
            const ids = new Set(answer.requests.map(({ id }) => id));
            for (const [id, card] of cards) {
                if (!ids.has(id)) { card.life.end(); cards.delete(id); }
            }
            for (const request of answer.requests) {
                if (!cards.has(request.id)) cards.set(request.id, makeCard({ client, life, request, rights, accepted }));
            }
            tellTakenBack(answer.withdrawn ?? []);
            element.replaceChildren(...[...cards.values()].map((card) => card.element));
            changed(cards.size);
            refused(answer.refused);
        } catch (error) {
            if (!life.hasEnded && mine === turn) element.replaceChildren(errorBanner(error, { retry: load }));
        }
    };
    /** Also of one that was accepted: the phone had given up before it heard so. */
    const tellTakenBack = (all) => {
        for (const { id, name } of all) {
            if (takenBack && !takenBack.has(id)) toast([safeText(name), ` ${t('hosting.tookBack')}`], 'info');
        }
        takenBack = new Set(all.map(({ id }) => id));
    };
    for (const topic of ['requests', 'reset']) life.add(client.events(topic, () => load()));
    return part(element, { load, ready: load() });
}

/** A card and its words, which come with the first who asks. */
async function cardMaker() {
    const [{ requestCard }] = await Promise.all([import('./request-card.js'), loadArea('asking'), loadArea('giving')]);
    return requestCard;
}
