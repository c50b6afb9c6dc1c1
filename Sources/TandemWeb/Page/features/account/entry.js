import { h, segmented } from '../../kit/index.js';
import { openCodeDialog } from '../../kit/code-dialog.js';
import { Store, doneBy } from '../../kit/store.js';
import { t } from '../../i18n/index.js';
import { change, initialOf } from './entry-state.js';
import { loginForm, newForm } from './forms.js';
import { invitationIn } from './invitation.js';

const FORMS = { new: newForm, login: loginForm };

/**
 * How a phone without an account comes to one: two forms over one state, so that what was typed in one is there in the other.
 *
 * @param {Object} options
 * @param {import('../../client/client.js').Client} options.client
 * @param {import('../../life.js').Life} options.life
 * @param {'new' | 'login'} options.way
 * @param {string} options.hub Where the person was last; empty for nowhere.
 * @param {(way: string) => void} options.goTo Puts a way into the address.
 * @param {(account: Control['account.login']['answer'], way: 'new' | 'login') => void} options.entered
 * @returns {{element: HTMLElement, show(way: 'new' | 'login'): void}}
 */
export function entry(options) { return new Entry(options); }

class Entry {
    #client;
    #life;
    #entered;
    #store;
    #ways;
    #place = h('div', null);
    #forms = new Map();

    constructor({ client, life, way, hub, goTo, entered }) {
        this.#client = client;
        this.#life = life;
        this.#entered = entered;
        this.#store = new Store({
            initial: initialOf(way, hub), change, run: doneBy(() => ({
                fill: () => this.#form.fill(this.#store.state), focus: ({ field }) => this.#form.focus(field), send: (effect) => { this.#send(effect); },
            })),
        });
        this.#ways = segmented({
            label: t('account.ways'), value: way, change: goTo,
            options: [{ id: 'new', label: t('account.new') }, { id: 'login', label: t('account.login') }],
        });
        this.element = h('div', { class: 'account-entry' }, this.#ways, this.#place);
        this.#showForm();
        this.#store.watch((state, before) => {
            if (state.way !== before.way) this.#showForm();
            this.#form.draw(state);
        });
        // Once what it changes is drawn.
        this.#takeInvitation();
        life.add(client.events('invited', () => this.#takeInvitation()));
    }

    show(way) { if (way !== this.#store.state.way) this.#store.send({ kind: 'way', way }); }

    /** The page was opened with an invitation. */
    #takeInvitation() {
        const text = this.#client.takeInvitation?.();
        if (text) this.#store.send({ kind: 'given', text });
    }

    get #form() {
        const { way } = this.#store.state;
        if (!this.#forms.has(way)) this.#forms.set(way, FORMS[way]({ send: (event) => this.#store.send(event), scan: () => this.#scan() }));
        return this.#forms.get(way);
    }

    #showForm() {
        this.#ways.select(this.#store.state.way);
        this.#place.replaceChildren(this.#form.element);
        this.#form.fill(this.#store.state);
        this.#form.draw(this.#store.state);
    }

    async #send({ way, params }) {
        const options = { signal: this.#life.signal };
        try {
            const account = way === 'new' ? await this.#client.call('account.new', params, options) : await this.#client.call('account.login', params, options);
            if (this.#life.hasEnded) return;
            this.#store.send({ kind: 'sent' });
            this.#entered(account, way);
        } catch (error) {
            if (!this.#life.hasEnded) this.#store.send({ kind: 'failed', error });
        }
    }

    #scan() {
        openCodeDialog({
            client: this.#client, title: t('account.scanTitle'), text: t('account.scanText'), take: (text) => {
                const found = invitationIn(text);
                if ('trouble' in found) return t(`account.problem.${found.trouble}`);
                this.#store.send({ kind: 'given', text });
                return null;
            },
        });
    }
}
