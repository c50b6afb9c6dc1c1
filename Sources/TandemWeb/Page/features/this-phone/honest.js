import { card, facts } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/** What a person trusts who makes this browser their phone. */
export function honestWords() {
    const host = { host: location.host };
    return card({ title: t('thisPhone.honest'), icon: 'shield' }, facts([
        [t('thisPhone.sealed'), t('thisPhone.sealedText', host)],
        [t('thisPhone.served'), t('thisPhone.servedText', host)],
        [t('thisPhone.kept'), t('thisPhone.keptText')],
    ]));
}
