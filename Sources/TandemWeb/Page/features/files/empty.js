import { button, emptyState, linkButton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { parentPath } from './paths.js';

/** What stands in the place of a folder's rows where there are none, each with what leads on. `address` makes the address of a place. */

export function notShared(address) {
    return emptyState({ icon: 'lock', title: t('files.notShared'), text: t('files.notSharedText'), actions: [toHome(address)] });
}

export function folderGone(path, address) {
    const above = parentPath(path);
    return emptyState({
        icon: 'folder', title: t('files.folderGone'), text: t('files.folderGoneText'),
        actions: [above && linkButton({ label: t('files.up'), icon: 'arrow-up', href: address({ path: above }) }), toHome(address)].filter(Boolean),
    });
}

export function noMatch(deep) {
    return emptyState({ icon: 'search', title: t('files.noMatch'), text: t('files.noMatchText'), actions: [deep] });
}

export function foundNothing(path, address) {
    return emptyState({
        icon: 'search', title: t('files.foundNothing'), text: t('files.foundNothingText'), actions: [linkButton({ label: t('files.searchEnd'), href: address({ path }) })],
    });
}

export function emptyFolder(showsHidden, upload) {
    return emptyState({
        icon: 'folder', title: t('files.empty'), text: t(showsHidden ? 'files.emptyText' : 'files.emptyHiddenText'),
        actions: [button({ label: t('files.uploadFiles'), icon: 'upload', kind: 'primary', press: upload })],
    });
}

function toHome(address) { return linkButton({ label: t('files.home'), icon: 'home', href: address({}) }); }
