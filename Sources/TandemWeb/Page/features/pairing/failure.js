import { errorText, safeText } from '../../kit/index.js';
import { hasText, t } from '../../i18n/index.js';
import { isolated } from '../../kit/isolated.js';

/** What the person may allow to go on all the same. */
const REMEDIES = {
    keyChanged: { acceptNewIdentity: true },
    notEndToEnd: { allowUnsealed: true },
};

/**
 * That a code is tried although the clocks differ, of an item `clocks`; null of none.
 *
 * @param {{reason: string, values: Object} | null} item
 */
export function clocksText(item) {
    const seconds = item?.values?.ageSeconds ?? item?.values?.aheadSeconds;
    if (!Number.isFinite(seconds)) return null;
    return t(item.reason === 'codeFromTheFuture' ? 'pairing.clocksAhead' : 'pairing.clocksBehind', { seconds });
}

/**
 * A failure of pairing for a screen. The program names its reason in `detail.reason` (and what belongs to it in `detail.values`); for a
 * reason that this page does not know, the program's own sentence is shown.
 *
 * @param {import('../../client/client.js').Failure | null} error
 * @param {string} [name] The computer's, where it is known.
 */
export function describeFailure(error, name) {
    const reason = error?.detail?.reason ?? null;
    const values = { ...error?.detail?.values };
    values.name = values.name || name ? isolated(values.name || name) : t('pairing.theComputer');
    const key = `pairing.failed.${reason}`;
    if (!reason || !hasText(key)) {
        return { title: t('pairing.failed'), text: errorText(error), detail: error?.message || null };
    }
    return {
        title: t(key, values),
        text: t(`${key}.do`, values),
        ways: values.attempts?.map(({ way, reason: why }) => [t(`pairing.way.${way}`), safeText(why)]),
        // The sentence says more than the page where the reason is open.
        detail: reason === 'notSent' || reason === 'refused' ? error.message : null,
        remedy: REMEDIES[reason] && {
            options: REMEDIES[reason], label: t(`${key}.anyway`), text: t(`${key}.warning`, values),
        },
    };
}
