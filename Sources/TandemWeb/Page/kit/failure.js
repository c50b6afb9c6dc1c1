import { hasText, t } from '../i18n/index.js';
import { plainText } from './safe.js';

/** Letters of a hub's sentence. The program keeps 300 bytes of it. */
const LONGEST = 300;

/** The page's own sentence for the reason that the program names, `reason.REASON`; null where the page knows none. */
export function reasonText(error) {
    const { reason, values } = error?.detail ?? {};
    const key = `reason.${reason}`;
    return reason && hasText(key) ? t(key, values) : null;
}

/** What a hub said itself where it refused, after words that say whose they are; null where it said nothing. */
export function hubText(error) {
    const { reason, values } = error?.detail ?? {};
    const sentence = reason === 'refused' && typeof values?.hub === 'string' ? values.hub.trim() : '';
    return sentence ? t('errors.hubSays', { sentence: plainText(sentence, LONGEST) }) : null;
}

/** The page's own sentence for a failure: of its reason, else `errors.CODE`. */
export function ownText(error) {
    const key = `errors.${error?.code ?? 'internal'}`;
    return reasonText(error) ?? t(hasText(key) ? key : 'errors.internal');
}

/** The page's own sentence, and behind it what a hub said. */
export function errorText(error) {
    const said = hubText(error);
    return said ? `${ownText(error)}${t('common.gap')}${said}` : ownText(error);
}
