import {
    banner, button, errorBanner, grouped, h, icon, iconButton, keyWords, linkButton, part, safeText, switchRow, toast,
} from '../../kit/index.js';
import { qrCode } from '../../kit/pictures.js';
import { format, hasText, t } from '../../i18n/index.js';
import { Life } from '../../life.js';
import { Stage } from './stage.js';

/** For so long a code is good; the bar below it runs down. */
const LIFETIME = 300_000;
/** For so long the program's own word about a code's end is waited for. */
const GRACE = 3000;
/** Codes that follow by themselves when nobody used the one before. Then a person has to want another. */
const RENEWALS = 3;
/** @type {{allowUnsealed: boolean, sixDigits: boolean, digits?: boolean}} */
const PLAIN = { allowUnsealed: false, sixDigits: false };

/**
 * The code of this computer, and everything that becomes of it. While it is looked at, another follows a few times when one is over;
 * those have no digits, for nobody asked for them.
 *
 * @returns {HTMLElement & {restart(options: Object): void}}
 */
export function shownCode({ client, life, link }) {
    const stage = new Stage();
    const element = h('div', { class: 'card code-card' }, stage.element);
    let own = new Life(life);
    let options = { ...PLAIN };
    const choices = codeChoices((changed) => restart(changed));
    let renewals = 0;
    const next = () => {
        own.end();
        own = new Life(life);
        return own;
    };

    /** @param {{keep?: boolean}} how With `keep` a code that is good already is shown: a page that is opened or loaded again voids none. */
    async function begin({ keep = false } = {}) {
        const mine = next();
        const shown = codeView(mine);
        renewals = 0;
        const follow = client.pairing.watch((item) => { if (!mine.hasEnded) take(item, shown); }, { stay: true, renew: true, ...(keep && { keep }), ...options }, {
            signal: mine.signal, onRestart: () => shown.wait(),
        });
        stage.show({ content: [shown.element, choices.element] });
        try {
            await follow.result;
            if (!mine.hasEnded) expired();
        } catch (error) {
            if (mine.hasEnded) return;
            next();
            stage.show({ content: errorBanner(error, { text: t('hosting.failed'), retry: () => { begin({ keep }); } }) });
        }
    }

    function take(item, shown) {
        switch (item.event) {
            case 'code': shown.code(item); break;
            case 'digits-replaced': shown.code(item); shown.note('warn', 'hosting.replaced'); break;
            case 'digits-locked': shown.locked(item); break;
            case 'digits-unlocked': shown.code(item); break;
            case 'digits-unreachable': shown.unreachable(item); break;
            case 'digits-reachable': shown.code(item); shown.note('good', 'hosting.reachable'); break;
            case 'interference': shown.note('warn', 'hosting.interference'); break;
            case 'used-up': toast(t('hosting.usedUp'), 'info'); break;
            case 'paired': paired(item); break;
            case 'hidden': hidden(); break;
            case 'expired':
                renewals += 1;
                if (renewals > RENEWALS) expired();
                break;
            default: break;
        }
    }

    function codeView(mine) {
        const notes = h('div', { class: 'stack close code-notes' });
        const reach = h('div', { class: 'code-notes' });
        const picture = h('div', { class: 'qr-place skeleton-row' });
        const digits = h('div', { class: 'code-digits' });
        const left = h('span', { class: 'number' });
        const bar = h('div', { class: 'life-bar' });
        const view = { element: null };
        let current = null;
        /** Why there are no digits, and until when: `{reason, until, words(left)}`. */
        let pause = null;
        mine.every(1000, () => { count(); countPause(); });
        const count = () => {
            if (!current) return;
            // The program says so, unless it is not reached: what can no longer be used is not shown.
            if (current.expiresAt - Date.now() < -GRACE) { expired(); return; }
            const rest = Math.max(0, current.expiresAt - Date.now());
            left.textContent = t('hosting.left', { left: format.clock(rest) });
            bar.style.setProperty('--part', String(Math.min(1, rest / LIFETIME)));
        };
        const pauseText = h('span', { class: 'number' });
        const countPause = () => {
            if (pause) pauseText.textContent = pause.words(format.clock(Math.max(0, pause.until - Date.now())));
        };
        /** Told again with another time, only the time changes: a banner is read out once. */
        const withoutDigits = (title, next) => {
            const isNew = pause?.reason !== next.reason;
            pause = next;
            countPause();
            if (isNew) digits.replaceChildren(banner({ kind: 'warn', text: title, detail: pauseText }));
        };
        view.wait = () => { [current, pause] = [null, null]; digits.replaceChildren(); };
        view.code = async (item) => {
            current = item;
            pause = null;
            count();
            digits.replaceChildren(...(item.typed
                ? [h('span', { class: 'small soft' }, t('hosting.orType')), h('span', { class: 'digits' }, grouped(item.code))]
                : options.digits === false ? [h('span', { class: 'small soft' }, t('hosting.scanOnlyOn'))]
                : [h('span', { class: 'small soft' }, t('hosting.noDigits')), button({ label: t('hosting.showDigits'), icon: 'keyboard', kind: 'quiet', press: renew })]));
            const isOnlyHere = isOnlyForThisMachine(item.payload);
            if (isOnlyHere !== reach.hasChildNodes()) reach.replaceChildren(...(isOnlyHere ? [banner({ kind: 'warn', text: t('hosting.onlyHere') })] : []));
            if (item.trouble) view.unreachable(item);
            const matrix = await client.pairing.matrix(item.payload).catch(() => null);
            if (mine.hasEnded || current !== item) return;
            picture.classList.remove('skeleton-row');
            picture.replaceChildren(matrix ? qrCode(matrix, { label: t('hosting.qr') }) : h('p', { class: 'stage-detail' }, t('hosting.noQR')));
        };
        view.locked = (item) => withoutDigits(t('hosting.locked'), {
            reason: 'locked', until: item.until, words: (left) => t('hosting.lockedText', { left }),
        });
        /** No server leads phones here by the digits. */
        view.unreachable = ({ trouble: { reason, server, until, message } }) => {
            const key = `hosting.unreachable.${reason}`;
            const isKnown = hasText(key);
            withoutDigits(t(isKnown ? key : 'hosting.unreachable'), {
                reason, until, words: (left) => (isKnown ? t(`${key}Text`, { server, left }) : message),
            });
        };
        view.note = (kind, key) => notes.replaceChildren(banner({ kind, text: t(key), detail: t(`${key}Text`), dismissable: true }));
        const hide = () => client.pairing.hide().catch((error) => {
            notes.replaceChildren(errorBanner(error, { text: t('hosting.notHidden'), dismissable: true }));
        });
        const renew = () => client.pairing.show(options).catch((error) => {
            notes.replaceChildren(errorBanner(error, { text: t('hosting.failed'), dismissable: true }));
        });
        view.element = h('div', { class: 'code-view' }, notes, reach,
            h('div', null, h('h2', { class: 'stage-title' }, t('hosting.step')), h('p', { class: 'soft' }, t('hosting.stepText'))),
            picture, digits,
            h('div', { class: 'code-life', aria: { live: 'off' } }, bar,
                h('div', { class: 'code-left' }, left, h('span', { class: 'code-acts' },
                    iconButton({ label: t('hosting.hide'), icon: 'eye-off', press: hide }),
                    iconButton({ label: t('hosting.newCode'), icon: 'refresh', press: renew })))),
            options.allowUnsealed && h('div', { class: 'code-notes' }, banner({ kind: 'warn', text: t('hosting.unsealedOn') })));
        return view;
    }

    const over = (standing) => {
        next();
        stage.show({
            ...standing, actions: [button({ label: t('hosting.makeNew'), icon: 'refresh', kind: 'primary', press: () => { begin(); } })],
        });
    };
    const expired = () => over({ kind: 'warn', symbol: 'clock', title: t('hosting.expired'), text: t('hosting.expiredText') });
    /** Here, in another window or by a command: no other is shown until one is wanted. */
    const hidden = () => over({ symbol: 'eye-off', title: t('hosting.hidden'), text: t('hosting.hiddenText') });

    function paired(phone) {
        next();
        options = { ...PLAIN };
        choices.update(options);
        showPaired(stage, phone, { link, again: () => { begin(); } });
    }

    function restart(changed) {
        options = { ...options, ...changed };
        choices.update(options);
        begin();
    }
    begin({ keep: true });
    return part(element, { restart });
}

