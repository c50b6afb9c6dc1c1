import { h } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { Gesture, REST } from './gesture.js';

const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'];
/** Pixels of a browser's wheel for one notch. */
const NOTCH = 100;
/** Named keys that the computer knows, beside F1 to F12. */
const NAMED = new Set([
    'Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'Enter', 'Tab', 'Backspace', 'Delete', 'Escape', 'Insert', 'Home', 'End', 'PageUp', 'PageDown', 'ArrowLeft', 'ArrowUp',
    'ArrowRight', 'ArrowDown', 'ContextMenu', 'MediaPlayPause', 'MediaStop', 'MediaTrackNext', 'MediaTrackPrevious', 'AudioVolumeUp', 'AudioVolumeDown', 'AudioVolumeMute',
    ...Array.from({ length: 12 }, (_, at) => `F${at + 1}`),
]);

/**
 * What lies over the picture while it is controlled: fingers, a mouse and a keyboard on it are those of the computer.
 *
 * @param {{send: (events: Object[]) => void, place: ((point: {x: number, y: number}) => Object | null) | null, left: () => void}} options `place` is null where the pointer moves from
 *   where it is only; `left`: the keyboard was given back.
 */
export function controlSurface({ send, place, left }) {
    const element = h('div', { class: 'control-surface', tabIndex: 0, role: 'application', aria: { label: t('control.surface') } });
    const tell = (events) => { if (events.length > 0) send(events); };
    const fingers = followFingers(element, tell, place ?? (() => null));
    followMouse(element, tell, place);
    followKeyboard(element, tell, left);
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    element.addEventListener('blur', () => send([{ type: 'release' }]));
    return { element, setDirect: fingers.setDirect };
}

function followFingers(element, tell, place) {
    let gesture = new Gesture({ isDirect: false, place });
    let timer = null;
    const at = ({ clientX, clientY }) => ({ x: clientX, y: clientY });
    const isFinger = (event) => event.pointerType !== 'mouse';
    element.addEventListener('pointerdown', (event) => {
        if (!isFinger(event)) return;
        event.preventDefault();
        element.setPointerCapture(event.pointerId);
        tell(gesture.down(event.pointerId, at(event), event.timeStamp));
        clearTimeout(timer);
        timer = setTimeout(() => { if (gesture.rests) navigator.vibrate?.(10); tell(gesture.rest()); }, REST);
    });
    element.addEventListener('pointermove', (event) => { if (isFinger(event)) tell(gesture.move(event.pointerId, at(event))); });
    element.addEventListener('pointerup', (event) => {
        if (!isFinger(event)) return;
        clearTimeout(timer);
        tell(gesture.up(event.pointerId, event.timeStamp));
    });
    element.addEventListener('pointercancel', () => { clearTimeout(timer); tell(gesture.cancel()); });
    const setDirect = (isDirect) => { tell(gesture.cancel()); gesture = new Gesture({ isDirect, place }); };
    return { setDirect };
}

/** A mouse is where it points to, or moves the pointer as far as itself, and its buttons are the computer's. */
function followMouse(element, tell, place) {
    const press = (kind) => (event) => {
        if (event.pointerType !== 'mouse') return;
        event.preventDefault();
        element.focus();
        if (kind === 'down') element.setPointerCapture(event.pointerId);
        const button = BUTTONS[event.button];
        const spot = place?.({ x: event.clientX, y: event.clientY });
        if (button) tell([spot, { type: 'button', button, press: kind }].filter(Boolean));
    };
    element.addEventListener('pointerdown', press('down'));
    element.addEventListener('pointerup', press('up'));
    element.addEventListener('pointermove', (event) => {
        if (event.pointerType !== 'mouse') return;
        const spot = place ? place({ x: event.clientX, y: event.clientY }) : { type: 'move', dx: event.movementX, dy: event.movementY };
        if (spot) tell([spot]);
    });
    element.addEventListener('wheel', (event) => {
        event.preventDefault();
        const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? NOTCH : 3;
        const notches = (delta) => Math.max(-20, Math.min(20, delta / unit));
        tell([{ type: 'wheel', dx: notches(event.deltaX), dy: notches(event.deltaY) }]);
    }, { passive: false });
}

/** Every key goes to the computer, but Shift and Escape together, which give the keyboard back. */
function followKeyboard(element, tell, left) {
    element.addEventListener('keydown', (event) => {
        if (event.key === 'Escape' && event.shiftKey) {
            event.preventDefault();
            tell([{ type: 'release' }]);
            left();
            return;
        }
        if (event.isComposing) return;
        const isText = [...event.key].length === 1;
        if (!isText && !NAMED.has(event.key)) return;
        event.preventDefault();
        if (!isText) tell([{ type: 'key', key: event.key, press: event.repeat ? 'tap' : 'down' }]);
        // What Shift and AltGr make of a key is in the letter already.
        else if (event.ctrlKey || event.altKey || event.metaKey) tell([{ type: 'key', key: event.key.toLowerCase(), press: 'tap' }]);
        else tell([{ type: 'text', text: event.key }]);
    });
    element.addEventListener('keyup', (event) => {
        if (!NAMED.has(event.key)) return;
        event.preventDefault();
        tell([{ type: 'key', key: event.key, press: 'up' }]);
    });
}
