import { systemTime } from '../../wire/time.js';
import { ClientError } from '../client.js';
import { clientErrorOf } from '../sealed/failures.js';
import { AccountDesk } from './account.js';
import { serveAccount } from './account-methods.js';
import { chatFailure } from './failures.js';
import { Hub } from './hub.js';
import { serveChat } from './methods.js';
import { ChatSession } from './session.js';

/**
 * The account and the conversations of a browser that is the phone, behind the same methods as a program's. One for the page: what is asked before an account is
 * there is answered by none.
 */
export class PhoneChat {
    #options;
    #desk;
    #hub;
    /** @type {ChatSession | null} */
    #session = null;
    /** Which account the session is of. */
    #of = null;
    #changing = Promise.resolve();
    /** What the hub was told of pushes. */
    #pushTold = '';
    #stops;

    /**
     * @param {Object} options
     * @param {import('../sealed/method-table.js').MethodTable} options.table
     * @param {import('../../wire/store.js').Store} options.store Its database, with the tables of `CHAT_TABLES`.
     * @param {string} options.origin The hub's, which is the page's own.
     * @param {{did: string, signing: CryptoKey}} options.identity
     * @param {() => {name: string, platform: string}} options.device
     * @param {(topic: 'chat' | 'account') => void} options.tell
     * @param {(isSignedIn: boolean) => Promise<void>} options.signed Told whenever there is an account, or none any more.
     * @param {() => Promise<{subscription: any, previews: boolean} | undefined>} [options.push] Where this browser is woken while the page is closed; undefined where that was never said.
     * @param {import('./media.js').Pictures} options.pictures
     * @param {import('./export.js').Saving} options.saving Where a file goes that the person takes along.
     * @param {(url: string) => WebSocket} options.dial
     * @param {typeof fetch} [options.fetch]
     * @param {((account: import('./account.js').Account, changed: {changed(conversation: string): void, ownChanged(): void}) => any) | null} [options.seal] Makes what seals.
     * @param {import('../../wire/time.js').Time} [options.time]
     * @param {(wake: {nudge(): void, pause(): void}) => () => void} [options.watch] Tells when the page is looked at again, and when it sleeps.
     */
    constructor(options) {
        this.#options = { time: systemTime, seal: null, watch: () => () => {}, ...options };
        const { time, origin, store, identity, device, table } = this.#options;
        this.#hub = new Hub({ origin, fetch: options.fetch ?? ((...request) => fetch(...request)), time });
        this.#desk = new AccountDesk({ hub: this.#hub, store, identity, device, time });
        const context = { session: () => this.#session, hub: this.#hub, settled: () => this.#changing, saving: options.saving };
        serveAccount(table, this.#desk, context);
        serveChat(table, context);
        this.#stops = [
            this.#desk.onChange(() => { this.#follow(); }),
            this.#options.watch({ nudge: () => this.#session?.nudge(), pause: () => this.#session?.pause() }),
        ];
    }

    get session() { return this.#session; }
    get hub() { return this.#hub; }

    async start() {
        await this.#desk.load();
        await this.#follow();
    }

    /** What the person writes goes on as long as the page does. */
    end() {
        this.#stops.forEach((stop) => stop());
        this.#session?.end();
        this.#session = null;
    }

    /** Tells the hub where this browser is woken, once for each session and change. */
    async tellPush() {
        const wanted = await this.#options.push?.();
        const told = JSON.stringify([this.#of?.device, wanted]);
        if (!wanted || !this.#session || told === this.#pushTold) return;
        await this.#hub.ask('/chat/push', wanted);
        this.#pushTold = told;
    }

    // MARK: Bytes

    /** The bytes at one of the routes, as a screen's element asks for them. @returns {Promise<Blob>} */
    async bytes(path, query) {
        try {
            const session = this.#open();
            switch (path) {
                case 'chat/flash': return await session.messages.flash(query.conversation, query.id);
                case 'chat/media': return await session.media.file(await session.messages.row(query.conversation, query.id), Number(query.index ?? 0));
                case 'chat/avatar': return await session.messages.face(query.user);
                default: throw new ClientError('unknown-method', `A browser that is a phone does not serve ${path}.`);
            }
        } catch (error) {
            throw clientErrorOf(error);
        }
    }

    /** Takes a file that was chosen. @returns {{file: string}} */
    take(path, body) {
        try {
            if (path !== 'chat/attachments') throw new ClientError('unknown-method', `A browser that is a phone does not serve ${path}.`);
            return { file: this.#open().media.attach(body) };
        } catch (error) {
            throw clientErrorOf(error);
        }
    }

    #open() {
        if (!this.#session) throw chatFailure('noAccount');
        return this.#session;
    }

    // MARK: The account

    /** The session follows the account: begun with it, ended with it. */
    #follow() {
        const done = this.#changing.then(async () => {
            const { account } = this.#desk;
            if (account?.device !== this.#of?.device) {
                this.#session?.end();
                this.#session = null;
                this.#of = account;
                await this.#options.signed(account !== null);
                if (account) this.#session = await this.#begun(account);
            }
            this.#options.tell('account');
            this.#options.tell('chat');
        });
        this.#changing = done.catch(() => {});
        return done;
    }

    async #begun(account) {
        const { store, seal, pictures, dial, time, tell } = this.#options;
        /** @type {ChatSession} */
        let session = null;
        const sealing = seal?.(account, { changed: (conversation) => session?.noteSeal(conversation), ownChanged: () => { tell('chat'); session?.handingOver?.look(); } }) ?? null;
        session = new ChatSession({ account, desk: this.#desk, hub: this.#hub, store, sealing, pictures, dial, time, changed: () => tell('chat'), connected: () => { this.tellPush().catch(() => {}); } });
        await session.start();
        return session;
    }
}
