import { banner, button, emptyState, errorBanner, h, icon, part, peer, platformIcon, safeText, textField, toast } from './index.js';
import { format, hasText, t } from '../i18n/index.js';
import { Life } from '../life.js';
import { comparedWords, phoneName, systemName } from './phone.js';
import { loadRights, rightSwitch } from './rights.js';

/**
 * Who asks to be paired, each on a card with what helps to decide. Cards stay while their request does, so that what was chosen on one is
 * not lost when another comes.
 *
 * @param {{client: Object, life: Life}} context
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
            if (life.hasEnded || mine !== turn) return;
            const ids = new Set(answer.requests.map(({ id }) => id));
            for (const [id, card] of cards) {
                if (!ids.has(id)) { card.life.end(); cards.delete(id); }
            }
            for (const request of answer.requests) {
                if (!cards.has(request.id)) cards.set(request.id, requestCard({ client, life, request, rights, accepted }));
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

function requestCard({ client, life: parent, request, rights, accepted }) {
    const life = new Life(parent);
    const chosen = new Set();
    const trouble = h('div', null);
    const left = h('span', { class: 'row-detail number', aria: { live: 'off' } });
    const number = request.number && textField({
        label: t('hosting.number'), hint: t('hosting.numberHint'), mono: true,
        attributes: { inputMode: 'numeric', maxLength: 9 }, enter: () => accept(),
    });

    async function accept() {
        const digits = number ? number.value.normalize('NFKC').replace(/\D/g, '') : undefined;
        if (number && digits.length !== 6) {
            number.fail(t('hosting.numberShort'));
            number.input.focus();
            return;
        }
        try {
            const phone = await client.pairing.accept(request.id, { allow: chosen.size > 0 ? [...chosen] : undefined, number: digits });
            toast([safeText(phone.name), ` ${t('hosting.isPaired')}`]);
            accepted(phone);
        } catch (error) {
            const key = `hosting.accept.${error.detail?.reason}`;
            trouble.replaceChildren(hasText(key) ? banner({ kind: 'bad', text: t(key) }) : errorBanner(error));
        }
    }

    async function refuse() {
        try {
            await client.pairing.reject(request.id);
            toast([safeText(request.name), ` ${t('hosting.wasRefused')}`], 'info');
        } catch (error) {
            trouble.replaceChildren(errorBanner(error));
        }
    }

    const draw = () => { left.textContent = format.clock(request.expiresAt - Date.now()); };
    draw();
    life.every(1000, draw);
    const offers = request.offers.map((offer) => ({ ...rights.find(({ name }) => name === offer.name), ...offer }));
    const element = h('div', { class: 'card request', role: 'group', aria: { label: t('hosting.requestLabel') } },
        h('div', { class: 'request-head' },
            h('span', { class: 'request-symbol' }, platformIcon(['darwin', 'win32', 'linux'].includes(request.platform) ? request.platform : 'phone')),
            h('div', { class: 'row-words' },
                h('h2', { class: 'request-name' }, phoneName(request.name)),
                h('span', { class: 'row-detail' }, systemName(request.platform), ' · ', t('hosting.wants'))),
            left),
        warnings(request),
        comparedWords(t('hosting.compare'), request.fingerprint),
        number,
        h('details', { class: 'disclosure request-rights', open: matchMedia('(min-width: 900px)').matches },
            h('summary', null, icon('chevron-right', { size: 18 }), h('span', null, t('hosting.allowNow'))),
            h('p', { class: 'row-detail' }, t('hosting.initial')),
            h('div', { class: 'rows request-switches' }, offers.map((right) => rightSwitch(right, {
                on: false, change: (on) => { if (on) chosen.add(right.name); else chosen.delete(right.name); },
            })))),
        trouble,
        h('div', { class: 'request-actions' },
            button({ label: t('hosting.refuse'), press: refuse }),
            button({ label: t('hosting.accept'), kind: 'primary', icon: 'check', press: accept })));
    return { element, life };
}

function warnings(request) {
    return [
        request.identityChanged && banner({
            kind: 'bad', text: t('hosting.otherKey'),
            detail: [t('hosting.otherKeyText'), ' ', peer(request.knownFingerprint ?? '', 'span', { class: 'key-words' })],
        }),
        !request.endToEnd && banner({ kind: 'warn', text: t('hosting.clear'), detail: t('hosting.clearText') }),
    ];
}

/**
 * Who was refused without a question, and why.
 *
 * @param {Object[]} refused
 * @param {{allowUnsealed?: () => void}} options
 */
export function refusedBanners(refused, { allowUnsealed } = {}) {
    return refused.map((each) => {
        const isKnown = hasText(`hosting.refused.${each.reason}`);
        return banner({
            kind: 'warn', dismissable: true,
            text: [safeText(each.name), ` ${t('hosting.wasRefused')}`],
            detail: isKnown ? t(`hosting.refused.${each.reason}`) : safeText(each.message),
            actions: each.reason === 'cannotSeal' && allowUnsealed
                ? [button({ label: t('hosting.allowUnsealedShow'), kind: 'quiet', press: allowUnsealed })] : [],
        });
    });
}

/** What is shown while nobody asks. */
export function nobodyAsks() {
    return emptyState({ icon: 'shield-check', title: t('hosting.nobody'), text: t('hosting.nobodyText') });
}
