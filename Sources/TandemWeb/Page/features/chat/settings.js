import { button, confirm, errorToast, group, h, icon, listRow, safeText, switchRow, toast } from '../../kit/index.js';
import { chatOf } from '../../client/chat.js';
import { t } from '../../i18n/index.js';
import { avatar } from './avatar.js';
import { blockAfterAsking } from './notes.js';
import { aboutConversation } from './person.js';
import { reportDialog } from './report.js';
import { standingOf } from './standing.js';
import { nameOf, sealText } from './words.js';

/** What holds for one conversation. */
export function settingsScreen({ client, life, route, link, go }) {
    const [chat, standing] = [chatOf(client), standingOf(client)];
    let drawn = '';
    let parts = [];
    const about = aboutConversation({ client, life, route }, (row) => {
        // The switches stay, so that the keyboard's place does: their rows are made again only where something else changed.
        const now = JSON.stringify([row.name, row.avatar, row.isSealed, row.isVerified, row.isBlocked, row.isMuted, row.isPinned, row.isDeleted]);
        if (now === drawn) return parts;
        drawn = now;
        parts = [profile(row, chat), ...groups(row, { chat, standing, link, go })];
        return parts;
    });
    const { id } = about;
    return { title: t('chat.settings'), element: about.body, back: link('/chats', id) };
}

function profile(row, chat) {
    return h('div', { class: 'profile' }, avatar(chat, row, { size: 88 }), h('h2', { class: 'profile-name' }, safeText(row.name, { limit: 80 })),
        h('p', { class: 'soft small mono', data: { peer: '' } }, row.user), row.isDeleted && h('p', { class: 'soft' }, t('chat.deletedText')));
}

function groups(row, { chat, standing, link, go }) {
    const said = async (work) => { await work.catch((error) => { errorToast(error); throw error; }); };
    return [
        group({
            title: t('chat.whoCanRead'), foot: sealText(row),
            rows: listRow({
                lead: icon(row.isSealed ? 'lock' : 'unlock'), title: t(row.isSealed ? 'chat.sealed' : 'chat.clear'), detail: t(row.isVerified ? 'chat.verified' : 'chat.notVerified'),
                href: link('/chats', row.id, 'safety'),
            }),
        }),
        group({ rows: [
            switchRow({ label: t('chat.muteSwitch'), detail: t('chat.muteText'), on: row.isMuted, change: () => said(standing.mute(row)) }),
            switchRow({ label: t('chat.pinSwitch'), on: row.isPinned, change: () => said(standing.pin(row)) }),
            listRow({ lead: icon('search'), title: t('chat.searchIn'), href: link('/chats', row.id, 'search') }),
        ] }),
        group({ foot: t('chat.blockText'), rows: [
            listRow({ lead: icon('block'), title: t(row.isBlocked ? 'chat.unblock' : 'chat.block'), press: () => { (row.isBlocked ? standing.block(row) : blockAfterAsking(row, standing)).catch(errorToast); } }),
            listRow({ lead: icon('flag'), title: t('chat.report'), press: () => reportDialog({ chat, conversation: row.id }) }),
        ] }),
        h('div', { class: 'profile-acts' }, button({ label: t('chat.clearHistory'), icon: 'trash', kind: 'danger', press: () => clear(row, { chat, link, go }) })),
    ];
}

/** Source: rule C9. */
async function clear(row, { chat, link, go }) {
    const isDone = await confirm({
        title: t('chat.clearTitle'), text: h('span', { data: { peer: '' } }, t('chat.clearHistoryText', { name: nameOf(row) })), action: t('chat.clearHistory'), work: () => chat.clear(row.id),
    });
    if (!isDone) return;
    toast(t('chat.cleared'));
    go(link('/chats', row.id));
}
