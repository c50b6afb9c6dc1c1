import { button, emptyState, group, h, skeleton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { activityRow, endAll, followActivities } from '../../kit/activities.js';
import { redraw } from '../../kit/redraw.js';

/** What phones keep going at this computer, and the way to end it. */
export function activityScreen(context) {
    const { client, chrome } = context;
    const body = h('div', { class: 'stack' }, skeleton(4, { height: 64 }));
    const screen = { title: t('activity.title'), element: body, actions: [] };
    followActivities(context, {
        draw: (all, again) => {
            screen.actions = all.length > 1 ? [button({ label: t('activity.endAll'), icon: 'stop', press: () => endAll(client, all.length) })] : [];
            chrome.titled(screen);
            redraw(body, [all.length > 0
                ? group({
                    title: t('activity.count', { count: all.length }), foot: t('activity.foot'),
                    rows: all.map((activity) => activityRow(client, activity, { ended: again })),
                })
                : emptyState({ icon: 'activity', title: t('activity.none'), text: t('activity.noneText') })]);
        },
        failed: (banner) => body.replaceChildren(banner),
    });
    return screen;
}
