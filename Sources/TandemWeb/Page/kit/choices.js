import { t } from '../i18n/index.js';
import { badge } from './chip.js';
import { h, part, uniqueId } from './h.js';
import { icon } from './icon.js';
import { openMenu } from './menu.js';

/**
 * One of a few, side by side. Left and right choose.
 *
 * @param {Object} options
 * @param {string} options.label What is chosen.
 * @param {{id: string, label: string, icon?: string}[]} options.options
 * @param {string} options.value
 * @param {(id: string) => void} options.change
 * @returns {HTMLElement & {select(id: string): void}}
 */
export function segmented({ label, options, value, change }) {
    const name = uniqueId('choice');
    const element = h('div', { class: 'segmented', role: 'radiogroup', aria: { label } }, options.map((option) => {
        const id = uniqueId('option');
        const input = h('input', {
            type: 'radio', name, id, value: option.id, checked: option.id === value, on: { change: () => change(option.id) },
        });
        return [input, h('label', { htmlFor: id }, option.icon && icon(option.icon, { size: 18 }), h('span', null, option.label))];
    }));
    const select = (id) => {
        for (const input of element.querySelectorAll('input')) input.checked = input.value === id;
    };
    return part(element, { select });
}

/**
 * A strip of tabs, as many as there is room for; the others stand behind “More”, which wears the name of the one that is shown and all of their
 * badges. The tabs are links, so that back and bookmarks work.
 *
 * @param {Object} options
 * @param {string} options.label
 * @param {{id: string, label: string, icon?: string, href: string}[]} options.tabs
 * @param {string} options.current
 * @returns {HTMLElement & {select(id: string): void, badge(id: string, count: number, words?: string): void}}
 */
export function tabStrip({ label, tabs, current }) {
    const links = new Map(tabs.map((tab) => [tab.id, h('a', { class: 'tab', href: tab.href },
        tab.icon && icon(tab.icon, { size: 20 }), h('span', null, tab.label))]));
    const all = [...links.values()];
    const counts = new Map();
    const moreLabel = h('span', null);
    const more = h('button', { type: 'button', class: 'tab tab-more', aria: { haspopup: 'menu', expanded: 'false' }, on: { click: () => open() } },
        icon('more', { size: 20 }), h('span', null, h('span', { class: 'visually-hidden' }), moreLabel));
    const element = h('nav', { class: 'tabs', aria: { label } }, all, more);

    const behind = () => tabs.filter(({ id }) => links.get(id).hidden);
    const open = () => openMenu({
        label: t('common.more'), anchor: more,
        items: behind().map((tab) => ({
            label: [tab.label, counts.get(tab.id)?.count].filter(Boolean).join(' · '), icon: tab.icon, press: () => links.get(tab.id).click(),
        })),
    });
    const drawMore = () => {
        const shown = behind().find(({ id }) => links.get(id).hasAttribute('aria-current'));
        if (shown) more.setAttribute('aria-current', 'true');
        else more.removeAttribute('aria-current');
        moreLabel.textContent = shown?.label ?? t('common.more');
        more.querySelector('.visually-hidden').textContent = shown ? `${t('common.more')}${t('common.colon')}` : '';
        const counted = behind().map(({ id }) => counts.get(id)).filter(Boolean);
        wear(more, counted.reduce((sum, { count }) => sum + count, 0), counted[0]?.words);
    };
    const isTooWide = () => element.scrollWidth > element.clientWidth;
    const fit = () => {
        for (const link of all) link.hidden = false;
        more.hidden = true;
        if (!isTooWide()) return;
        more.hidden = false;
        drawMore();
        for (const link of all.slice(1).reverse()) {
            if (!isTooWide()) return;
            link.hidden = true;
            drawMore();
        }
    };
    const select = (id) => {
        for (const [key, link] of links) {
            if (key === id) link.setAttribute('aria-current', 'page');
            else link.removeAttribute('aria-current');
        }
        fit();
    };
    const mark = (id, count, words) => {
        if (!links.has(id) || (counts.get(id)?.count ?? 0) === count) return;
        if (count > 0) counts.set(id, { count, words });
        else counts.delete(id);
        wear(links.get(id), count, words);
        fit();
    };
    select(current);
    // How much room there is, is known only once the strip is drawn, and changes with the window.
    new ResizeObserver(fit).observe(element);
    element.addEventListener('keydown', (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        /** @type {HTMLElement[]} */
        const shown = [...all, more].filter((tab) => !tab.hidden);
        const at = shown.indexOf(document.activeElement);
        if (step && at >= 0) shown[(at + step + shown.length) % shown.length].focus();
    });
    return part(element, { select, badge: mark });
}

function wear(tab, count, words) {
    tab.querySelector('.badge')?.remove();
    if (count > 0) tab.append(badge(count, words));
}

/**
 * One of a few that need a sentence each, one below the other.
 *
 * @param {Object} options
 * @param {string} options.label What is chosen.
 * @param {{id: string, label: string, detail: string}[]} options.options
 * @param {string} options.value
 * @param {(id: string) => void} options.change
 * @returns {HTMLElement & {select(id: string): void}}
 */
export function radioRows({ label, options, value, change }) {
    const name = uniqueId('choice');
    const element = h('div', { class: 'radio-rows', role: 'radiogroup', aria: { label } }, options.map((option) => {
        const id = uniqueId('option');
        const input = h('input', {
            type: 'radio', class: 'radio', name, id, value: option.id, checked: option.id === value, aria: { describedby: `${id}-detail` },
            on: { change: () => change(option.id) },
        });
        return h('div', { class: 'radio-row' }, input,
            h('label', { class: 'row-words', htmlFor: id }, h('span', { class: 'row-title' }, option.label), h('span', { class: 'row-detail', id: `${id}-detail` }, option.detail)));
    }));
    const select = (id) => {
        for (const input of element.querySelectorAll('input')) input.checked = input.value === id;
    };
    return part(element, { select });
}
