import { button, copyText, h, iconButton } from './kit/first.js';
import { t } from './i18n/index.js';

/** The pages of a browser that is not, or not yet, inside: without navigation, with the one command that helps. */
export function outside(title, ...content) {
    return h('main', { class: 'outside' },
        h('img', { src: 'icons/tandem.svg', alt: '', width: 64, height: 64 }),
        h('h1', { class: 'outside-title' }, title), content);
}

/** A command to type at a terminal, with a button that copies it. */
function command(text) {
    return h('div', { class: 'command' }, h('code', { data: { peer: '' } }, text),
        iconButton({ label: t('common.copyWhat', { what: text }), icon: 'copy', press: () => copyText(text) }));
}

/** The command that makes a link for this page: where several roles run, each has its own. */
function linkCommand(role) { return command(role ? `tandem page --role ${role}` : 'tandem page'); }

/** @param {string | null} role Whose page this is; null where nobody said it. */
export function signedOutPage(role) {
    return outside(t('signedOut.title'), h('p', null, t('signedOut.text')), linkCommand(role), h('p', { class: 'soft' }, t('signedOut.after')));
}

/** @param {string | null} role As for ``signedOutPage``. */
export function expiredPage(role) {
    return outside(t('expired.title'), h('p', null, t('expired.text')), linkCommand(role), h('p', { class: 'soft' }, t('signedOut.after')));
}

/**
 * Shown when the program does not answer from the start; the client goes on trying.
 *
 * @param {string | null} role Whose page this was the last time: it says how to start it.
 */
export function gonePage(client, role) {
    return outside(t('gone.title'), h('p', null, t('gone.text')), command(`tandem ${role ?? 'up'}`),
        button({ label: t('common.retry'), icon: 'refresh', kind: 'primary', press: () => client.retry() }));
}
