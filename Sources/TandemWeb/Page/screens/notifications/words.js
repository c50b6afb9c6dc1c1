import { chip, h, icon, plainText, safeText } from '../../components/index.js';
import { t } from '../../i18n/index.js';
import { beginning, visible } from '../threads/text.js';

/** Programs whose kind a symbol says; any other has a bell. */
const SYMBOLS = [
    [/codex/i, 'codex'], [/claude/i, 'claude'], [/gemini|agent/i, 'agent'], [/terminal|konsole|notify-when|bash|zsh/i, 'terminal'], [/mail|thunderbird|evolution/i, 'text'],
    [/firefox|chrom|browser/i, 'external'], [/update|software|package/i, 'download'], [/screen/i, 'screen'], [/battery|power/i, 'battery'],
];
/** Letters of a body that a row draws. */
const PREVIEW = 320;

/** A symbol for where a notification comes from. */
export function sourceMark({ source, app, priority }) {
    const known = SYMBOLS.find(([pattern]) => pattern.test(app ?? ''));
    return h('span', { class: ['notice-mark', isLoud(priority) && `is-${priority}`] }, icon(known?.[1] ?? (source === 'mobile' ? 'phone' : 'bell'), { size: 20 }));
}

/** Whether a priority is worth a mark. */
export function isLoud(priority) { return priority === 'high' || priority === 'urgent'; }

/** A priority as a chip; none for one that is usual. */
export function priorityChip(priority) {
    if (priority === 'urgent') return chip(t('notifications.urgent'), 'bad', 'warning');
    if (priority === 'high') return chip(t('notifications.high'), 'warn', 'arrow-up');
    return null;
}

/** The program, or else where it comes from. @returns {string | Node} */
export function sourceName({ app, source }) {
    return app ? safeText(app, { limit: 60 }) : t(source === 'mobile' ? 'notifications.fromPhone' : 'notifications.fromComputer');
}

/** A moment that a program named, in milliseconds since 1970; null for none that a calendar has. */
export function momentOf(value) { return Number.isFinite(value) && Math.abs(value) <= 8.64e15 ? value : null; }

/** The beginning of a body on one line. */
export function previewOf(body) { return visible(beginning(body, PREVIEW)).replace(/\s+/g, ' ').trim(); }

/** A title inside of a sentence: it turns no other word around. */
export function titleOf({ title }) { return `\u2068${plainText(title, 160)}\u2069`; }
