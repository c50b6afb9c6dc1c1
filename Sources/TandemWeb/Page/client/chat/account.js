import { b64u, labelled, lv, utf8 } from '../../wire/bytes.js';
import { WireError } from '../../wire/error.js';
import { sha256 } from '../../wire/hash.js';
import { canonical } from '../../wire/json.js';
import { sign } from '../../wire/keys.js';
import { Listeners } from '../client.js';
import { refusedCode } from './failures.js';
import { isPerson, short, whole } from './ids.js';

const TABLE = 'chat-account';
const KEY = 'session';
const MARGIN = 60_000;
const PLATFORMS = { ios: 1, android: 2, win32: 3, darwin: 4, linux: 7 };
const WEB = 5;
/** Codes of refusals that say whether something is there, beside those that are plainly refused. */
const CODES = { 1001: 'bad-request', 1102: 'exists', 1101: 'not-found', 1004: 'not-found', 429: 'refused', 1506: 'refused', 1507: 'refused' };
const OVER = new Set([1506, 1507]);

/**
 * Who is signed in on this phone: an account at the hub that serves the page. It is opened by the phone's own key, so that nothing secret of it is kept: each
 * start proves the key anew, and the token of the moment is in memory.
 *
 * @typedef {{hub: string, uid: number, userID: string, name: string, nickname: string, device: string}} Account
 */
export class AccountDesk {
    #hub;
    #store;
    #identity;
    #device;
    #time;
    /** @type {Account | null} */
    account = null;
    #access = null;
    #renewing = null;
    #changed = new Listeners();

    /**
     * @param {{hub: import('./hub.js').Hub, store: import('../../wire/store.js').Store, identity: {did: string, signing: CryptoKey},
     *   device: () => {name: string, platform: string}, time: import('../../wire/time.js').Time}} options
     */
    constructor({ hub, store, identity, device, time }) {
        this.#hub = hub;
        this.#store = store;
        this.#identity = identity;
        this.#device = device;
        this.#time = time;
        hub.tokens = this;
    }

