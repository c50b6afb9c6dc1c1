import { ClientError } from '../../client/client.js';
import { registerPush } from '../../client/notifications.js';

/** A browser without a push service never answers, so it is not waited for any longer, in milliseconds. */
const PATIENCE = 12_000;

/** Whether this browser can be woken while the page is closed. */
export function canPush() { return 'serviceWorker' in navigator && 'PushManager' in window; }

/** Whether it is. */
export async function isPushed() {
    const registration = await navigator.serviceWorker?.getRegistration();
    return Boolean(await registration?.pushManager?.getSubscription());
}

/**
 * Subscribes at the browser's push service, and tells every computer. The key that computers prove themselves with is made here: a
 * subscription is bound to one.
 *
 * @throws {ClientError} With the reason `pushDenied`, `pushTimeout` or `pushRefused`.
 */
export async function startPush(client) {
    if (await Notification.requestPermission() !== 'granted') throw new ClientError('refused', '', { reason: 'pushDenied' });
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration) throw new ClientError('refused', '', { reason: 'pushRefused' });
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    const [publicKey, { d }] = await Promise.all([crypto.subtle.exportKey('raw', pair.publicKey), crypto.subtle.exportKey('jwk', pair.privateKey)]);
    const subscription = await within(PATIENCE, registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
    const { endpoint, keys } = subscription.toJSON();
    try {
        await registerPush(client, { endpoint, p256dh: keys.p256dh, auth: keys.auth, applicationKey: d });
    } catch (error) {
        await subscription.unsubscribe();
        throw error;
    }
}

export async function stopPush(client) {
    const registration = await navigator.serviceWorker?.getRegistration();
    await (await registration?.pushManager?.getSubscription())?.unsubscribe();
    await registerPush(client, null);
}

async function within(milliseconds, work) {
    let timer;
    const end = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new ClientError('refused', '', { reason: 'pushTimeout' })), milliseconds);
    });
    // What comes too late is not kept.
    work.then((late) => { if (timer === null) late.unsubscribe(); }, () => {});
    try {
        return await Promise.race([work, end]);
    } catch (error) {
        timer = null;
        throw error instanceof ClientError ? error : new ClientError('refused', '', { reason: 'pushRefused' });
    } finally {
        if (timer !== null) clearTimeout(timer);
    }
}
