import { fromBase64, pictureBlob } from '../../kit/bytes.js';
import {
    button, chip, errorBanner, errorText, facts, find, h, icon, iconButton, linkButton, openDialog, peer, plainText, progress, relativeTime, safeText, skeleton, textField, toast, copyText,
} from '../../kit/index.js';
import { quoted } from '../../kit/shell.js';
import { format, t } from '../../i18n/index.js';
import { threadLinkOf } from './thread-link.js';
import { said } from '../../kit/said.js';
import { bodyOf, momentOf, priorityChip } from './words.js';

const REPLY_BYTES = 8192;
const RIGHT = 'notification.act';
/** How often it is asked which phones have one, until all do, in milliseconds. */
const PERIOD = 3000;
/** So long the buttons of one that changed under the finger take no press, in milliseconds. */
const HELD = 1000;

/**
 * All of one notification, with what can be done with it.
 *
 * @param {Object} options
 * @param {Object} options.item
 * @param {Object} options.notifications
 * @param {(item: Object) => boolean} options.mayAct
 * @param {string} [options.phone] This phone's name, for the command that the owner can type.
 * @param {() => void} options.remove
 * @param {() => void} options.closed
 * @returns {{close(): void, allowed(): void, follow(item: Object): void}} `allowed` once what may be done changed, `follow` once the notification did.
 */
export function showNotice({ item, notifications, mayAct, phone, remove, closed }) {
    const [top, picture, way, bottom] = Array.from({ length: 4 }, () => h('div', { class: 'notice-part' }));
    const delivered = !notifications.device && h('div', { class: 'notice-phones' }, h('h3', { class: 'group-title' }, t('notifications.phones')), skeleton(2, { height: 42 }));
    const acts = h('div', { class: 'notice-answer' });
    const dialog = openDialog({
        title: safeText(item.title, { limit: 512 }), content: h('div', { class: 'notice-sheet' }, top, picture, way, acts, bottom, delivered), closed,
        actions: [
            button({ label: t('notifications.remove'), icon: 'trash', press: () => { dialog.close(); remove(); } }),
            button({ label: t('common.close'), kind: 'primary', press: () => { dialog.close(); } }),
        ],
    });
    dialog.element.classList.add('notice-dialog');
    // What is read comes first, not the field of an answer.
    const leave = find(dialog.element, '.dialog-actions .primary');
    leave.focus();
    const draw = () => {
        const at = momentOf(item.createdAt);
        const thread = threadLinkOf(item.data, notifications.device);
        dialog.element.querySelector('.dialog-title').replaceChildren(safeText(item.title, { limit: 512 }));
        top.replaceChildren(...[
            h('div', { class: 'line' }, priorityChip(item.priority), item.silenced && chip(t('notifications.silenced'), 'idle', 'moon')),
            item.body && said(bodyOf(item), { tag: 'div', class: 'notice-text' }),
            Number.isInteger(item.progress) && progressOf(item.progress),
        ].filter(Boolean));
        way.replaceChildren(...(thread ? [h('div', null, linkButton({ label: t('notifications.toThread'), icon: 'threads', href: thread, kind: 'primary' }))] : []));
        bottom.replaceChildren(...[
            h('div', { class: 'card' }, facts([
                [t('notifications.when'), at === null ? t('common.dash') : h('span', null, t('common.at', { when: format.dateTime(at) }), ' · ', relativeTime(at))],
                [t('notifications.from'), item.computerName ? safeText(item.computerName, { limit: 80 }) : t(item.source === 'mobile' ? 'notifications.fromPhone' : 'notifications.fromComputer')],
                item.app && [t('notifications.program'), safeText(item.app, { limit: 256 })],
                momentOf(item.readAt) !== null && [t('notifications.readAt'), relativeTime(item.readAt)],
            ].filter(Boolean))),
            dataOf(item.data, thread),
        ].filter(Boolean));
    };
    const drawPicture = () => {
        const place = item.hasImage && h('div', { class: 'notice-picture' }, skeleton(1, { height: 200 }));
        picture.replaceChildren(...(place ? [place] : []));
        if (place) showPicture(place, { item, notifications, life: dialog.life });
    };
    draw();
    drawPicture();
    if (delivered) showDeliveries(delivered, { item, notifications, life: dialog.life });
    const answers = answersTo(acts, { notifications, phone, life: dialog.life, leave });
    let may = null;
    const allowed = () => {
        if (may === mayAct(item)) return;
        may = mayAct(item);
        answers.show(item, may);
    };
    allowed();
    const follow = (next) => {
        const former = item;
        if (dialog.life.hasEnded || shownOf(former) === shownOf(next)) return;
        item = next;
        draw();
        if (next.hasImage !== former.hasImage || next.alert !== former.alert) drawPicture();
        if (questionOf(former) === questionOf(next)) return;
        answers.show(item, may);
        answers.hold();
    };
    return { ...dialog, allowed, follow };
}