    async load() { this.account = await this.#store.get(TABLE, KEY) ?? null; }

    /** Told whenever another account is signed in, none any more, or its name changed. */
    onChange(listener) { return this.#changed.add(listener); }

    // MARK: Coming and going

    /** @param {Control['account.new']['params']} params @returns {Promise<Account>} */
    async register({ hub, name, nickname, password, invitation }) {
        this.#mayCome(hub);
        if (invitation !== undefined && !/^\d{12}$/.test(invitation.replace(/[ -]/g, ''))) throw accountFailure('malformedInvitation', 'The code of an invitation has twelve digits. Check it and type it again.');
        return this.#begin(await this.#proven('/account/register', {
            name, device: this.#described, ...(nickname && { nickname }), ...(password !== undefined && { password }), ...(invitation !== undefined && { invitation: invitation.replace(/[ -]/g, '') }),
        }));
    }

    /**
     * By the phone's key, or by name and password: the key opens it from then on.
     *
     * @param {Control['account.login']['params']} params
     * @returns {Promise<Account>}
     */
    async login({ hub, name, password }) {
        this.#mayCome(hub);
        return this.#begin(await this.#proven('/account/login', { device: this.#described, ...(password !== undefined && { name, password }) }));
    }

    /** @returns {Promise<boolean>} Whether the hub was told. */
    async logout() {
        if (!this.account) throw notSignedIn();
        let isTold = true;
        try {
            await this.ask('/account/logout', {});
        } catch (error) {
            isTold = error.detail?.reason === 'signedOut';
        }
        await this.#forget();
        return isTold;
    }

    async delete(name) {
        await this.ask('/account/delete', { name });
        await this.#forget();
    }

    // MARK: Asking

    /** A request about the account. @returns {Promise<any>} */
    async ask(path, body) {
        if (!this.account) throw notSignedIn();
        try {
            return await this.#hub.ask(path, body);
        } catch (error) {
            throw ofAccounts(error, this.#hub.origin);
        }
    }

    /** @param {{nickname?: string, avatar?: string}} members */
    async change(members) {
        const own = await this.ask('/account/profile', members);
        if (!this.account || own.uid !== this.account.uid) throw notSignedIn();
        if (own.nickname !== this.account.nickname) await this.#keep({ ...this.account, nickname: short(own.nickname, 256) });
        return this.account;
    }

    /** The access token of now. One call renews it for all. */
    async token(refused = null) {
        const now = this.#time.now();
        if (this.#access && this.#access.token !== refused && now < this.#access.until) return this.#access.token;
        this.#renewing ??= this.#renew().finally(() => { this.#renewing = null; });
        return this.#renewing;
    }

    /** The hub ended the session: the account is forgotten here, and the person signs in again. @returns {Promise<Error>} What to tell. */
    async over() {
        const { name } = this.account ?? { name: '' };
        await this.#forget();
        const hub = this.#hub.origin;
        return new WireError('expired', `${name} was signed out at ${hub}: from another device, by a new password or by who runs it. Sign in again.`, { reason: 'signedOut', values: { name, hub } });
    }

    async #renew() {
        const asked = this.account;
        if (!asked) throw notSignedIn();
        let session;
        try {
            session = await this.#proven('/account/refresh', {}, (error) => error);
        } catch (error) {
            if (OVER.has(refusedCode(error))) throw await this.over();
            throw error;
        }
        if (this.account?.device !== asked.device || whole(session.uid) !== asked.uid) throw notSignedIn();
        this.#take(session);
        return session.accessToken;
    }

    /** A request that proves this phone's key. Source: `docs/protocol.md` 2.9.2. */
    async #proven(path, members, typed = (error) => ofAccounts(error, this.#hub.origin)) {
        const { did } = this.#identity;
        try {
            const { challenge } = await this.#hub.post('/account/challenge', { did });
            if (typeof challenge !== 'string' || challenge.length > 256) throw broken(this.#hub.origin);
            const purpose = path.slice(path.lastIndexOf('/') + 1);
            const digest = await sha256(utf8(canonical(members)));
            const text = labelled('tandem-account-1', lv(purpose), lv(challenge), lv(new URL(this.#hub.origin).host.toLowerCase()), lv(did), lv(digest));
            const signature = b64u(await sign(this.#identity, text));
            return await this.#hub.post(path, { ...members, did, challenge, signature });
        } catch (error) {
            throw typed(error);
        }
    }

    get #described() {
        const { name, platform } = this.#device();
        return { name: name.slice(0, 64), platformID: PLATFORMS[platform] ?? WEB };
    }

    #mayCome(hub) {
        if (this.account) throw accountFailure('alreadySignedIn', `This phone has the account ${this.account.name} already. Sign out first.`, { name: this.account.name, hub: this.account.hub }, 'exists');
        if (authorityOf(hub) === new URL(this.#hub.origin).host) return;
        throw accountFailure('otherServer', `This page comes from ${this.#hub.origin}, and a browser that is a phone has its account there. For another hub, open that one’s page.`, { hub: this.#hub.origin });
    }

    async #begin(session) {
        const uid = whole(session.uid);
        if (!uid || !isPerson(session.userID) || typeof session.device !== 'string' || typeof session.accessToken !== 'string') throw broken(this.#hub.origin);
        this.#take(session);
        await this.#keep({ hub: this.#hub.origin, uid, userID: session.userID, name: short(session.name, 64), nickname: short(session.nickname, 256), device: session.device.slice(0, 128) });
        return this.account;
    }

    #take({ accessToken, expiresIn }) {
        const life = Math.min(Math.max(Number(expiresIn) || 0, 0), 86_400) * 1000;
        this.#access = { token: accessToken, until: this.#time.now() + Math.max(life - MARGIN, life / 2) };
    }

    async #keep(account) {
        await this.#store.put(TABLE, KEY, account);
        this.account = account;
        this.#changed.tell();
    }

    async #forget() {
        this.#access = null;
        await this.#store.delete(TABLE, KEY);
        this.account = null;
        this.#changed.tell();
    }
}

/** Host and port of an address as a person types it; null where it is none. */
export function authorityOf(text) {
    const address = String(text).trim().replace(/^ws(s?):/i, 'http$1:');
    try {
        return new URL(/^https?:/i.test(address) ? address : 'https:' + address).host;
    } catch {
        return null;
    }
}

function accountFailure(reason, message, values = {}, code = 'bad-request') { return new WireError(code, message, { reason: `account.${reason}`, values }); }

function notSignedIn() { return accountFailure('notSignedIn', 'This phone has no account. Make one, or sign in.', {}, 'not-found'); }

function broken(hub) { return accountFailure('brokenAnswer', `The answer of ${hub} cannot be read. Check that the hub is up to date.`, { hub }, 'refused'); }

/** A refusal as the account's screen has words for it: by the hub's own word for the reason. */
function ofAccounts(error, hub) {
    const { reason, word } = error?.detail ?? {};
    if (reason === 'refused') {
        const code = refusedCode(error);
        return new WireError(CODES[code] ?? 'refused', error.message, { ...(word && { reason: `account.${word}` }), values: { hub, code } });
    }
    if (reason === 'unreachable' || reason === 'timedOut') return accountFailure('unreachable', `${hub} does not answer. Check the network.`, { hub }, 'offline');
    if (reason === 'noChat') return accountFailure('noAccounts', `${hub} knows no accounts. It has to be updated.`, { hub }, 'refused');
    if (reason === 'redirected') return accountFailure('redirected', `${hub} leads elsewhere, and nothing was sent there.`, { hub }, 'refused');
    return error;
}
