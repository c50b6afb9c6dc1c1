import { button, emptyState, errorBanner, errorToast, h, safeText, skeleton } from '../../kit/index.js';
import { chatOf } from '../../client/chat.js';
import { redraw } from '../../kit/redraw.js';
import { t } from '../../i18n/index.js';
import { avatar } from './avatar.js';
import { rowMoment } from './moment.js';
import { blockAfterAsking } from './notes.js';
import { standingOf } from './standing.js';
import { timeOf } from './standing-state.js';
import { isWritten, lineOf, nameOf } from './words.js';

/** First messages of people that were not written to yet: each is accepted, declined, or its sender blocked. */
export function requestsScreen({ client, life, link, go }) {
    const [chat, standing] = [chatOf(client), standingOf(client)];
    const body = h('div', { class: 'stack close' }, skeleton(3, { height: 130 }));
    const draw = () => {
        const { phase, requests, trouble } = standing.state;
        if (phase === 'loading') return;
        if (phase === 'refused') { body.replaceChildren(errorBanner(trouble, { retry: () => standing.ask() })); return; }
        redraw(body, requests.length === 0 ? [emptyState({ icon: 'people', title: t('chat.noRequests'), text: t('chat.noRequestsText') })]
            : [h('p', { class: 'soft' }, t('chat.requestsText')), ...requests.map((row) => requestCard(row, { chat, standing, link, go }))]);
    };
    standing.use(life, draw);
    return { title: t('chat.requests'), element: body, back: link('/chats') };
}

function requestCard(row, { chat, standing, link, go }) {
    const { last } = row;
    const time = timeOf(row);
    const act = (label, kind, press) => {
        const element = button({ label, kind, press });
        element.setAttribute('aria-label', `${label}${t('common.colon')}${nameOf(row)}`);
        element.dataset.peer = '';
        return element;
    };
    return h('section', { class: 'card padded request' },
        h('a', { class: 'request-head', href: link('/chats', row.id) }, avatar(chat, row, { size: 44 }),
            h('span', { class: 'row-words' }, h('span', { class: 'chat-top' }, safeText(row.name, { limit: 80, class: 'chat-name' }), time > 0 && rowMoment(time)),
                h('span', { class: 'small soft mono', data: { peer: '' } }, row.user))),
        last && h('p', { class: 'request-text', dir: 'auto', data: isWritten(last) ? { peer: '' } : {} }, lineOf(last)),
        h('div', { class: 'request-acts' },
            act(t('chat.block'), 'quiet', () => { blockAfterAsking(row, standing).catch(errorToast); }),
            act(t('chat.decline'), 'plain', () => standing.answer(row, false)),
            act(t('chat.accept'), 'primary', async () => { await standing.answer(row, true); go(link('/chats', row.id)); })));
}
