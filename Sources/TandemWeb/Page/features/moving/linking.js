import { button, codeField, copyText, h, iconButton, peer, spinner } from '../../kit/index.js';
import { openCodeDialog } from '../../kit/code-dialog.js';
import { qrCode } from '../../kit/pictures.js';
import { t } from '../../i18n/index.js';
import { isMovingCode } from './code.js';
import { failureBanner, refusalText } from './failure.js';
import { cancelButton, panel, steps } from './panel.js';

/** The new phone waits: its code and its PIN, which another pair follows after two minutes. */
export function showingView(context) {
    const { client, life } = context;
    const picture = h('div', { class: 'moving-qr' }, spinner({ size: 32 }));
    const digits = h('div', { class: 'digits', data: { pin: '' } });
    const places = h('div', { class: 'moving-places' });
    const trouble = h('div', { class: 'notices', aria: { live: 'polite' } });
    const element = panel({
        title: t('moving.showing'),
        content: [
            trouble, steps([t('moving.showingStep1'), t('moving.showingStep2')]), picture,
            h('div', { class: 'stage-words' }, h('div', { class: 'small soft' }, t('moving.pin')), digits), places,
            h('p', { class: 'stage-detail' }, t('moving.pinNote')),
        ],
        actions: [cancelButton(context)],
    });
    let shown = {};
    const draw = ({ flow }) => {
        if (flow.code !== shown.code) drawCode(flow.code);
        if (flow.pin !== shown.pin) digits.textContent = t('moving.digits', { digits: flow.pin.replace(/(\d{3})(?=\d)/g, '$1 ') });
        drawPlaces(places, flow, shown, t(flow.dials ? 'moving.dials' : 'moving.noAddress'));
        drawTrouble(trouble, flow, shown);
        shown = flow;
    };
    const drawCode = async (code) => {
        const matrix = code && await client.pairing.matrix(code).catch(() => null);
        if (life.hasEnded || shown.code !== code) return;
        picture.replaceChildren(matrix ? qrCode(matrix, { label: t('moving.qrLabel') }) : h('p', { class: 'stage-detail' }, t('moving.noQR')));
    };
    return { element, draw };
}

/**
 * Where this phone listens, so that it is typed on the other one.
 *
 * @param {string} [nowhere] What stands there where it listens nowhere.
 */
function drawPlaces(element, flow, before, nowhere = '') {
    if (String(flow.addresses) === String(before.addresses) && flow.dials === before.dials) return;
    element.replaceChildren(...(flow.addresses.length > 0 ? [h('div', { class: 'small soft' }, t('moving.here')), ...flow.addresses.map(place)]
        : nowhere ? [h('p', { class: 'stage-detail' }, nowhere)] : []));
}

/** An address, whole: it is typed on the other phone. */
function place(address) {
    return h('div', { class: 'moving-place' }, peer(address, 'span', { class: 'mono', dir: 'ltr' }), iconButton({ label: t('common.copyWhat', { what: address }), icon: 'copy', press: () => copyText(address) }));
}

/** The old phone's person types what the new one shows. */
export function enteringView(context) {
    const { client, act } = context;
    const trouble = h('div', { class: 'notices', aria: { live: 'polite' } });
    const places = h('div', { class: 'moving-places' });
    const give = async (entry) => {
        try {
            await act('migrate.enter', entry);
        } catch (error) {
            pin.fail(refusalText(error));
        }
    };
    const submit = () => {
        if (pin.isWhole) return give({ pin: pin.digits });
        pin.fail(t('moving.pinMissing'));
        pin.input.focus();
        return null;
    };
    const pin = codeField({ label: t('moving.pin'), lengths: [6], enter: submit });
    const scan = () => openCodeDialog({
        client, title: t('moving.scanTitle'), text: t('moving.scanText'),
        take: (text) => {
            if (!isMovingCode(text)) return t('moving.otherCode');
            give({ code: text });
            return null;
        },
    });
    const element = panel({
        symbol: 'key', title: t('moving.entering'), text: t('moving.enteringText'),
        content: [trouble, places, h('div', { class: 'code-form' }, pin)],
        actions: [button({ label: t('moving.goOn'), kind: 'primary', press: submit }), button({ label: t('moving.scan'), icon: 'camera', press: scan }), cancelButton(context)],
    });
    let shown = {};
    return { element, draw: ({ flow }) => {
        drawPlaces(places, flow, shown);
        drawTrouble(trouble, flow, shown);
        shown = flow;
    } };
}

/** What keeps the phones apart at the moment, read out once. */
export function drawTrouble(place, flow, before) {
    if (JSON.stringify(flow.trouble) === JSON.stringify(before.trouble ?? null)) return;
    const isAway = flow.trouble?.reason === 'linkLost';
    place.replaceChildren(...(flow.trouble ? [failureBanner(flow.trouble, { kind: isAway ? 'offline' : 'warn' })] : []));
}
