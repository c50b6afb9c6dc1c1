import { button, h } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { mayUse } from '../../kit/allowed.js';

/** What controls the computer comes when it is first asked for. */
export function laterControl(context) {
    const element = h('div', { class: 'control-place' });
    let control = null;
    const toggle = async () => {
        if (!control) {
            const { Control } = await import('./control.js');
            if (context.life.hasEnded) return;
            control ??= new Control(context);
            element.append(control.element);
        }
        control.toggle();
    };
    return { element, toggle, end: () => { if (control?.isOn) control.toggle(); } };
}

/** The control without a picture, for a phone that may not see the screen, or a computer that shows none: a trackpad and a keyboard. */
export class BlindControl {
    #context;
    /** @type {{element: HTMLElement, toggle: () => Promise<void>, end: () => void} | null} */
    #control = null;
    #element = null;

    /** @param {{client: Object, computer: Object, device: Object, life: Object}} context */
    constructor(context) { this.#context = context; }

    /** Empty where this phone may not control the computer. */
    get element() {
        if (mayUse(this.#context.device, 'screen.control') === false) return '';
        this.#element ??= this.#make();
        return this.#element;
    }

    end() { this.#control?.end(); }

    #make() {
        const stage = h('div', { class: 'screen-stage control-pad', hidden: true });
        const toggle = button({ label: t('screen.control'), icon: 'pointer', press: () => this.#control?.toggle() });
        const changed = (isOn) => {
            stage.hidden = !isOn;
            toggle.setAttribute('aria-pressed', String(isOn));
            toggle.classList.toggle('primary', isOn);
        };
        this.#control = laterControl({ ...this.#context, stage, place: () => null, isBlind: true, changed, did: () => {} });
        changed(false);
        return h('div', { class: 'control-blind' }, h('p', { class: 'small soft' }, t('screen.blind')), h('div', { class: 'screen-actions' }, toggle), stage, this.#control.element);
    }
}
