import {
    button, confirm, errorBanner, errorToast, h, icon, linkButton, listRow, middle, plainText, relativeTime, safeText, toast,
} from './first.js';
import { hasText, t } from '../i18n/index.js';

const SYMBOLS = {
    terminal: 'terminal', 'terminal-view': 'eye', upload: 'upload', download: 'download', clipboard: 'clipboard', screen: 'screen', threads: 'threads', 'saved-command': 'keyboard',
    port: 'network',
};

/** What something that runs is, after its phone's name. */
export function activityWords(activity) {
    const key = `activity.kind.${activity.kind}`;
    return hasText(key) ? t(key) : safeText(activity.words);
}

/** Which one it is: what the program says of it, or in the page's words where it names a program. */
export function activityDetail({ detail, program, process }) {
    return program && Number.isInteger(process) ? t('activity.program', { program: plainText(program, 200), process }) : plainText(detail ?? '');
}

/**
 * A row for something that a phone keeps going here, with a button that ends it.
 *
 * @param {import('../client/client.js').Client} client
 * @param {Object} activity
 * @param {{withPhone?: boolean, ended?: () => void}} options
 */
export function activityRow(client, activity, { withPhone = true, ended = () => {} } = {}) {
    const details = [withPhone && safeText(activity.name || activity.device), activity.since && relativeTime(activity.since)].filter(Boolean);
    return listRow({
        lead: icon(SYMBOLS[activity.kind] ?? 'activity'), title: activityWords(activity),
        detail: [
            details.length > 0 && h('span', { class: 'dotted' }, details.map((each) => h('span', { class: 'dotted-part' }, each))),
            activity.detail && middle(activityDetail(activity), { tail: 16, mono: false }),
        ],
        actions: [
            activity.kind !== 'screen' && button({ label: t('activity.end'), press: () => endOne(client, activity).then((isDone) => isDone && ended()) }),
            // Each picture is over at once: only the right to take the next one can be taken back.
            activity.kind === 'screen' && withPhone && linkButton({ label: t('phones.mayDo'), href: `#/phones/${encodeURIComponent(activity.device)}` }),
        ].filter(Boolean),
    });
}

/** Ends one; a shell's programs end with it, so that is asked about first. */
async function endOne(client, activity) {
    if (activity.kind !== 'terminal') {
        try {
            await end(client, { activities: [activity.id] });
            return true;
        } catch (error) {
            errorToast(error);
            return false;
        }
    }
    return confirm({
        title: t('activity.endShell'), text: [t('activity.endShellText'), ' ', safeText(activityDetail(activity), { class: 'mono' })],
        action: t('activity.end'), work: () => end(client, { activities: [activity.id] }),
    });
}

/**
 * Ends everything, once the person has said yes.
 *
 * @returns {Promise<boolean>}
 */
export function endAll(client, count) {
    return confirm({
        title: t('activity.endAllTitle', { count }), text: t('activity.endAllText'), action: t('activity.endAll'),
        work: () => end(client, { activities: [], all: true }),
    });
}

async function end(client, params) {
    const { ended, notEnded } = await client.call('activity.end', params);
    if (notEnded.length > 0 && ended.length === 0) toast(t('activity.overAlready'), 'info');
    else toast(t('activity.ended', { count: ended.length }));
}

/** What ended because a right was taken back or a phone was forgotten, in a sentence. */
export function toastEnded(ended, otherwise) {
    toast(ended?.length > 0 ? t('activity.endedWithIt', { count: ended.length }) : otherwise);
}

/**
 * Keeps a list of what runs up to date.
 *
 * @param {{client: Object, life: Object}} context
 * @param {{phone?: string, draw: (activities: Object[], again: () => void) => void, failed: (banner: Node) => void}} options
 */
export function followActivities({ client, life }, { phone, draw, failed }) {
    let isDrawn = false;
    const load = async () => {
        try {
            const { activities } = await client.call('activity.list', phone ? { id: phone } : {}, { signal: life.signal });
            if (life.hasEnded) return;
            isDrawn = true;
            draw(activities, load);
        } catch (error) {
            // While the program does not answer, the frame says so, and what was here stays.
            if (!life.hasEnded && !(isDrawn && client.state !== 'live')) failed(errorBanner(error, { retry: load }));
        }
    };
    for (const topic of ['activity', 'reset']) life.add(client.events(topic, load));
    return load();
}
