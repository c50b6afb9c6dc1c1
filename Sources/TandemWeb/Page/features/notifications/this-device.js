import { banner, button, errorText, errorToast, group, h, switchRow } from '../../kit/index.js';
import { localSettings } from '../../client/notifications.js';
import { t } from '../../i18n/index.js';
import { canPush, isPushed, startPush, stopPush } from './push.js';

const LATER = 'tandem.notifications.later';

/** `granted`, `denied`, `default`, or `unsupported`. */
function permission() { return 'Notification' in window ? Notification.permission : 'unsupported'; }

/**
 * The strip that asks whether this browser may show notifications, or says that it may not. A browser asks only after a press.
 *
 * @param {{settings: () => void}} options What leads to the settings.
 * @returns {HTMLElement}
 */
export function permissionStrip({ settings }) {
    const place = h('div', { class: 'notice-permission' });
    const draw = () => {
        const state = permission();
        if (state === 'denied') {
            place.replaceChildren(banner({ kind: 'warn', text: t('notifications.denied'), dismissable: true, actions: [button({ label: t('notifications.settings'), kind: 'quiet', press: settings })] }));
        } else if (state === 'default' && !localStorage.getItem(LATER)) {
            const strip = banner({
                kind: 'info', text: t('notifications.ask'), actions: [
                    button({ label: t('notifications.notNow'), kind: 'quiet', press: () => { localStorage.setItem(LATER, '1'); draw(); } }),
                    button({ label: t('notifications.allow'), kind: 'quiet', press: async () => { await Notification.requestPermission(); draw(); } }),
                ],
            });
            place.replaceChildren(strip);
        } else {
            place.replaceChildren();
        }
    };
    draw();
    return place;
}

/** What this phone's browser does with notifications, of all computers. */
export function thisDevice({ client, life, changed }) {
    const element = h('div', null);
    const state = h('div', { class: 'notice-device' });
    const trouble = h('div', { class: 'notice-trouble' });
    const pushPlace = h('div', null);
    let local = null;

    const drawState = () => {
        const now = permission();
        state.replaceChildren(banner({
            kind: { granted: 'good', denied: 'warn' }[now] ?? 'info', text: t(`notifications.permission.${now}`), detail: now === 'granted' ? null : t(`notifications.permission.${now}.text`),
            actions: now === 'default' ? [button({ label: t('notifications.allow'), kind: 'quiet', press: async () => { await Notification.requestPermission(); drawState(); changed?.(); } })] : [],
        }));
    };
    const flag = (name) => {
        const row = switchRow({
            label: t(`notifications.local.${name}`), detail: t(`notifications.local.${name}.text`), on: local[name] !== false,
            change: async (on) => {
                try {
                    local = { ...local, ...await localSettings(client, { [name]: on }) };
                    if (name === 'enabled') await drawPush();
                } catch (error) {
                    errorToast(error);
                    throw error;
                }
            },
        });
        row.control.dataset.local = name;
        return row;
    };
    /** A browser shows every push, so without banners here there is none. */
    const drawPush = async () => {
        const isOff = local.enabled === false;
        let isOn = await isPushed().catch(() => false);
        if (isOn && isOff) {
            isOn = false;
            await stopPush(client).catch(errorToast);
        }
        pushPlace.replaceChildren(push(isOn, isOff));
    };
    const push = (isOn, isOff) => {
        const detail = { false: 'notifications.push.not', true: isOff ? 'notifications.push.off' : 'notifications.push.text' }[canPush()];
        const row = switchRow({
            label: t('notifications.push'), detail: t(detail), on: isOn, disabled: !canPush() || isOff,
            change: async (on) => {
                trouble.replaceChildren();
                try {
                    await (on ? startPush(client) : stopPush(client));
                } catch (error) {
                    trouble.replaceChildren(banner({ kind: 'bad', text: t('notifications.pushFailed'), detail: errorText(error), dismissable: true }));
                    throw error;
                } finally {
                    drawState();
                }
            },
        });
        row.control.dataset.local = 'push';
        return row;
    };
    (async () => {
        local = await localSettings(client).catch(() => ({}));
        await drawPush();
        if (life.hasEnded) return;
        element.replaceChildren(group({ title: t('notifications.thisDevice'), foot: t('notifications.thisDeviceFoot'), rows: [state, flag('enabled'), flag('sound'), flag('preview'), pushPlace, trouble] }));
    })();
    drawState();
    return element;
}
