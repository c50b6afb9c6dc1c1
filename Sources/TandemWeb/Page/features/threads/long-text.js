import { button, h } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';

/**
 * The text of an item: what the page was given, or more of it once that was asked for.
 *
 * @param {Object} item
 * @param {{full: Map<string, Object>}} view
 * @returns {{text: string, isCut: boolean, isAll: boolean}}
 */
export function textOf(item, view) {
    const got = view.full.get(item.id);
    const text = got?.text ?? item.text;
    return { text: typeof text === 'string' ? text : '', isCut: Boolean(got ? got.is_cut : item.is_cut), isAll: Boolean(got) };
}

/** What stands below a text that is cut, or in which something was replaced; null for a whole one. */
export function textFoot(item, context) {
    const { isCut, isAll } = textOf(item, context.view);
    const folded = Number(item.folded) || 0;
    if (!isCut && !folded) return null;
    return h('div', { class: 'text-foot' },
        isCut && !isAll && button({
            label: Number.isFinite(item.length) ? t('threads.showRest', { size: format.bytes(item.length) }) : t('threads.showMore'),
            icon: 'chevron-down', kind: 'quiet', press: () => loadText(item, context),
        }),
        isCut && isAll && h('span', { class: 'small soft' }, t('threads.restIsThere')),
        folded > 0 && h('span', { class: 'small soft' }, t('threads.folded', { count: folded })));
}

async function loadText(item, context) {
    const { item: whole } = await context.threads.item({ ...context.thread, at: item.cursor, item: item.id }, { signal: context.life.signal });
    if (context.life.hasEnded) return;
    context.view.full.set(item.id, whole ?? {});
    context.redraw(item.id);
}
