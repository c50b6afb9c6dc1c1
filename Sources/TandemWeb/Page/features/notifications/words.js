import { chip, h, icon, plainText, safeText } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { beginning, visible } from '../../kit/said.js';

/**
 * Programs whose kind a symbol says, by their name or the name of their icon; of any other stands the first letter.
 *
 * @type {[pattern: RegExp, symbol: string][]}
 */
const SYMBOLS = [
    [/codex/i, 'codex'], [/claude/i, 'claude'], [/gemini|agent/i, 'agent'], [/terminal|konsole|notify-when|bash|zsh/i, 'terminal'], [/mail|thunderbird|evolution/i, 'text'],
    [/firefox|chrom|browser/i, 'external'], [/update|software|package/i, 'download'], [/screen/i, 'screen'], [/battery|power/i, 'battery'],
];
/** Letters of a body that a row draws. */
const PREVIEW = 320;

/**
 * A symbol or a letter for where a notification comes from. The wire has an icon's name and never its picture, so a program is told from another by
 * its letter and a colour that its name gives it.
 */
export function sourceMark({ source, app, icon: named, priority }) {
    const known = SYMBOLS.find(([pattern]) => pattern.test(`${app ?? ''} ${named ?? ''}`))?.[1] ?? (source === 'mobile' ? 'phone' : null);
    const name = plainText(app ?? '', 60);
    const letter = known ? null : name.match(/[\p{L}\p{N}]/u)?.[0];
    return h('span', { class: ['notice-mark', letter && 'is-letter', isLoud(priority) && `is-${priority}`], ...(letter && { vars: { '--hue': hueOf(name) } }) },
        letter ? h('span', { aria: { hidden: true }, data: { peer: '' } }, letter.toLocaleUpperCase()) : icon(known ?? 'bell', { size: 20 }));
}

function hueOf(name) { return [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7); }

/** Whether a priority is worth a mark. */
export function isLoud(priority) { return priority === 'high' || priority === 'urgent'; }

/** A priority as a chip; none for one that is usual. */
export function priorityChip(priority) {
    if (priority === 'urgent') return chip(t('notifications.urgent'), 'bad', 'warning');
    if (priority === 'high') return chip(t('notifications.high'), 'warn', 'arrow-up');
    return null;
}

/**
 * The program, or else where it comes from.
 *
 * @returns {string | Node}
 */
export function sourceName({ app, source }) {
    return app ? safeText(app, { limit: 60 }) : t(source === 'mobile' ? 'notifications.fromPhone' : 'notifications.fromComputer');
}

/** A moment that a program named, in milliseconds since 1970; null for none that a calendar has. */
export function momentOf(value) { return Number.isFinite(value) && Math.abs(value) <= 8.64e15 ? value : null; }

/** How the sentence begins that `tandem notify-when` writes. */
const ENDED = /^(?:Done|Failed with status \d+|Ended by signal \d+) after [^\n]{1,40}\.$/;

/**
 * What a notification says. How a command ended stands beside the sentence as numbers, so that the page says it in its own language.
 */
export function bodyOf({ body, data }) {
    const [duration, status, signal] = ['duration', 'exit code', 'signal'].map((name) => /^(\d{1,9}(?:\.\d)?)(?: s)?$/.exec(data?.[name] ?? '')?.[1]);
    if (duration === undefined || (status ?? signal) === undefined || !ENDED.test(body ?? '')) return body;
    const seconds = Number(duration);
    const time = seconds < 60 ? t('notifications.seconds', { seconds: format.number(seconds, 1, 1) }) : format.duration(seconds * 1000);
    if (signal !== undefined) return t('notifications.endedBy', { signal, time });
    return status === '0' ? t('notifications.endedWell', { time }) : t('notifications.endedBadly', { status, time });
}

/** The beginning of a body on one line. */
export function previewOf(item) {
    const body = bodyOf(item);
    return visible(beginning(body, PREVIEW)).replace(/\s+/g, ' ').trim();
}

/** A title inside of a sentence: it turns no other word around. */
export function titleOf({ title }) { return `\u2068${plainText(title, 160)}\u2069`; }
