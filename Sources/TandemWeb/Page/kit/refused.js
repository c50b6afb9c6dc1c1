import { hasText, t } from '../i18n/index.js';
import { errorBanner } from './banner.js';
import { button, iconButton } from './button.js';
import { h } from './h.js';
import { icon } from './icon.js';
import { quoted } from './shell.js';
import { copyText, relativeTime } from './text.js';

/**
 * Why a tab of a computer shows nothing: the computer is not there, the owner has not allowed it (with what the owner can do), the
 * computer does not know it, or something else.
 *
 * @typedef {string} What Whose tab it is: `refused.WHAT` is the sentence for it, which its feature brings, else a general one stands.
 * @param {import('../client/client.js').Failure | null} error
 * @param {Object} options
 * @param {What} options.what
 * @param {string} options.right What the owner would allow, where the failure does not name it.
 * @param {string} options.phone This phone's name, for the command that the owner can type.
 * @param {() => any} options.retry
 * @param {number} [options.seen] When the computer was seen last, in milliseconds since 1970.
 * @param {Node} [options.ask] Asks the owner for it.
 * @param {() => any} [options.allowHere] For a computer that cannot seal: there this phone's person decides, not the computer's owner.
 */
export function tabTrouble(error, { what, right, phone, retry, seen, ask, allowHere }) {
    switch (error?.code) {
        case 'not-allowed':
            if (allowHere) return notSealed(allowHere);
            return notAllowed(what, error.right ?? right, phone, retry, ask);
        case 'away':
        case 'offline':
            return away(seen, retry);
        case 'unknown-method':
            return refused('info', t('refused.unknown'), t('refused.unknownText'), retryButton(retry));
        default: return errorBanner(error, { retry });
    }
}

/** Says what the strip above the tabs would say, which is not shown beside it. */
function away(seen, retry) {
    const element = refused('offline', t('refused.away'), t('refused.awayText'),
        seen && h('p', { class: 'small' }, t('refused.seen'), t('common.gap'), relativeTime(seen)), retryButton(retry));
    element.classList.add('is-away');
    return element;
}

function notAllowed(what, right, phone, retry, ask) {
    const key = `refused.${what}`;
    const name = `rights.${right}`;
    const command = `tandem devices allow ${quoted(phone)} ${right}`;
    return refused('lock', t('refused.title'), t(hasText(key) ? key : 'refused.other'), ask,
        h('div', { class: 'card refused-how' },
            h('h3', { class: 'card-title' }, t('refused.how')),
            h('p', null, t('refused.howPage', { right: t(hasText(name) ? name : 'refused.itsSwitch') })),
            h('p', { class: 'small soft' }, t('refused.howCommand')),
            h('div', { class: 'command' }, h('code', { data: { peer: '' } }, command),
                iconButton({ label: t('common.copyWhat', { what: command }), icon: 'copy', press: () => copyText(command) }))),
        h('p', { class: 'small' }, t('refused.comesBack')),
        retryButton(retry));
}

function notSealed(allowHere) {
    return refused('unlock', t('refused.notSealed'), t('refused.notSealedText'),
        button({ label: t('refused.allowHere'), kind: 'danger', press: allowHere }));
}

function refused(symbol, title, text, ...more) {
    return h('div', { class: 'refused', role: 'status' },
        h('div', { class: 'empty-symbol' }, icon(symbol, { size: 36 })),
        h('h2', { class: 'empty-title' }, title), h('p', null, text), more);
}

function retryButton(retry) {
    return button({ label: t('common.retry'), icon: 'refresh', press: retry });
}
