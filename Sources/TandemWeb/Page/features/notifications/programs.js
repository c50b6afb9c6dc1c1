import { banner, button, errorBanner, errorToast, group, h, plainText, relativeTime, safeText, skeleton, switchRow, textField } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { momentOf } from './words.js';

/** From so many on there is a search. */
const MANY = 8;
/** So many stand there until all are asked for, and no more at any time. */
const FIRST = 12;
const MOST = 500;
/** One that was not heard before, and what another device changed, is seen after so many milliseconds. */
const PERIOD = 5000;

/**
 * A switch for each program of the computer's desktop.
 *
 * @param {{notifications: Object, life: import('../../life.js').Life, told?: (names: {id: string, label: string}[]) => void}} options
 */
export function programsGroup({ notifications, life, told }) {
    const element = h('div', { class: 'notice-programs' }, skeleton(3, { height: 60 }));
    /** Which program a switch is of: it keeps the keyboard when all is drawn anew. */
    const apps = new WeakMap();
    let drawn = null;
    let changes = 0;
    let searched = '';
    let isWhole = false;
    const load = async () => {
        const before = changes;
        try {
            const answer = await notifications.sources({ signal: life.signal });
            const text = drawnOf(answer);
            if (life.hasEnded || before !== changes || text === drawn || element.querySelector('input[type="search"]:focus')) return;
            const focused = apps.get(document.activeElement);
            drawn = text;
            draw(answer);
            if (focused !== undefined) [...element.querySelectorAll('input')].find((control) => apps.get(control) === focused)?.focus();
        } catch (error) {
            if (!life.hasEnded && drawn === null) element.replaceChildren(errorBanner(error, { retry: load }));
        }
    };

    function draw({ sources = [], available = true, reason, canAct }) {
        told?.(sources.map(({ app }) => ({ id: app, label: plainText(app, 60) })));
        const rows = h('div', { class: 'rows' });
        const show = (words) => {
            searched = words;
            const wanted = words.trim().toLocaleLowerCase();
            const found = sources.filter(({ app }) => app.toLocaleLowerCase().includes(wanted));
            const shown = found.slice(0, isWhole ? MOST : FIRST);
            const more = shown.length < found.length && !isWhole && button({
                label: t('notifications.morePrograms', { count: found.length - shown.length }), kind: 'quiet', wide: true,
                press: () => { isWhole = true; show(words); rows.querySelectorAll('input')[shown.length]?.focus(); },
            });
            rows.replaceChildren(...(found.length > 0 ? [...shown.map(row), more].filter(Boolean) : [h('p', { class: 'small soft notice-none' }, t(sources.length > 0 ? 'notifications.noProgram' : 'notifications.noPrograms'))]));
        };
        show(searched);
        element.replaceChildren(group({
            title: t('notifications.programs'), foot: available && !canAct ? t('notifications.cannotAct') : null,
            rows: [
                !available && h('div', { class: 'notice-unavailable' }, banner({ kind: 'warn', text: t('notifications.unavailable'), detail: reason && safeText(reason, { limit: 400 }) })),
                sources.length > MANY && h('div', { class: 'notice-find' }, textField({ label: t('notifications.findProgram'), labelHidden: true, placeholder: t('notifications.findProgram'), type: 'search', value: searched, input: show })),
                rows,
            ].filter(Boolean),
        }));
    }

    function row(source) {
        const { app, count = 0, lastAt } = source;
        const made = switchRow({
            label: safeText(app, { limit: 80 }), on: source.allowed !== false,
            detail: h('span', { class: 'dotted' }, h('span', { class: 'dotted-part' }, t('notifications.count', { count })), momentOf(lastAt) !== null && h('span', { class: 'dotted-part' }, relativeTime(lastAt))),
            change: async (on) => {
                changes += 1;
                try {
                    const answer = await notifications.allow(app, on);
                    source.allowed = answer?.sources?.find((each) => each.app === app)?.allowed ?? on;
                } catch (error) {
                    errorToast(error);
                    throw error;
                } finally {
                    changes += 1;
                }
            },
        });
        made.control.dataset.peer = '';
        apps.set(made.control, app);
        return made;
    }
    life.every(PERIOD, load);
    load();
    return element;
}

/** What a list of programs is drawn anew for: not for their numbers alone. */
function drawnOf({ sources = [], available, reason, canAct }) {
    return JSON.stringify([sources.map(({ app, allowed }) => [app, allowed !== false]), available, reason, canAct]);
}
