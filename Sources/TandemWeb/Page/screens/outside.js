import { button, copyText, h, iconButton } from '../components/index.js';
import { t } from '../i18n/index.js';

/** The pages of a browser that is not, or not yet, inside: without navigation, with the one command that helps. */
function outside(title, ...content) {
    return h('main', { class: 'outside' },
        h('img', { src: '/icons/tandem.svg', alt: '', width: 64, height: 64 }),
        h('h1', { class: 'outside-title' }, title), content);
}

/** A command to type at a terminal, with a button that copies it. */
function command(text) {
    return h('div', { class: 'command' }, h('code', { data: { peer: '' } }, text),
        iconButton({ label: t('common.copyWhat', { what: text }), icon: 'copy', press: () => copyText(text) }));
}

export function signedOutPage() {
    return outside(t('signedOut.title'), h('p', null, t('signedOut.text')), command('tandem page'), h('p', { class: 'soft' }, t('signedOut.after')));
}

export function expiredPage() {
    return outside(t('expired.title'), h('p', null, t('expired.text')), command('tandem page'));
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
