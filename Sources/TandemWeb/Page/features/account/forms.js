import { banner, button, card, codeField, errorBanner, h, inThrees, radioRows, spinner, textField } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { CODE_DIGITS, hubName } from './invitation.js';
import { passwordField } from './password-field.js';

const PLAIN = { autocapitalize: 'none' };
/** What the fields are beside their names. */
const OPTIONS = {
    link: { mono: true, attributes: PLAIN },
    hub: { mono: true, attributes: { ...PLAIN, inputMode: 'url' } },
    name: { attributes: { ...PLAIN, autocomplete: 'username', maxLength: 64 } },
    nickname: { attributes: { autocomplete: 'nickname' } },
};
const EXAMPLES = { link: 'account.field.link.example', hub: 'account.field.hub.example' };

/**
 * The form that makes an account: the invitation, the person's names, and what opens the account.
 *
 * @param {{send: (event: Object) => void, scan: () => void}} context
 */
export function newForm({ send, scan }) {
    const form = new Form({ send, names: ['link', 'hub', 'code', 'name', 'nickname', 'password'], way: 'new', action: t('account.make') });
    const { link, hub, code, name, nickname, password } = form.fields;
    const invited = h('div', { class: 'notices' });
    const scanning = button({ label: t('account.scan'), icon: 'camera', press: scan });
    const text = h('p', { class: 'soft small' }, t('account.invitationText'));
    const links = h('div', { class: 'account-link' }, link, scanning);
    const typed = h('div', { class: 'account-fields' }, hub, code);
    form.element.prepend(
        card({ title: t('account.invitation'), icon: 'link' }, text, invited, links, typed),
        card({ title: t('account.you'), icon: 'people' }, h('div', { class: 'account-fields' }, name, nickname)),
        card({ title: t('account.opens'), icon: 'key' }, form.opens, password));
    let said = null;
    form.also = (state) => {
        const hubSaid = state.isInvited ? hubName(state.values.hub) : null;
        // What a good invitation says need not be seen, unless there is something wrong with it.
        for (const each of [text, links]) each.hidden = state.isInvited;
        typed.hidden = state.isInvited && !state.problems.hub && !state.problems.code;
        if (said === hubSaid) return;
        said = hubSaid;
        const another = button({ label: t('account.another'), kind: 'quiet', press: () => send({ kind: 'another' }) });
        invited.replaceChildren(...(hubSaid ? [banner({ kind: 'good', text: t('account.invited', { hub: hubSaid }), actions: [another] })] : []));
    };
    return form;
}

/** The form that signs in to an account that is there. */
export function loginForm({ send }) {
    const form = new Form({ send, names: ['hub', 'name', 'password'], way: 'login', action: t('account.enter') });
    const { hub, name, password } = form.fields;
    form.element.prepend(
        card({ title: t('account.hub'), icon: 'hub' }, hub),
        card({ title: t('account.opens'), icon: 'key' }, form.opens, name, password));
    form.also = (state) => { name.hidden = state.opens === 'key'; };
    return form;
}

class Form {
    element;
    fields;
    opens;
    /** What a form shows beside its fields. */
    also = (/** @type {import('./entry-state.js').State} */ _) => {};
    #trouble = h('div', { class: 'notices' });
    #shownTrouble = null;
    #submit;

    constructor({ send, names, way, action }) {
        const submit = () => send({ kind: 'submitted' });
        this.fields = Object.fromEntries(names.map((name) => [name, field(name, { way, submit, input: (value) => send({ kind: 'typed', field: name, value }) })]));
        this.opens = radioRows({
            label: t('account.opens'), value: 'key', change: (opens) => send({ kind: 'opens', opens }),
            options: [
                { id: 'key', label: t('account.opens.key'), detail: t(way === 'new' ? 'account.opens.keyNew' : 'account.opens.keyLogin') },
                { id: 'password', label: t('account.opens.password'), detail: t(way === 'new' ? 'account.opens.passwordNew' : 'account.opens.passwordLogin') },
            ],
        });
        this.#submit = button({ label: action, kind: 'primary', wide: true, press: submit });
        this.element = h('div', { class: 'account-form' }, this.#trouble, this.#submit);
    }

    focus(name) { this.fields[name]?.input.focus(); }

    /** Puts what is known into the fields, which nobody typed there. */
    fill({ values, opens }) {
        for (const [name, each] of Object.entries(this.fields)) each.value = name === 'code' ? inThrees(values.code) : values[name];
        this.opens.select(opens);
    }

    /** @param {import('./entry-state.js').State} state */
    draw(state) {
        for (const [name, each] of Object.entries(this.fields)) {
            const problem = state.problems[name];
            each.fail(problem ? t(problem.key, problem.values) : null);
        }
        this.fields.password.hidden = state.opens === 'key';
        this.also(state);
        this.#busy(state.isSending);
        if (this.#shownTrouble === state.trouble) return;
        this.#shownTrouble = state.trouble;
        this.#trouble.replaceChildren(...(state.trouble ? [errorBanner(state.trouble)] : []));
    }

    #busy(isSending) {
        if (isSending === this.#submit.hasAttribute('aria-busy')) return;
        if (!isSending) { this.#submit.removeAttribute('aria-busy'); this.#submit.querySelector('.spinner')?.remove(); return; }
        this.#submit.setAttribute('aria-busy', 'true');
        this.#submit.append(spinner({ size: 18 }));
    }
}

function field(name, { way, submit, input }) {
    const label = t(`account.field.${name}`);
    if (name === 'password') return passwordField({ label, isNew: way === 'new', input, enter: submit });
    if (name === 'code') return codeField({ label, lengths: [CODE_DIGITS], shown: inThrees, input, enter: submit });
    return textField({
        label, hint: t(`account.field.${name}.${way}`), placeholder: EXAMPLES[name] && t(EXAMPLES[name]), input, enter: submit, ...OPTIONS[name],
    });
}
