import { h, icon, safeText } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { segments } from './paths.js';

/**
 * Where a folder lies: the shared folder first, then the folders to it. The last is the one that is shown. What lies above what is shared
 * leads nowhere, so it is not offered: outside of the shared folder, or while that is not known, only the folder's own name stands there.
 *
 * @param {{path: string, home: string | null, address: (path: string) => string}} options
 */
export function crumbs({ path, home, address }) {
    const all = segments(path);
    const below = home ? segments(home).length : 0;
    const isBelowHome = below > 0 && all[below - 1]?.path === home;
    const shown = isBelowHome ? all.slice(below) : all.slice(-1);
    const isHome = (isBelowHome || path === '') && shown.length === 0;
    const list = h('ol', { class: 'crumb-list' },
        h('li', null, h('a', {
            class: 'crumb', href: address(''), title: t('files.home'), aria: { label: t('files.home'), current: isHome ? 'page' : null },
        }, icon('home', { size: 20 }), isHome && h('span', { class: 'crumb-home' }, t('files.home')))),
        shown.map((each, index) => h('li', null, icon('chevron-right', { size: 14 }), h('a', {
            class: 'crumb', href: address(each.path), aria: { current: index === shown.length - 1 ? 'page' : null },
        }, safeText(each.name, { limit: 40 })))));
    const element = h('nav', { class: 'crumbs', aria: { label: t('files.where') } }, list);
    // The end is what matters where there is no room for all.
    requestAnimationFrame(() => { list.scrollLeft = list.scrollWidth; });
    return element;
}