/** All that a sheet shows of one; when it was read is nothing new. */
function shownOf({ alert, title, body, priority, silenced, progress, hasImage, data, app, actions, canReply, createdAt }) {
    return JSON.stringify([alert, title, body, priority, silenced, progress, hasImage, data, app, actions, canReply, createdAt]);
}

/** Whether its program takes a press or an answer. */
function isAsking(item) { return item?.actions?.length > 0 || item?.canReply === true; }

/** What its buttons answer. The text of something under way says how far it is, again and again, and asks nothing new. */
function questionOf({ alert, title, body, progress, actions, canReply }) {
    return JSON.stringify([title, actions, canReply, Number.isInteger(progress) ? null : [alert, body]]);
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

/**
 * The buttons of one, and the field of an answer: what is being written stays while it may be sent.
 *
 * @param {HTMLElement} place
 * @param {{notifications: Object, phone?: string, life: import('../../life.js').Life, leave: HTMLElement}} context `leave` gets the keyboard where a
 *   button goes that had it.
 * @returns {{show(item: Object, may: boolean): void, hold(): void}}
 */
function answersTo(place, { notifications, phone, life, leave }) {
    const line = h('div', { class: 'line' });
    const trouble = h('div', null);
    const changed = h('p', { class: 'small soft', role: 'status' });
    let item = null;
    let turn = 0;
    let field = null;
    let timer = null;
    life.add(() => clearTimeout(timer));

    // A press goes on when the sheet is closed or shows something else by then, so that what became of it is said anywhere.
    const act = async (press, done) => {
        const [mine, pressed] = [turn, item];
        trouble.replaceChildren();
        try {
            await notifications.act(pressed.id, press);
            toast(done);
            if (life.hasEnded || mine !== turn) return;
            field = null;
            place.replaceChildren(h('p', { class: 'notice-done' }, icon('check', { size: 18 }), done));
        } catch (error) {
            if (life.hasEnded || mine !== turn) { toast(notPressed(pressed, error), 'bad', 8000); return; }
            trouble.replaceChildren(error.code === 'not-allowed' ? mayNotAct(phone) : errorBanner(error, { text: t('notifications.notPressed') }));
        }
    };
    const actButton = ({ id, label }) => h('button', { type: 'button', class: 'button notice-act', on: { click: async ({ currentTarget }) => {
        currentTarget.disabled = true;
        await act({ action: id }, t('notifications.pressed'));
        currentTarget.disabled = false;
    } } }, id === 'default' && (!label || label === 'default') ? t('notifications.openThere') : safeText(label || id, { limit: 80 }));

    /** Puts what is there into its place; a field that stays is not taken out, for it would lose the keyboard. */
    const put = (parts) => {
        for (const each of [...place.children]) if (!parts.includes(each)) each.remove();
        parts.forEach((each, at) => { if (place.children[at] !== each) place.insertBefore(each, place.children[at] ?? null); });
        place.hidden = parts.length === 0;
    };
    const show = (next, may) => {
        const wasAsking = isAsking(item);
        item = next;
        turn += 1;
        const had = place.contains(document.activeElement);
        const actions = Array.isArray(item.actions) ? item.actions.slice(0, 16) : [];
        trouble.replaceChildren();
        changed.replaceChildren();
        field = may && item.canReply ? field ?? reply(act) : null;
        line.replaceChildren(...actions.map(actButton));
        if (!isAsking(item)) {
            // What was pressed here says that it was.
            if (place.querySelector('.notice-done')) return;
            if (wasAsking) changed.replaceChildren(t('notifications.takesNone'));
            put(wasAsking ? [changed] : []);
        } else put(may ? [actions.length > 0 && line, field, trouble, changed].filter(Boolean) : [mayNotAct(phone)]);
        if (had && !place.contains(document.activeElement)) leave.focus();
    };
    /** Takes no press for a moment: it may be meant for what stood there before. */
    const hold = () => {
        const held = [...place.querySelectorAll('button')];
        // Nothing can be pressed.
        if (held.length === 0 || !changed.isConnected) return;
        if (held.some((each) => each === document.activeElement)) leave.focus();
        for (const each of held) each.disabled = true;
        changed.replaceChildren(t('notifications.changedNow'));
        clearTimeout(timer);
        timer = setTimeout(() => {
            changed.replaceChildren();
            for (const each of place.querySelectorAll('button')) each.disabled = false;
        }, HELD);
    };
    return { show, hold };
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
