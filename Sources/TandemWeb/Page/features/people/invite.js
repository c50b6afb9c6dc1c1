import { banner, button, copyText, copyable, errorBanner, h, inThrees, openDialog, peer, textField } from '../../kit/index.js';
import { qrCode } from '../../kit/pictures.js';
import { format, t } from '../../i18n/index.js';
import { LIMITS, invitationLink, numberIn, pageLink } from './invite-link.js';

/** Asks for how many people and days an invitation is good, makes it, and shows it this once. */
export function askInvitation(client, made) {
    const trouble = h('div', { class: 'notices' });
    const read = { uses: () => numberIn(uses.value, LIMITS.uses), days: () => numberIn(days.value, LIMITS.days) };
    const check = () => { submit.disabled = read.uses() === null || read.days() === null; };
    const number = (name, value) => textField({
        label: t(`people.${name}`), value, hint: t(`people.${name}Hint`, { limit: format.number(LIMITS[name]) }), attributes: { inputMode: 'numeric', maxLength: 6 }, input: check,
        enter: () => submit.click(),
    });
    const [uses, days] = [number('uses', '1'), number('days', '7')];
    const submit = button({ label: t('people.makeInvitation'), kind: 'primary', press: async () => {
        trouble.replaceChildren();
        try {
            const [invited, status] = await Promise.all([client.call('accounts.invite', { uses: read.uses(), days: read.days() }), client.call('status')]);
            dialog.close();
            made();
            await showInvitation(client, invited, status);
        } catch (error) {
            trouble.replaceChildren(errorBanner(error));
        }
    } });
    const dialog = openDialog({
        title: t('people.invite'), content: [h('p', { class: 'dialog-text' }, t('people.inviteText')), h('div', { class: 'invite-numbers' }, uses, days), trouble],
        actions: [button({ label: t('common.cancel'), press: () => { dialog.close(); } }), submit],
    });
}

/** A computer that serves as a hub has no one address to name, and a hub without a page for phones none that a telephone opens by itself. */
async function showInvitation(client, { code, uses, endsAt, admission }, { url: hub = null, phonePage = null }) {
    const link = phonePage ? pageLink(phonePage, code) : hub && invitationLink(hub, code);
    const matrix = link && await client.pairing.matrix(link).catch(() => null);
    const words = t(phonePage ? 'people.wordsOfPage' : 'people.words', { hub: hub ?? '', code: inThrees(code), link: link ?? '', until: format.dateTime(endsAt) });
    const dialog = openDialog({
        title: t('people.invitation'), size: 'wide',
        content: [
            admission !== 'invitation' && banner({ kind: 'warn', text: t(`people.admission.${admission === 'nobody' ? 'nobody' : 'anybody'}`) }),
            h('div', { class: 'invitation' },
                matrix && qrCode(matrix, { label: t('people.qr') }),
                h('div', { class: 'invitation-words' },
                    h('div', null, h('div', { class: 'small soft' }, t('people.code')), h('div', { class: 'invitation-code' }, peer(inThrees(code), 'span', { class: 'digits' }))),
                    link && h('div', null, h('div', { class: 'small soft' }, t('people.link')), copyable(link, t('people.link'))),
                    h('p', { class: 'small' }, t('people.goodFor', { count: uses, until: format.dateTime(endsAt) })))),
            banner({ kind: 'info', text: t('people.once') }),
        ],
        actions: [
            button({ label: t('people.copyWords'), icon: 'copy', press: () => copyText(words) }),
            button({ label: t('common.done'), kind: 'primary', press: () => { dialog.close(); } }),
        ],
    });
}
