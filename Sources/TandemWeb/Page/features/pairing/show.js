import { button, copyable, errorToast, facts, h, spinner, peer } from '../../kit/index.js';
import { qrCode } from '../../kit/pictures.js';
import { ClientError } from '../../client/client.js';
import { format, t } from '../../i18n/index.js';
import { Life } from '../../life.js';
import { Stage, wordsRow } from './stage.js';

/** For so long the program's own word about a code's end is waited for. */
const GRACE = 3000;

/** The computer scans this phone's code. It goes on waiting while another tab is looked at. */
export function showWay({ client, life, link }) {
    const stage = new Stage();
    let own = new Life(life);
    let shown = {};
    const next = () => {
        own.end();
        own = new Life(life);
        return own;
    };

    const idle = () => {
        next();
        stage.show({
            symbol: 'qr', title: t('pairing.showTitle'), text: t('pairing.showText'),
            actions: [button({ label: t('pairing.makeCode'), icon: 'qr', kind: 'primary', press: () => { begin(); } })],
        });
    };

    async function begin(options = {}) {
        const mine = next();
        stage.show({ symbol: spinner({ size: 32 }), title: t('pairing.making') });
        let outcome = null;
        const follow = client.pairing.watch((item) => {
            if (mine.hasEnded) return;
            if (item.event === 'code') display(item, mine);
            else outcome = item;
        }, options, { signal: mine.signal });
        try {
            await follow.result;
            if (!mine.hasEnded) ended(outcome);
        } catch (error) {
            if (mine.hasEnded) return;
            next();
            stage.failed(error, { again: idle });
        }
    }

    const ended = (outcome) => {
        next();
        switch (outcome?.event) {
            case 'paired': stage.succeeded(outcome, { link, again: () => begin() }); break;
            case 'failed': {
                const error = new ClientError('refused', outcome.message, { reason: outcome.reason, values: outcome.values });
                stage.failed(error, { again: () => begin(), goOn: (options) => begin(options) });
                break;
            }
            case 'hidden': over({ symbol: 'eye-off', title: t('pairing.hidden'), text: t('pairing.hiddenText') }); break;
            default: over({ kind: 'warn', symbol: 'clock', title: t('pairing.expired'), text: t('pairing.expiredText') });
        }
    };

    /** The person wants no more of it: what was scanned by now is told. A code that stays is worth nothing after its time. */
    const takeBack = () => {
        idle();
        client.pairing.hide().catch((error) => errorToast(error));
    };

    const over = (standing) => stage.show({
        ...standing,
        actions: [button({ label: t('pairing.makeNew'), icon: 'refresh', kind: 'primary', press: () => { begin(); } })],
    });

    async function display(item, mine) {
        shown = item;
        const matrix = await client.pairing.matrix(item.payload).catch(() => null);
        if (mine.hasEnded || shown !== item) return;
        const left = h('span', { class: 'number' });
        const count = () => {
            const rest = item.expiresAt - Date.now();
            // The program says so, unless it is not reached: what can no longer be used is not shown.
            if (rest < -GRACE) ended({ event: 'expired' });
            else left.textContent = t('pairing.validFor', { left: format.clock(rest) });
        };
        count();
        mine.every(1000, count);
        const payload = parsed(item.payload);
        // Counting down is not for reading out each second.
        stage.element.setAttribute('aria-live', 'off');
        mine.add(() => stage.element.setAttribute('aria-live', 'polite'));
        stage.show({
            title: t('pairing.showThere'), text: t('pairing.showWhere'),
            content: [
                matrix ? qrCode(matrix, { label: t('pairing.qrLabel') }) : h('p', { class: 'stage-detail' }, t('pairing.noQR')),
                h('p', { class: 'stage-left' }, left),
                h('div', { class: 'card rows stage-facts' }, item.ownFingerprint && wordsRow(t('pairing.ownWords'), item.ownFingerprint), facts([
                    payload.did && [t('pairing.did'), copyable(payload.did, t('pairing.did'))],
                    payload.deviceInfo?.deviceId && [t('pairing.deviceId'), copyable(payload.deviceInfo.deviceId, t('pairing.deviceId'))],
                    payload.deviceInfo?.name && [t('pairing.deviceName'), peer(payload.deviceInfo.name)],
                ].filter(Boolean))),
            ],
            actions: [button({ label: t('common.cancel'), press: takeBack })],
        });
    }

    idle();
    return h('div', { class: 'way' }, stage.element);
}

/** The phone's own code, as an object. */
function parsed(payload) {
    try {
        return JSON.parse(payload) ?? {};
    } catch {
        return {};
    }
}
