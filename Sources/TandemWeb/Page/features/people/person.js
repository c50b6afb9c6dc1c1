import { banner, button, confirm, copyable, errorBanner, facts, group, h, icon, listRow, openDialog, peer, plainText, relativeTime, safeText, skeleton, textField, toast } from '../../kit/index.js';
import { platformIcon } from '../../kit/icon.js';
import { format, t } from '../../i18n/index.js';

/** What the page draws for the platforms that clients name by a number. */
const SYMBOLS = { 1: 'ios', 2: 'android', 3: 'win32', 4: 'darwin', 7: 'linux', 8: 'android', 9: 'ios' };

/** One person: the account, its devices, and what the hub's operator can do about it. */
export function personScreen(context) {
    const person = new PersonScreen(context);
    person.load();
    return person.screen;
}

class PersonScreen {
    #context;
    #id;
    #body = h('div', { class: 'stack' }, skeleton(4, { height: 60 }));

    constructor(context) {
        const { client, life, route } = context;
        this.#context = context;
        this.#id = route.params.user;
        this.screen = { title: t('people.account'), titleIsPeer: false, back: '#/people/users', element: this.#body };
        life.add(client.events('reset', () => this.load()));
    }

    load = async () => {
        const { client, life, chrome } = this.#context;
        try {
            const { user, devices } = await client.call('accounts.show', { user: this.#id }, { signal: life.signal });
            if (life.hasEnded) return;
            Object.assign(this.screen, { title: plainText(user.nickname || user.name, 64), titleIsPeer: true });
            chrome.titled(this.screen);
            this.#show(user, devices);
        } catch (error) {
            if (!life.hasEnded) this.#body.replaceChildren(errorBanner(error, { retry: this.load, text: error.code === 'not-found' ? t('people.gone') : undefined }));
        }
    };

    #show(user, devices) {
        this.#body.replaceChildren(
            ...(user.suspended ? [banner({ kind: 'warn', text: t('people.isSuspended'), detail: t('people.isSuspendedText') })] : []),
            h('div', { class: 'card' }, facts([
                [t('people.name'), peer(user.name)], [t('people.id'), copyable(user.userID, t('people.id'))],
                [t('people.since'), t('people.value', { value: format.date(user.createdAt) })], [t('people.lastSeen'), relativeTime(user.lastSeenAt ?? null)],
            ])),
            group({ title: t('people.itsDevices'), rows: devices.length > 0 ? devices.map(deviceRow) : [listRow({ lead: icon('offline'), title: t('people.noDevices') })] }),
            this.#acts(user));
    }

    #acts(user) {
        const { client, go } = this.#context;
        const name = user.nickname || user.name;
        const row = (symbol, key, press, isDanger = false) => listRow({
            lead: isDanger ? h('span', { class: 'danger-text' }, icon(symbol)) : icon(symbol), detail: t(`people.${key}Detail`), press,
            title: isDanger ? h('span', { class: 'danger-text' }, t(`people.${key}`)) : t(`people.${key}`),
        });
        return group({ title: t('people.acts'), rows: [
            user.suspended ? row('play', 'resume', () => resume(client, user.userID, name, this.load)) : row('pause', 'suspend', () => suspend(client, user.userID, name, this.load)),
            user.devices > 0 && row('log-out', 'endSessions', () => endSessions(client, user.userID, name, this.load)),
            row('trash', 'delete', () => askDelete(client, user, () => go('/people/users')), true),
        ].filter(Boolean) });
    }
}

function deviceRow({ name, platformID, lastSeenAt, createdAt, address }) {
    return listRow({
        lead: platformIcon(SYMBOLS[platformID]), title: name.trim() ? safeText(name, { limit: 64 }) : t('people.unnamedDevice'),
        detail: [lastSeenAt ? t('people.seen') : t('people.signedIn'), ' ', relativeTime(lastSeenAt ?? createdAt), address ? [' · ', peer(address)] : []].flat(),
    });
}

/**
 * Asks, and suspends a person.
 *
 * @param {import('../../client/client.js').Client} client
 * @param {string} user By the id.
 * @param {string} name
 * @param {() => any} done
 * @param {() => Promise<any>} [also] What is done with it.
 */
export async function suspend(client, user, name, done, also) {
    const isDone = await confirm({
        title: t('people.suspendTitle', { name }), text: t(also ? 'people.suspendReportedText' : 'people.suspendText'), action: t('people.suspend'), work: async () => {
            await client.call('accounts.suspend', { user });
            await also?.();
        },
    });
    if (!isDone) return;
    toast(t('people.suspendedNow', { name }));
    done();
}

async function resume(client, user, name, done) {
    const isDone = await confirm({
        title: t('people.resumeTitle', { name }), text: t('people.resumeText'), action: t('people.resume'), kind: 'primary', work: () => client.call('accounts.resume', { user }),
    });
    if (!isDone) return;
    toast(t('people.resumed', { name }));
    done();
}

async function endSessions(client, user, name, done) {
    let count = 0;
    const isDone = await confirm({
        title: t('people.endSessionsTitle', { name }), text: t('people.endSessionsText'), action: t('people.endSessions'),
        work: async () => { ({ count } = await client.call('accounts.endSessions', { user })); },
    });
    if (!isDone) return;
    toast(t('people.sessionsEnded', { count }));
    done();
}

/** The account's own name is typed first: what goes does not come back. */
function askDelete(client, user, removed) {
    const trouble = h('div', { class: 'notices' });
    const isName = (text) => text.trim().toLowerCase() === user.name;
    const submit = button({ label: t('people.delete'), kind: 'danger', disabled: true, press: async () => {
        try {
            await client.call('accounts.delete', { user: user.name });
        } catch (error) {
            trouble.replaceChildren(errorBanner(error));
            return;
        }
        dialog.close();
        toast(t('people.deleted', { name: user.nickname || user.name }));
        removed();
    } });
    const field = textField({
        label: t('people.typeName', { name: user.name }), attributes: { autocapitalize: 'none' },
        input: (text) => { submit.disabled = !isName(text); }, enter: (text) => { if (isName(text)) submit.click(); },
    });
    const dialog = openDialog({
        title: t('people.deleteTitle', { name: user.nickname || user.name }), content: [h('p', { class: 'dialog-text' }, t('people.deleteText')), field, trouble],
        actions: [button({ label: t('common.cancel'), press: () => { dialog.close(); } }), submit],
    });
}
