import { fromBase64, pictureBlob } from '../../components/bytes.js';
import {
    button, chip, errorBanner, errorText, facts, h, icon, iconButton, linkButton, openDialog, peer, plainText, progress, relativeTime, safeText, skeleton, textField, toast, copyText,
} from '../../components/index.js';
import { quoted } from '../../components/shell.js';
import { format, t } from '../../i18n/index.js';
import { threadLinkOf } from '../../notifying/thread-link.js';
import { said } from '../threads/text.js';
import { momentOf, priorityChip } from './words.js';

const REPLY_BYTES = 8192;
const RIGHT = 'notification.act';
/** How often it is asked which phones have one, until all do, in milliseconds. */
const PERIOD = 3000;

/**
 * All of one notification, with what can be done with it.
 *
 * @param {Object} options
 * @param {Object} options.item
 * @param {Object} options.notifications
 * @param {() => boolean} options.mayAct
 * @param {string} [options.phone] This phone's name, for the command that the owner can type.
 * @param {() => void} options.remove
 * @param {() => void} options.closed
 */
export function showNotice({ item, notifications, mayAct, phone, remove, closed }) {
    const at = momentOf(item.createdAt);
    const picture = item.hasImage && h('div', { class: 'notice-picture' }, skeleton(1, { height: 200 }));
    const acts = h('div', { class: 'notice-answer' });
    const thread = threadLinkOf(item.data, notifications.device);
    const delivered = !notifications.device && h('div', { class: 'notice-phones' }, h('h3', { class: 'group-title' }, t('notifications.phones')), skeleton(2, { height: 42 }));
    const content = h('div', { class: 'notice-sheet' },
        h('div', { class: 'line' }, priorityChip(item.priority), item.silenced && chip(t('notifications.silenced'), 'idle', 'moon')),
        item.body && said(item.body, { tag: 'div', class: 'notice-text' }),
        Number.isInteger(item.progress) && progressOf(item.progress),
        picture, thread && h('div', null, linkButton({ label: t('notifications.toThread'), icon: 'threads', href: thread, kind: 'primary' })), acts,
        h('div', { class: 'card' }, facts([
            [t('notifications.when'), at === null ? t('common.dash') : h('span', null, t('common.at', { when: format.dateTime(at) }), ' · ', relativeTime(at))],
            [t('notifications.from'), t(item.source === 'mobile' ? 'notifications.fromPhone' : 'notifications.fromComputer')],
            item.app && [t('notifications.program'), safeText(item.app, { limit: 256 })],
            momentOf(item.readAt) !== null && [t('notifications.readAt'), relativeTime(item.readAt)],
        ].filter(Boolean))),
        dataOf(item.data, thread), delivered);
    const dialog = openDialog({
        title: safeText(item.title, { limit: 512 }), content, closed,
        actions: [
            button({ label: t('notifications.remove'), icon: 'trash', press: () => { dialog.close(); remove(); } }),
            button({ label: t('common.close'), kind: 'primary', press: () => { dialog.close(); } }),
        ],
    });
    dialog.element.classList.add('notice-dialog');
    // What is read comes first, not the field of an answer.
    dialog.element.querySelector('.dialog-actions .primary').focus();
    if (picture) showPicture(picture, { item, notifications, life: dialog.life });
    if (delivered) showDeliveries(delivered, { item, notifications, life: dialog.life });
    let may = null;
    // What is being written stays, unless it may not be sent any more.
    const allowed = () => {
        if (may === mayAct()) return;
        may = mayAct();
        drawActs(acts, { item, notifications, may, phone, life: dialog.life });
    };
    allowed();
    return { ...dialog, allowed };
}

function progressOf(part) {
    const bar = progress({ label: t('notifications.progress'), part: part / 100 });
    return h('div', { class: 'notice-progress' }, bar, h('span', { class: 'number' }, format.percent(part / 100)));
}

/** @param {string | null} thread Where the conversation stands: what names it is then no row of its own. */
function dataOf(data, thread) {
    const entries = Object.entries(data ?? {}).filter(([name, value]) => typeof value === 'string' && !(thread && ['threadId', 'source'].includes(name))).slice(0, 64);
    return entries.length > 0 && h('section', { class: 'group' }, h('h3', { class: 'group-title' }, t('notifications.data')),
        h('div', { class: 'card' }, facts(entries.map(([name, value]) => [peer(name.slice(0, 128)), said(value, { class: 'notice-value' })]))));
}

async function showPicture(place, { item, notifications, life }) {
    try {
        const blob = pictureBlob(fromBase64(await notifications.image(item.id, { signal: life.signal }) ?? '') ?? []);
        if (life.hasEnded) return;
        if (!blob) { place.replaceChildren(h('p', { class: 'small soft' }, t('notifications.noPicture'))); return; }
        const url = URL.createObjectURL(blob);
        life.add(() => URL.revokeObjectURL(url));
        place.replaceChildren(h('img', { src: url, alt: t('notifications.picture') }));
    } catch (error) {
        if (!life.hasEnded) place.replaceChildren(errorBanner(error, { text: t('notifications.noPicture'), retry: () => showPicture(place, { item, notifications, life }) }));
    }
}

