import { group, icon, listRow } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/** What a person trusts who makes this browser their phone. */
export function honestWords() {
    const host = { host: location.host };
    return group({ title: t('thisPhone.honest'), rows: [
        listRow({ lead: icon('lock'), title: t('thisPhone.sealed'), detail: t('thisPhone.sealedText', host) }),
        listRow({ lead: icon('hub'), title: t('thisPhone.served'), detail: t('thisPhone.servedText', host) }),
        listRow({ lead: icon('key'), title: t('thisPhone.kept'), detail: t('thisPhone.keptText') }),
    ] });
}
