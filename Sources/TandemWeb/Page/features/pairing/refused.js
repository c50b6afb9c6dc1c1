import { banner, button, emptyState, safeText } from '../../kit/index.js';
import { hasText, t } from '../../i18n/index.js';

/**
 * Who was refused without a question, and why.
 *
 * @param {Object[]} refused
 * @param {{allowUnsealed?: () => void}} options
 */
export function refusedBanners(refused, { allowUnsealed } = {}) {
    return refused.map((each) => {
        const isKnown = hasText(`hosting.refused.${each.reason}`);
        return banner({
            kind: 'warn', dismissable: true,
            text: [safeText(each.name), ` ${t('hosting.wasRefused')}`],
            detail: isKnown ? t(`hosting.refused.${each.reason}`) : safeText(each.message),
            actions: each.reason === 'cannotSeal' && allowUnsealed
                ? [button({ label: t('hosting.allowUnsealedShow'), kind: 'quiet', press: allowUnsealed })] : [],
        });
    });
}

/** What is shown while nobody asks. */
export function nobodyAsks() {
    return emptyState({ icon: 'shield-check', title: t('hosting.nobody'), text: t('hosting.nobodyText') });
}