function drawActs(place, { item, notifications, may, phone, life }) {
    const actions = Array.isArray(item.actions) ? item.actions.slice(0, 16) : [];
    if (actions.length === 0 && !item.canReply) return;
    if (!may) { place.replaceChildren(mayNotAct(phone)); return; }
    const trouble = h('div', null);
    // A press goes on when the sheet is closed, so that what became of it is said anywhere.
    const act = async (press, done) => {
        trouble.replaceChildren();
        try {
            await notifications.act(item.id, press);
            toast(done);
            if (!life.hasEnded) place.replaceChildren(h('p', { class: 'notice-done' }, icon('check', { size: 18 }), done));
        } catch (error) {
            if (life.hasEnded) { toast(notPressed(item, error), 'bad', 8000); return; }
            trouble.replaceChildren(error.code === 'not-allowed' ? mayNotAct(phone) : errorBanner(error, { text: t('notifications.notPressed') }));
        }
    };
    const buttons = actions.map(({ id, label }) => h('button', { type: 'button', class: 'button notice-act', on: { click: async ({ currentTarget }) => {
        currentTarget.disabled = true;
        await act({ action: id }, t('notifications.pressed'));
        currentTarget.disabled = false;
    } } }, id === 'default' && (!label || label === 'default') ? t('notifications.openThere') : safeText(label || id, { limit: 80 })));
    place.replaceChildren(...[buttons.length > 0 && h('div', { class: 'line' }, buttons), item.canReply && reply(act), trouble].filter(Boolean));
}

function reply(act) {
    const field = textField({ label: t('notifications.reply'), labelHidden: true, placeholder: t('notifications.reply'), rows: 2, attributes: { maxLength: REPLY_BYTES, spellcheck: true }, enter: () => press.click() });
    const send = async () => {
        const text = field.value;
        if (!text.trim()) { field.fail(t('notifications.replyEmpty')); return; }
        if (new TextEncoder().encode(text).length > REPLY_BYTES) { field.fail(t('notifications.tooLong', { size: format.bytes(REPLY_BYTES) })); return; }
        await act({ reply: text }, t('notifications.replied'));
    };
    const press = button({ label: t('notifications.send'), kind: 'primary', press: send });
    return h('div', { class: 'notice-reply' }, field, press);
}

/** What failed, where its sheet is not there to say it. */
function notPressed({ title }, error) {
    return [h('strong', { dir: 'auto', data: { peer: '' } }, plainText(title, 120)), h('div', { class: 'small' }, t('notifications.notPressed'), t('common.gap'), errorText(error))];
}

/** Why no button can be pressed here, and what the owner can do. */
function mayNotAct(phone) {
    const command = `tandem devices allow ${quoted(phone)} ${RIGHT}`;
    return h('div', { class: 'notice-refused' }, icon('lock', { size: 20 }), h('div', null,
        h('p', null, t('notifications.mayNotAct')),
        h('p', { class: 'small soft' }, t('notifications.mayNotActHow', { right: t('rights.notification.act') })),
        h('div', { class: 'command' }, h('code', { class: 'small', data: { peer: '' } }, command), iconButton({ label: t('common.copyWhat', { what: command }), icon: 'copy', press: () => copyText(command) }))));
}

function showDeliveries(place, { item, notifications, life }) {
    let isWhole = false;
    let isDrawn = false;
    const load = async () => {
        if (isWhole) return;
        try {
            const phones = await notifications.deliveries(item.id, { signal: life.signal });
            if (life.hasEnded) return;
            isDrawn = true;
            isWhole = phones.every(({ at }) => momentOf(at) !== null);
            place.replaceChildren(deliveries(phones));
        } catch (error) {
            if (!life.hasEnded && !isDrawn) place.replaceChildren(errorBanner(error, { retry: load }));
        }
    };
    life.every(PERIOD, load);
    load();
}

function deliveries(phones) {
    return h('section', { class: 'group' }, h('h3', { class: 'group-title' }, t('notifications.phones')),
        phones.length === 0 ? h('p', { class: 'small soft notice-none' }, t('notifications.noPhones'))
            : h('div', { class: 'card' }, facts(phones.slice(0, 100).map(({ name, device, at }) => [
                safeText(name || device, { limit: 80 }),
                momentOf(at) !== null ? h('span', { class: 'notice-got' }, icon('check', { size: 16 }), t('notifications.got'), ' ', relativeTime(at)) : h('span', { class: 'soft' }, t('notifications.notYet')),
            ]))));
}
