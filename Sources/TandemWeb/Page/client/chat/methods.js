import { chatFailure } from './failures.js';
import { LIMITS } from './ids.js';
import { search } from './search.js';

/**
 * The methods about conversations.
 *
 * @param {import('../sealed/method-table.js').MethodTable} table
 * @param {{session: () => import('./session.js').ChatSession | null, hub: import('./hub.js').Hub, saving: import('./export.js').Saving}} context
 */
export function serveChat(table, { session, hub, saving }) {
    const open = () => session() ?? fail();
    serveConversations(table, open, session);
    serveMessages(table, open, hub);
    serveSealing(table, open);
    table.answer('chat.export', async ({ folder }) => (await import('./export.js')).exportAll(open(), saving, folder));
    table.serve('chat.follow', async ({ conversation }, report) => {
        const current = open();
        if (conversation !== undefined) current.check(conversation);
        return current.feed.follow(conversation ?? null, report);
    });
}

/** @returns {never} */
function fail() { throw chatFailure('noAccount'); }

function serveConversations(table, open, session) {
    const nothing = async (work) => { await work; return null; };
    table.answer('chat.list', () => session()?.conversations.list() ?? { state: 'signedOut', me: null, conversations: [], unread: 0, requests: 0 });
    table.answer('chat.open', ({ person }) => open().conversations.open(person));
    table.answer('chat.pin', ({ conversation, on }) => open().conversations.pin(conversation, on));
    table.answer('chat.mute', ({ conversation, on }) => open().conversations.mute(conversation, on));
    table.answer('chat.hide', ({ conversation }) => nothing(open().conversations.hide(conversation)));
    table.answer('chat.clear', ({ conversation }) => nothing(open().conversations.clear(conversation)));
    table.answer('chat.draft', ({ conversation, text }) => nothing(open().conversations.draft(conversation, text)));
    table.answer('chat.block', ({ conversation, on }) => open().conversations.block(conversation, on));
    table.answer('chat.report', ({ conversation, id, reason }) => nothing(open().conversations.report(conversation, id, reason)));
    table.answer('chat.answer', ({ conversation, accept }) => open().conversations.answer(conversation, accept));
    table.answer('chat.read', ({ conversation, upTo }) => nothing(open().conversations.read(conversation, upTo)));
    table.answer('chat.contacts', () => open().conversations.contacts());
    table.answer('chat.link', () => open().conversations.link());
}

function serveMessages(table, open, hub) {
    const nothing = async (work) => { await work; return null; };
    table.answer('chat.history', ({ conversation, before = null, limit = LIMITS.page }) => open().messages.history(conversation, before, Math.min(Math.max(1, limit), LIMITS.pull)));
    table.answer('chat.send', ({ conversation, text, id }) => open().messages.send(conversation, text, id));
    table.answer('chat.sendMedia', (params) => open().messages.sendMedia(params));
    table.answer('chat.quote', (params) => open().messages.quote(params));
    table.answer('chat.resend', ({ conversation, id }) => open().messages.resend(conversation, id));
    table.answer('chat.discard', ({ conversation, id }) => nothing(open().messages.discard(conversation, id)));
    table.answer('chat.recall', ({ conversation, id }) => open().messages.recall(conversation, id));
    table.answer('chat.remove', ({ conversation, id }) => nothing(open().messages.remove(conversation, id)));
    table.answer('chat.typing', ({ conversation, on }) => nothing(open().messages.type(conversation, on)));
    table.answer('chat.search', (query) => search(open(), hub, query));
}

/** What two people compare, and the devices that read along. */
function serveSealing(table, open) {
    const clear = { isSealed: false, isVerified: false, trouble: null, number: [], code: '' };
    const sealing = () => open().sealing ?? (() => { throw chatFailure('notSealed'); })();
    const told = async (conversation, work) => {
        const { isSealed, isVerified, trouble, number, code } = await work;
        open().noteSeal(conversation);
        return { conversation, isSealed, isVerified, trouble, number, code };
    };
    table.answer('chat.safety', async ({ conversation }) => {
        const current = open();
        return told(current.check(conversation), current.sealing?.safety(conversation) ?? clear);
    });
    table.answer('chat.verify', ({ conversation, on }) => told(open().check(conversation), sealing().verify(conversation, on)));
    table.answer('chat.agree', ({ conversation, to }) => told(open().check(conversation), sealing().agree(conversation, to)));
    // The list with how far histories came.
    const listed = (list) => open().handingOver.told(list);
    table.answer('chat.devices', () => listed(sealing().devices()));
    table.answer('chat.addDevice', ({ did, words, history = false }) => sealing() && open().handingOver.add(did, words, history));
    table.answer('chat.handOver', ({ did }) => sealing() && open().handingOver.handOver(did));
    table.answer('chat.removeDevice', ({ did }) => listed(sealing().removeDevice(did)));
    table.answer('chat.renewDevices', ({ adopt }) => listed(sealing().renewDevices(adopt)));
}
