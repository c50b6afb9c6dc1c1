import { emptyState } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/** In the place of a file's content that is not shown: why. */
export function unshown(symbol, text) {
    return emptyState({ icon: symbol === 'folder' ? 'file' : symbol, title: t('files.noPreview'), text });
}
