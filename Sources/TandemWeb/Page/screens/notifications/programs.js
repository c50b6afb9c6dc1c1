import { banner, button, errorBanner, errorToast, group, h, plainText, relativeTime, safeText, skeleton, switchRow, textField } from '../../components/index.js';
import { t } from '../../i18n/index.js';
import { momentOf } from './words.js';

/** From so many on there is a search. */
const MANY = 8;
/** So many stand there until all are asked for, and no more at any time. */
const FIRST = 12;
const MOST = 500;

/**
 * A switch for each program of the computer's desktop.
 *
 * @param {{notifications: Object, life: import('../../life.js').Life, told?: (names: {id: string, label: string}[]) => void}} options
 */
export function programsGroup({ notifications, life, told }) {
    const element = h('div', { class: 'notice-programs' }, skeleton(3, { height: 60 }));
    const load = async () => {
        try {
            const answer = await notifications.sources({ signal: life.signal });
            if (!life.hasEnded) draw(answer);
        } catch (error) {
            if (!life.hasEnded) element.replaceChildren(errorBanner(error, { retry: load }));
        }
    };

    function draw({ sources = [], available = true, reason, canAct }) {
        told?.(sources.map(({ app }) => ({ id: app, label: plainText(app, 60) })));
        const rows = h('div', { class: 'rows' });
        let isWhole = false;
        const show = (words) => {
            const wanted = words.trim().toLocaleLowerCase();
            const found = sources.filter(({ app }) => app.toLocaleLowerCase().includes(wanted));
            const shown = found.slice(0, isWhole ? MOST : FIRST);
            const more = shown.length < found.length && !isWhole && button({
                label: t('notifications.morePrograms', { count: found.length - shown.length }), kind: 'quiet', wide: true,
                press: () => { isWhole = true; show(words); rows.querySelectorAll('input')[shown.length]?.focus(); },
            });
            rows.replaceChildren(...(found.length > 0 ? [...shown.map(row), more].filter(Boolean) : [h('p', { class: 'small soft notice-none' }, t(sources.length > 0 ? 'notifications.noProgram' : 'notifications.noPrograms'))]));
        };
        show('');
        element.replaceChildren(group({
            title: t('notifications.programs'), foot: available && !canAct ? t('notifications.cannotAct') : null,
            rows: [
                !available && h('div', { class: 'notice-unavailable' }, banner({ kind: 'warn', text: t('notifications.unavailable'), detail: reason && safeText(reason, { limit: 400 }) })),
                sources.length > MANY && h('div', { class: 'notice-find' }, textField({ label: t('notifications.findProgram'), labelHidden: true, placeholder: t('notifications.findProgram'), type: 'search', input: show })),
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
                try {
                    const answer = await notifications.allow(app, on);
                    source.allowed = answer?.sources?.find((each) => each.app === app)?.allowed ?? on;
                } catch (error) {
                    errorToast(error);
                    throw error;
                }
            },
        });
        made.control.dataset.peer = '';
        return made;
    }
    load();
    return element;
}
