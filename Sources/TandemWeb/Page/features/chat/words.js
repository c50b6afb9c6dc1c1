import { plainText } from '../../kit/first.js';
import { format, hasText, t } from '../../i18n/index.js';
import { visible } from '../../kit/said.js';

/** Of a text that stands on one line. */
const LINE = 160;

/** The name of the other person as a string, for names of controls and inside of sentences. */
export function nameOf({ name }) { return `\u2068${plainText(name, 60)}\u2069`; }

/** What a message is in one line. Source: rule L5 and the words of its kinds. */
export function lineOf({ kind, text }) {
    if (kind === 'text') return visible(text.slice(0, LINE)).replaceAll(/\s+/g, ' ');
    const word = t(hasText(`chat.kind.${kind}`) ? `chat.kind.${kind}` : 'chat.kind.unknown');
    return kind === 'quote' && text ? `${word} ${visible(text.slice(0, LINE)).replaceAll(/\s+/g, ' ')}` : word;
}

/** Whether a line is what a person wrote. */
export function isWritten({ kind, text }) { return kind === 'text' || (kind === 'quote' && text !== ''); }

/** Why a message cannot be read, or is not to be believed. */
export function troubleText(trouble) {
    const key = `chat.trouble.${trouble}`;
    return t(hasText(key) ? key : 'chat.trouble.damaged');
}

/** What this phone says in a sealed conversation when the other person's list of devices changed. */
export function noticeText({ added, removed, isAnew }, row) {
    const name = row ? nameOf(row) : t('chat.them');
    const devices = (names) => format.list(names.map((each) => nameOf({ name: each })));
    const sentences = [
        isAnew && t('chat.devices.anew', { name }),
        added.length > 0 && t('chat.devices.added', { name, devices: devices(added) }),
        removed.length > 0 && t('chat.devices.removed', { name, devices: devices(removed) }),
    ].filter(Boolean);
    return sentences.length > 0 ? sentences.join(t('common.gap')) : t('chat.devices.changed', { name });
}

/** `12″`. Source: rule C10. */
export function secondsText(seconds) { return `${seconds}″`; }

/** Who can read a conversation, in one sentence. */
export function sealText({ isSealed }) { return t(isSealed ? 'chat.sealedText' : 'chat.clearText'); }