/**
 * Whether a code leads a phone to itself, because this computer is on no network and has no hub.
 *
 * @param {string} payload
 */
function isOnlyForThisMachine(payload) {
    try {
        const { relayUrl, signalingUrl } = JSON.parse(payload);
        if (typeof relayUrl === 'string' || typeof signalingUrl !== 'string') return false;
        const host = new URL(signalingUrl).hostname;
        return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
    } catch {
        return false;
    }
}

/** What a code can be like: for older phones and other programs, or only to be scanned. It stays over codes, so that the keyboard does not lose its place. */
function codeChoices(change) {
    const changes = {
        sixDigits: (on) => ({ sixDigits: on, ...(on ? { digits: undefined } : {}) }),
        unsealed: (on) => ({ allowUnsealed: on }),
        scanOnly: (on) => (on ? { digits: false, sixDigits: false } : { digits: undefined }),
    };
    const rows = Object.entries(changes).map(([key, changed]) => switchRow({
        label: t(`hosting.${key}`), detail: t(`hosting.${key}Text`), on: false, change: (on) => { change(changed(on)); },
    }));
    const element = h('details', { class: 'disclosure code-options' },
        h('summary', null, icon('chevron-right', { size: 18 }), h('span', null, t('hosting.options'))), h('div', { class: 'rows' }, rows));
    return {
        element,
        /** @param {typeof PLAIN} options */
        update: ({ sixDigits, allowUnsealed, digits }) => {
            const isOn = [sixDigits, allowUnsealed, digits === false];
            rows.forEach((row, at) => { row.control.checked = isOn[at]; });
            element.open ||= isOn.includes(true);
        },
    };
}

/**
 * A phone is paired: whose words, and where its switches are.
 *
 * @param {Stage} stage
 * @param {Object} phone
 * @param {{link: Function, again: () => any, note?: Node}} options
 */
export function showPaired(stage, phone, { link, again, note }) {
    stage.show({
        kind: 'good', symbol: 'check', title: [safeText(phone.name), ` ${t('hosting.isPaired')}`], text: t('hosting.pairedText'),
        content: [h('div', { class: 'stage-words' }, h('div', { class: 'small soft' }, t('hosting.itsWords')), keyWords(phone.fingerprint)), note],
        actions: [
            linkButton({ label: t('hosting.mayDo'), icon: 'shield', kind: 'primary', href: link('/phones', phone.id) }),
            button({ label: t('hosting.another'), press: again }),
        ],
    });
}
