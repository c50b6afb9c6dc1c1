import { button, confirm, h, icon, linkButton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/**
 * Where a move stands: one picture, one heading, what is to know, what can be done.
 *
 * @param {Object} options
 * @param {string} [options.symbol]
 * @param {'accent' | 'good' | 'warn' | 'bad'} [options.kind]
 * @param {import('../../kit/h.js').Child} options.title
 * @param {import('../../kit/h.js').Child} [options.text]
 * @param {import('../../kit/h.js').Child} [options.content]
 * @param {Node[]} [options.actions]
 */
export function panel({ symbol, kind = 'accent', title, text, content, actions = [] }) {
    return h('section', { class: 'stage moving-panel' },
        symbol && h('div', { class: `stage-symbol ${kind}` }, icon(symbol, { size: 36 })),
        // The focus goes here when what a person pressed is gone with the panel before.
        h('h2', { class: 'stage-title', tabIndex: -1 }, title),
        text && h('p', { class: 'stage-text' }, text),
        content,
        actions.length > 0 && h('div', { class: 'stage-actions' }, actions));
}

/**
 * The same around a form: what is asked for stands below its heading, from the left.
 *
 * @param {{title: string, text: string, link: Function}} options
 * @param {...import('../../kit/h.js').Child} children
 */
export function form({ title, text, link }, ...children) {
    return h('section', { class: 'moving-form' },
        h('h2', { class: 'stage-title', tabIndex: -1 }, title), h('p', { class: 'soft' }, text), children,
        h('div', { class: 'line' }, linkButton({ label: t('moving.otherWay'), href: link('/moving'), icon: 'chevron-left', kind: 'quiet' })));
}

/**
 * Ends the move, after a question that says what becomes of it.
 *
 * @param {{act: (method: 'migrate.cancel', params: Object) => Promise<void>}} context
 * @param {'cancel' | 'discard' | 'decline' | 'stay'} what It is to the person.
 */
export function cancelButton({ act }, what = 'cancel') {
    const key = `moving.end.${what}`;
    return button({ label: t(key), kind: 'quiet', press: () => confirm({
        title: t(`moving.end.${what}.title`), text: t(`moving.end.${what}.text`), action: t(key), work: () => act('migrate.cancel', {}),
    }) });
}

/** How a person starts the program again, where it does not do that by itself. */
export function restartSteps() { return steps([t('moving.restartStep1'), t('moving.restartStep2'), t('moving.restartStep3')]); }

/** What has to be read in order. */
export function steps(texts) { return h('ol', { class: 'moving-steps' }, texts.map((text) => h('li', null, text))); }
