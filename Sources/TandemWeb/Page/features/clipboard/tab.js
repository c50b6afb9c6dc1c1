import { h } from '../../kit/index.js';
import { history } from './history.js';
import { incoming } from './incoming.js';
import { outgoing } from './outgoing.js';
import { followRight } from '../../kit/allowed.js';
import { troubleOf } from '../../kit/trouble.js';

/** The clipboard of a computer: what is on it, what is to be put there, and what was copied lately. */
export function clipboardTab(context) {
    const { client, device, life } = context;
    const element = h('div', { class: 'clipboard' });
    let isRefused = false;
    const draw = () => {
        isRefused = false;
        element.replaceChildren(...parts);
    };
    /** What the owner has not allowed concerns all of it. */
    const refused = (error) => {
        isRefused = true;
        element.replaceChildren(troubleOf(error, { client, device, what: 'clipboard', right: 'clipboard', retry: draw }));
    };
    const parts = [incoming, outgoing, history].map((part) => part({ ...context, refused }));
    followRight({ client, device, life }, 'clipboard', { changed: () => { if (isRefused) draw(); }, lost: refused });
    draw();
    return { element };
}
