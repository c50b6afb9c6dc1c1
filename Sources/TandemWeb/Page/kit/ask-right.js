import { format, t } from '../i18n/index.js';
import { button } from './button.js';
import { h } from './h.js';
import { icon } from './icon.js';

/**
 * Asks the owner of a computer for a right, and says how that stands. What becomes of it comes by itself, also to a page that was closed.
 *
 * @param {{client: import('../client/client.js').Client, device: Object, right: string}} options
 * @returns {HTMLElement}
 */
export function askForRight({ client, device, right }) {
    const words = h('p', { class: 'small', role: 'status' });
    const press = button({ label: t('refused.ask'), icon: 'bell', kind: 'primary', press: ask });
    const element = h('div', { class: 'refused-ask' }, press, words);
    let wasShown = false;

    async function ask() {
        try {
            draw(await client.call('devices.ask', { id: device.id, right }));
        } catch (error) {
            press.hidden = error.code === 'unknown-method';
            words.textContent = press.hidden ? t('refused.askOlder') : t('refused.askFailed');
        }
    }

    /** @param {{state: string, until: number} | null} state */
    function draw(state) {
        const isOver = !state || state.until <= Date.now();
        press.hidden = !isOver;
        if (isOver) words.textContent = t('refused.askText');
        else words.replaceChildren(icon(state.state === 'waiting' ? 'bell' : 'info', { size: 16 }), ' ', sentence(state));
    }

    const follow = async () => {
        wasShown ||= element.isConnected;
        // What took this element's place shows its own.
        if (wasShown && !element.isConnected) { stop(); return; }
        const now = await client.devices.show(device.id).catch(() => null);
        if (now) draw(now.asks?.[right] ?? null);
    };
    const stop = client.devices.onChange(follow);
    draw(device.asks?.[right] ?? null);
    return element;
}

function sentence({ state, until }) {
    const when = format.relative(until);
    switch (state) {
        case 'waiting': return t('refused.askWaits');
        case 'refused': return t('refused.askRefused', { when });
        default: return t('refused.askUnanswered', { when });
    }
}
