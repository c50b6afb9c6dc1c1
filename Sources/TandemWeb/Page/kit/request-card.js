import { banner, button, errorBanner, h, icon, peer, platformIcon, safeText, toast } from './first.js';
import { format, hasText, t } from '../i18n/index.js';
import { Life } from '../life.js';
import { textField } from './fields.js';
import { comparedWords, phoneName, systemName } from './phone.js';
import { rightSwitch } from './rights.js';

/**
 * One who asks to be paired, with what helps to decide.
 *
 * @param {{client: Object, life: Life, request: Object, rights: Object[], accepted: (phone: Object) => void}} options
 * @returns {{element: HTMLElement, life: Life}}
 */
export function requestCard({ client, life: parent, request, rights, accepted }) {
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
