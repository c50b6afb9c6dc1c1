import { button, emptyState } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/**
 * Why a list of notifications is empty.
 *
 * @param {{filter: {unread: boolean, words: string, app: string}, notifications: Object, showAll: () => void}} options
 */
export function noNotices({ filter, notifications, showAll }) {
    if (filter.words) return emptyState({ icon: 'search', title: t('notifications.nothingFound'), text: t('notifications.nothingFoundText') });
    if (filter.unread || filter.app) {
        return emptyState({
            icon: 'check', title: t(filter.unread ? 'notifications.allRead' : 'notifications.noneSuch'),
            actions: [button({ label: t('notifications.showAll'), press: showAll })],
        });
    }
    const text = notifications.isAll ? t('notifications.noneAll') : notifications.device ? t('notifications.noneText') : t('notifications.noneHere');
    return emptyState({ icon: 'bell', title: t('notifications.none'), text });
}
