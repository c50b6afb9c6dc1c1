import { banner, errorBanner, h, skeleton, toast } from '../../kit/index.js';
import { Store, doneBy } from '../../kit/store.js';
import { t } from '../../i18n/index.js';
import { change, initial } from './account-state.js';
import { entry } from './entry.js';
import { hubName } from './invitation.js';
import { ownAccount } from './own.js';

/** This phone's account: how to come to one, or what it is. */
export function accountScreen(context) {
    const account = new AccountScreen(context);
    account.store.send({ kind: 'asked' });
    return {
        title: t('account.title'), back: '#/settings', element: account.element,
        update: (route) => { account.goTo(route); return true; },
    };
}

class AccountScreen {
    #note = h('div', { class: 'notices' });
    #body = h('div', null, skeleton(3, { height: 120 }));
    element = h('div', { class: 'account' }, this.#note, this.#body);
    store;
    #context;
    #way;
    /** What is drawn: the form, or the account with its `draw`. */
    #entry = null;
    #own = null;

    constructor(context) {
        const { client, life, route } = context;
        this.#context = context;
        this.#way = this.#wayOf(route);
        this.store = new Store({
            initial, change, run: doneBy(() => ({
                ask: ({ turn }) => { this.#ask(turn); },
                askDevices: ({ of }) => { this.#about(of, 'devices', async (options) => ({ devices: (await client.call('account.devices', {}, options)).devices })); },
                askProfile: ({ of }) => { this.#about(of, 'profile', async (options) => ({ profile: await client.call('account.profile', {}, options) })); },
            })),
        });
        this.store.watch((state, before) => this.#draw(state, before));
        const again = () => this.store.send({ kind: 'asked' });
        life.add(client.events('account', again));
        life.add(client.events('reset', again));
    }

    /** @param {import('../../router.js').Route} route */
    goTo(route) {
        this.#way = this.#wayOf(route);
        this.#entry?.show(this.#way);
    }

    /**
     * It stands in the query, so that the screen stays, and what was typed.
     *
     * @returns {'new' | 'login'}
     */
    #wayOf({ query }) { return query.get('way') === 'login' ? 'login' : 'new'; }

    async #ask(turn) {
        const { client, life } = this.#context;
        try {
            const { account } = await client.call('account.show', {}, { signal: life.signal });
            if (!life.hasEnded) this.store.send({ kind: 'answered', turn, account });
        } catch (error) {
            if (!life.hasEnded) this.store.send({ kind: 'failed', turn, error });
        }
    }

    async #about(of, kind, ask) {
        const { life } = this.#context;
        try {
            const answer = await ask({ signal: life.signal });
            if (!life.hasEnded) this.store.send({ kind, of, ...answer });
        } catch (error) {
            if (!life.hasEnded) this.store.send({ kind: `${kind}Failed`, of, error });
        }
    }

    #draw(state, before) {
        const isAnother = state.phase !== before.phase || state.account?.device !== before.account?.device;
        if (isAnother || state.error !== before.error) this.#drawPhase(state);
        if (state.farewell !== before.farewell) this.#note.replaceChildren(...farewell(state.farewell));
        if (state.phase === 'in') this.#own.draw(state);
    }

    #drawPhase(state) {
        const { client, life, go, link } = this.#context;
        [this.#entry, this.#own] = [null, null];
        switch (state.phase) {
            case 'failed':
                this.#place(errorBanner(state.error, { retry: () => this.store.send({ kind: 'asked' }) }));
                break;
            case 'out':
                this.#entry = entry({
                    client, life, way: this.#way, hub: state.farewell?.hub ?? client.self.hub ?? '', goTo: (way) => go(link('/account', { way }), { replace: true }), entered: (account) => this.#entered(account),
                });
                this.#place(this.#entry.element);
                break;
            case 'in':
                this.#own = ownAccount(this.#context, this.store);
                this.#place(this.#own.element);
                break;
            default:
        }
    }

    /** In a place of its own: what stood there has not moved when something comes above it. */
    #place(content) {
        const body = h('div', null, content);
        this.#body.replaceWith(body);
        this.#body = body;
    }

    #entered({ nickname, name }) {
        toast(t('account.welcome', { name: nickname || name }));
        this.store.send({ kind: 'asked' });
    }
}

/** What became of the account that was here. */
function farewell(left) {
    if (!left) return [];
    const values = { hub: hubName(left.hub) };
    const kind = left.way === 'untold' || left.way === 'ended' ? 'warn' : 'good';
    return [banner({ kind, text: t(`account.left.${left.way}`, values), detail: t(`account.left.${left.way}Text`, values), dismissable: true })];
}
