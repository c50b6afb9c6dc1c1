import { errorBanner, h, skeleton } from '../../kit/index.js';
import { chatOf } from '../../client/chat.js';
import { standingOf } from './standing.js';

/**
 * Calls `draw` with the row of a conversation, whenever it changes, for the screens about it.
 *
 * @param {{client: import('../../client/client.js').Client, life: import('../../life.js').Life, route: {params: Object<string, string>}}} context
 * @param {(row: import('../../client/chat.js').Conversation) => Node[]} draw
 */
export function aboutConversation({ client, life, route }, draw) {
    const [chat, standing] = [chatOf(client), standingOf(client)];
    const { id } = route.params;
    const body = h('div', { class: 'stack' }, skeleton(4));
    let drawn = null;
    standing.use(life, () => {
        const row = standing.state.rows[id];
        if (!row || row === drawn) return;
        drawn = row;
        body.replaceChildren(...draw(row));
    });
    // One that is not on the list.
    const ask = async () => {
        try {
            standing.take(await chat.open(id, { signal: life.signal }));
        } catch (error) {
            if (!life.hasEnded && !drawn) body.replaceChildren(errorBanner(error, { retry: ask }));
        }
    };
    if (!drawn) ask();
    return { body, id };
}
