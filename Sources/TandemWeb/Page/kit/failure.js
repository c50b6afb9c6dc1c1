import { hasText, t } from '../i18n/index.js';

/** The page's own sentence for the reason that the program names, `reason.REASON`; null where the page knows none. */
export function reasonText(error) {
    const { reason, values } = error?.detail ?? {};
    const key = `reason.${reason}`;
    return reason && hasText(key) ? t(key, values) : null;
}

/** The page's own sentence for a failure: of its reason, else `errors.CODE`. */
export function errorText(error) {
    const key = `errors.${error?.code ?? 'internal'}`;
    return reasonText(error) ?? t(hasText(key) ? key : 'errors.internal');
}
