import { banner, button, confirm, errorBanner, h } from '../../kit/index.js';
import { isolated } from '../../kit/isolated.js';
import { segmented } from '../../kit/choices.js';
import { t } from '../../i18n/index.js';
import { followRight } from '../../kit/allowed.js';
import { Store, doneBy } from '../../kit/store.js';
import { troubleOf } from '../../kit/trouble.js';
import { controlKeys } from './control-keys.js';
import { change, initial } from './control-state.js';
import { controlSurface } from './control-surface.js';
import { typingLine } from './control-typing.js';
import { Sender } from './sender.js';

const MODE = 'tandem.control.mode';
/** Seconds for an opening: the person at the computer may have to say yes there, and has a minute. */
const OPENING = 75;

/** The pointer and the keyboard of the computer whose screen is shown: what is above and below its picture while it is controlled. */
export class Control {
    /** What stands below the picture. */
    element = h('div', { class: 'control' });
    #context;
    #store = new Store({ initial, change, run: doneBy(() => this.#effects) });
    /** @type {Sender | null} */
    #sender = null;
    #surface = null;
    #mode = localStorage.getItem(MODE) === 'touch' ? 'touch' : 'trackpad';
    #effects = {
        open: ({ takeOver }) => this.#open(takeOver),
        close: ({ session }) => { this.#context.computer.call('input.close', { sessionId: session }).catch(() => {}); },
        begin: ({ facts }) => this.#begin(facts),
        end: () => this.#end(),
        offerTakeOver: ({ by }) => this.#offerTakeOver(by),
        sayAsked: ({ seconds }) => this.#say(banner({ kind: 'info', text: t('control.asked', { seconds }) })),
        sayFailed: ({ error }) => this.#say(this.#troubleOf(error)),
        sayEnded: ({ cause, by }) => this.#say(banner({ kind: 'info', text: endedText(cause, by), dismissable: true })),
    };

    /**
     * @param {{client: Object, computer: Object, device: Object, life: Object, stage: HTMLElement, place: (point: {x: number, y: number}) => Object | null, isBlind?: boolean,
     *   changed: (isOn: boolean) => void, did: () => void}} context `place` answers where on the computer's screen a point of the window lies; `isBlind`: there is no picture. `did` is called when
     *   something was sent.
     */
    constructor(context) {
        this.#context = context;
        const { computer, life } = context;
        life.add(computer.events('input.ended', ({ sessionId, cause, by }) => this.#store.send({ kind: 'ended', session: sessionId, cause, by })));
        life.add(computer.events('input.asked', ({ seconds }) => this.#store.send({ kind: 'asked', seconds: Number(seconds) || 60 })));
        followRight(context, 'screen.control', { changed: () => {}, lost: (error) => this.#store.send({ kind: 'lost', error }) });
        life.listen(document, 'visibilitychange', () => { if (document.hidden) this.#sender?.push({ type: 'release' }); });
        life.add(() => { this.#sender?.end(); this.#store.send({ kind: 'left' }); });
    }

    get isOn() { return this.#store.state.phase !== 'off'; }

    toggle() { this.#store.send({ kind: 'switched', isOn: !this.isOn }); }

    async #open(takeOver) {
        this.#context.changed(true);
        this.#say();
        try {
            const answer = await this.#context.computer.call('input.open', { takeOver }, { timeout: OPENING });
            this.#store.send({ kind: 'opened', answer });
        } catch (error) {
            this.#store.send({ kind: 'failed', error });
        }
    }

    #begin({ sessionId, stopKey, text, places }) {
        const { computer, device, stage, life, did, isBlind = false } = this.#context;
        // Some computers move the pointer from where it is only: then fingers and a mouse work as on a trackpad.
        const hasPlaces = places !== false && !isBlind;
        const place = hasPlaces ? this.#context.place : null;
        this.#sender = new Sender({
            call: (batch) => computer.call('input.send', { sessionId, ...batch }, { signal: life.signal }),
            failed: (error) => this.#store.send({ kind: 'failed', error }),
        });
        const send = (events) => { this.#sender?.push(...events); did(); };
        const { element: keys, latched } = controlKeys(send);
        const typing = typingLine({ key: (name) => send(latched.key(name)), text: (written) => send(latched.text(written)) });
        this.#surface = controlSurface({ send, place, left: () => typing.focus() });
        this.#surface.setDirect(hasPlaces && this.#mode === 'touch');
        stage.append(this.#surface.element);
        const mode = hasPlaces && segmented({
            label: t('control.mode'), value: this.#mode, change: (id) => this.#choose(id),
            options: [{ id: 'trackpad', label: t('control.trackpad') }, { id: 'touch', label: t('control.touch') }],
        });
        const click = (name) => button({ label: t(`control.click.${name}`), press: () => send([{ type: 'button', button: name, press: 'tap' }]) });
        this.element.replaceChildren(
            h('p', { class: 'control-facts small soft', role: 'status' }, t('control.on', { name: isolated(device.name) }), ' ', stopKey ? t('control.stopKey', { key: stopKey }) : '',
                text === false ? ` ${t('control.noText')}` : '', places === false && !isBlind ? ` ${t('control.noPlaces')}` : ''),
            h('div', { class: 'control-bar' }, mode, h('div', { class: 'control-clicks' }, click('left'), click('right'))),
            typing.element, keys,
        );
        this.#surface.element.focus({ preventScroll: true });
        // A picture is seen already; what takes its place may lie below.
        if (isBlind) stage.scrollIntoView({ block: 'center' });
    }

    #choose(mode) {
        this.#mode = mode;
        localStorage.setItem(MODE, mode);
        this.#surface?.setDirect(mode === 'touch');
    }

    #end() {
        this.#sender?.end();
        this.#sender = null;
        this.#surface?.element.remove();
        this.#surface = null;
        this.element.replaceChildren();
        this.#context.changed(false);
    }

    #offerTakeOver(by) {
        confirm({
            title: t('control.heldTitle'), text: t('control.held', { name: isolated(by) }), action: t('control.takeOver'),
            work: async () => this.#store.send({ kind: 'switched', isOn: true, takeOver: true }),
        });
    }

    #troubleOf(error) {
        const { client, device } = this.#context;
        // The computer's own sentence says what is missing there.
        const text = error.code === 'unknown-method' ? t('control.impossible') : undefined;
        if (error.code !== 'not-allowed') return errorBanner(error, { retry: () => this.toggle(), dismissable: true, text });
        return troubleOf(error, { client, device, what: 'control', right: 'screen.control', retry: () => this.toggle() });
    }

    #say(...elements) {
        this.element.replaceChildren(...elements);
        // Below a picture that fills the window nobody would see it.
        elements[0]?.scrollIntoView({ block: 'nearest' });
    }
}

/** Why a control ended, for causes that this version knows. */
function endedText(cause, by) {
    if (cause === 'taken') return by ? t('control.ended.taken', { name: isolated(by) }) : t('control.ended.again');
    return t(['key', 'owner', 'right', 'silence', 'stopped', 'failed'].includes(cause) ? `control.ended.${cause}` : 'control.ended.other');
}
