import { banner, button, errorBanner, h, icon, peer, platformIcon, safeText, toast } from './first.js';
import { format, hasText, t } from '../i18n/index.js';
import { Life } from '../life.js';
import { textField } from './fields.js';
import { comparedWords, phoneName, systemName } from './phone.js';
import { loadPresets, presetChoice, presetOf } from './presets.js';
import { rightNames, riskOf, rightSwitch } from './rights.js';

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
    const rightsPart = offeredRights({ client, life, request, rights, chosen });
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
            rightsPart.presets, rightsPart.switches),
        rightsPart.much, trouble,
        h('div', { class: 'request-actions' },
            button({ label: t('hosting.refuse'), press: refuse }),
            button({ label: t('hosting.accept'), kind: 'primary', icon: 'check', press: accept })));
    return { element, life };
}

/**
 * What can be given together with the yes: one choice of all, each right by itself, and what of it can do much.
 *
 * @param {{client: Object, life: Life, request: Object, rights: Object[], chosen: Set<string>}} options `chosen` is kept up.
 * @returns {{presets: HTMLElement, switches: HTMLElement, much: HTMLElement}}
 */
function offeredRights({ client, life, request, rights, chosen }) {
    const offers = request.offers.map((offer) => ({ ...rights.find(({ name }) => name === offer.name), ...offer }));
    const initial = rights.filter((right) => right.initial).map(({ name }) => name);
    const much = h('div', { aria: { live: 'polite' } });
    const places = { presets: h('div', null), switches: h('div', { class: 'rows request-switches' }), much };
    let presets = [];
    let choice = null;
    // What can do much is said once, for all that is chosen, where the yes is.
    const drawMuch = () => {
        const names = offers.filter((right) => chosen.has(right.name) && riskOf(right) === 'privileged').map(({ name }) => name);
        much.replaceChildren(...(names.length > 0 ? [banner({ kind: 'warn', text: t('hosting.much'), detail: h('span', null, rightNames(names, offers)) })] : []));
    };
    const drawSwitches = () => {
        places.switches.replaceChildren(...offers.map((right) => rightSwitch(right, {
            on: chosen.has(right.name),
            change: (on) => {
                if (on) chosen.add(right.name);
                else chosen.delete(right.name);
                choice?.select(presetOf([...initial, ...chosen], presets) ?? 'own');
                drawMuch();
            },
        })));
        drawMuch();
    };
    const choose = (preset) => {
        if (!preset) return;
        chosen.clear();
        for (const { name } of offers) if (preset.rights.includes(name)) chosen.add(name);
        drawSwitches();
    };
    drawSwitches();
    loadPresets(client).then((all) => {
        if (life.hasEnded || all.length === 0) return;
        presets = all;
        choice = presetChoice({ presets, chosen: [...initial, ...chosen], change: choose });
        places.presets.replaceChildren(choice);
    }).catch(() => {});
    return places;
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
