import { h, skeleton } from './first.js';

/** So long the first answers are waited for. */
const PATIENCE = 800;

/**
 * Shows the parts of a screen together once all of them have answered, so that none pushes another down; one that takes long is not
 * waited for.
 *
 * @param {Node[]} elements
 * @param {Promise[]} answers
 * @param {{rows?: number, life: import('../life.js').Life}} options Rows of the skeleton that stands there until then.
 */
export function together(elements, answers, { rows = 5, life }) {
    const body = h('div', { class: 'stack' }, skeleton(rows, { height: 84 }));
    const late = new Promise((resolve) => { life.after(PATIENCE, resolve); });
    Promise.race([Promise.allSettled(answers), late]).then(() => { if (!life.hasEnded) body.replaceChildren(...elements); });
    return body;
}
