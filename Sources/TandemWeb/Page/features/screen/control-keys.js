import { h, icon } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/** What a computer's own keyboard has beside letters, in rows of six on a phone. */
const SPECIAL = ['Escape', 'Tab', 'Control', 'Alt', 'Meta', 'Shift', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'ArrowRight', 'Backspace', 'Enter'];
const MEDIA = ['MediaTrackPrevious', 'MediaPlayPause', 'MediaTrackNext', 'AudioVolumeMute', 'AudioVolumeDown', 'AudioVolumeUp'];
const FACES = { Escape: 'Esc', Tab: 'Tab', Control: 'Ctrl', Alt: 'Alt', Meta: 'Super', Shift: '⇧', Backspace: '⌫', Enter: '⏎', AudioVolumeDown: '−', AudioVolumeUp: '+' };
const SYMBOLS = {
    ArrowLeft: 'arrow-left', ArrowUp: 'arrow-up', ArrowDown: 'arrow-down', ArrowRight: 'arrow-right', MediaPlayPause: 'play', MediaTrackPrevious: 'skip-back',
    MediaTrackNext: 'skip-forward', AudioVolumeMute: 'volume-off',
};
const MODIFIERS = new Set(['Control', 'Alt', 'Meta', 'Shift']);

/** The keys that are held for the next one that is pressed. */
export class Latched {
    #names = new Set();
    #changed;

    /** @param {(names: Set<string>) => void} changed */
    constructor(changed) { this.#changed = changed; }

    toggle(name) {
        if (!this.#names.delete(name)) this.#names.add(name);
        this.#changed(this.#names);
    }

    /** The events of a key with all that is held for it, which is let go of then. */
    key(name) {
        const held = this.#take();
        return [
            ...held.map((key) => ({ type: 'key', key, press: 'down' })), { type: 'key', key: name, press: 'tap' },
            ...held.reverse().map((key) => ({ type: 'key', key, press: 'up' })),
        ];
    }

    /** The events of a text: with keys that are held its first letter is a key. */
    text(text) {
        if (this.#names.size === 0) return [{ type: 'text', text }];
        const [first, ...rest] = [...text];
        if (first === undefined) return [];
        const shown = first.codePointAt(0) > 32 ? first.toLowerCase() : first;
        return [...this.key(shown === '\n' ? 'Enter' : shown), ...(rest.length ? [{ type: 'text', text: rest.join('') }] : [])];
    }

    #take() {
        const held = [...this.#names];
        this.#names.clear();
        this.#changed(this.#names);
        return held;
    }
}

/**
 * Keys that a phone's keyboard lacks, and those of players.
 *
 * @param {(events: Object[]) => void} send
 */
export function controlKeys(send) {
    const faces = new Map();
    const latched = new Latched((names) => { for (const name of MODIFIERS) faces.get(name).setAttribute('aria-pressed', String(names.has(name))); });
    const make = (name) => {
        const label = t(`control.key.${name}`);
        const press = () => { if (MODIFIERS.has(name)) latched.toggle(name); else send(latched.key(name)); };
        const face = h('button', { type: 'button', class: 'control-key', title: label, aria: { label }, data: { ownName: '' }, on: { click: press } },
            SYMBOLS[name] ? icon(SYMBOLS[name], { size: 20 }) : FACES[name]);
        // The keyboard of the phone stays open.
        face.addEventListener('pointerdown', (event) => event.preventDefault());
        faces.set(name, face);
        return face;
    };
    const row = (label, names) => h('div', { class: 'control-keys', role: 'toolbar', aria: { label } }, names.map(make));
    const element = h('div', { class: 'control-rows' }, row(t('control.keys'), SPECIAL), row(t('control.media'), MEDIA));
    for (const name of MODIFIERS) faces.get(name).setAttribute('aria-pressed', 'false');
    return { element, latched };
}
