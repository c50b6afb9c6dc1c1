import { Store, doneBy } from '../../kit/store.js';
import { button, findAll, h, iconButton, toast } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { change, initial, waveformOf } from './recorder-state.js';

/** As long as a voice note may be, and the least that is one, in milliseconds. */
const LONGEST = 60_000;
const SHORTEST = 600;
/** Between two looks at how loud it is, in milliseconds. */
const STEP = 80;
const METER = 24;
/** What the program takes, the best first. */
const TYPES = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4'];
const REASONS = { NotAllowedError: 'denied', SecurityError: 'denied', NotFoundError: 'none', NotReadableError: 'busy' };

/**
 * The button that is held to talk, and what is shown while it is: how long, how loud, and how to throw it away. A short press records without being
 * held.
 *
 * @param {{life: import('../../life.js').Life, changed: (isRecording: boolean) => void, send: (note: {blob: Blob, seconds: number, waveform: number[]}) => any}} options
 */
export function voiceRecorder({ life, changed, send }) {
    const store = new Store({ initial, change, run: doneBy(() => works) });
    let tape = null;
    const talk = iconButton({ label: t('chat.talk'), icon: 'mic', press: () => {} });
    const strip = recordingStrip({ cancel: () => store.send({ kind: 'cancelled' }), finish: () => store.send({ kind: 'finished' }) });
    const works = {
        begin: async ({ turn }) => {
            try {
                tape = await Tape.begin({ told: (time, levels) => { strip.draw(time, levels); if (time >= LONGEST) store.send({ kind: 'finished' }); } });
                store.send({ kind: 'began', turn });
            } catch (error) {
                store.send({ kind: 'refused', turn, error });
            }
        },
        end: async ({ isKept }) => {
            const ended = tape;
            tape = null;
            const note = await ended?.end();
            if (isKept && note && note.time >= SHORTEST) send({ blob: note.blob, seconds: Math.max(1, Math.round(note.time / 1000)), waveform: waveformOf(note.levels) });
            else if (isKept) toast(t('chat.tooShort'), 'info');
        },
        say: ({ error }) => toast(t(`chat.microphone.${REASONS[error.name] ?? 'failed'}`), 'bad'),
    };
    talk.classList.add('talk-button');
    talk.addEventListener('pointerdown', (event) => {
        if (event.button !== 0) return;
        talk.setPointerCapture(event.pointerId);
        store.send({ kind: 'pressed', now: performance.now() });
        const from = event.clientX;
        talk.onpointermove = ({ clientX }) => store.send({ kind: 'moved', by: document.dir === 'rtl' ? clientX - from : from - clientX });
    });
    for (const type of ['pointerup', 'pointercancel']) {
        talk.addEventListener(type, () => {
            talk.onpointermove = null;
            store.send({ kind: 'released', now: performance.now() });
        });
    }
    // By keyboard, and by what presses for a person: there a press is a short one.
    talk.addEventListener('click', (event) => {
        if (event.detail !== 0) return;
        store.send({ kind: 'pressed', now: 0 });
        store.send({ kind: 'released', now: 0 });
    });
    talk.addEventListener('contextmenu', (event) => event.preventDefault());
    store.watch((state, before) => {
        strip.show(state);
        talk.classList.toggle('is-recording', state.phase !== 'idle');
        if ((state.phase === 'idle') !== (before.phase === 'idle')) changed(state.phase !== 'idle');
    });
    life.add(() => store.send({ kind: 'left' }));
    return { talk, strip: strip.element };
}

function recordingStrip({ cancel, finish }) {
    const time = h('span', { class: 'recording-time number' }, '0:00');
    const meter = h('span', { class: 'recording-meter', aria: { hidden: true } }, Array.from({ length: METER }, () => h('i', null)));
    const hint = h('span', { class: 'recording-hint small soft' });
    const choices = h('span', { class: 'recording-choices' }, iconButton({ label: t('chat.throwAway'), icon: 'trash', press: cancel }), button({ label: t('chat.sendVoice'), icon: 'paper-plane', kind: 'primary', press: finish }));
    const element = h('div', { class: 'recording', hidden: true }, h('span', { class: 'recording-dot', aria: { hidden: true } }), time, meter, hint, choices);
    const bars = findAll(meter, 'i');
    return {
        element,
        draw: (milliseconds, levels) => {
            time.textContent = format.clock(milliseconds);
            const last = levels.slice(-METER);
            bars.forEach((bar, at) => bar.style.setProperty('--high', String(Math.max(0.08, last[at - METER + last.length] ?? 0))));
        },
        show: ({ phase, isHeld, willCancel }) => {
            element.hidden = phase === 'idle';
            element.classList.toggle('will-cancel', willCancel);
            choices.hidden = isHeld;
            hint.hidden = !isHeld && phase === 'recording';
            hint.textContent = t(phase === 'asking' ? 'chat.askingMicrophone' : willCancel ? 'chat.letGoToCancel' : 'chat.slideToCancel');
            if (phase === 'asking') time.textContent = format.clock(0);
        },
    };
}

/** What the microphone hears, recorded, with how loud it is. */
class Tape {
    #stream;
    #recorder;
    #context = new AudioContext();
    #chunks = [];
    #levels = [];
    #began = performance.now();
    #timer;

    /** @param {{told: (milliseconds: number, levels: number[]) => void}} options */
    static async begin(options) {
        const stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true } });
        return new Tape(stream, options);
    }

    constructor(stream, { told }) {
        this.#stream = stream;
        const type = TYPES.find((each) => MediaRecorder.isTypeSupported(each));
        this.#recorder = new MediaRecorder(stream, { ...(type && { mimeType: type }), audioBitsPerSecond: 24_000 });
        this.#recorder.addEventListener('dataavailable', ({ data }) => { if (data.size > 0) this.#chunks.push(data); });
        this.#recorder.start(1000);
        const analyser = this.#context.createAnalyser();
        this.#context.createMediaStreamSource(stream).connect(analyser);
        const samples = new Float32Array(analyser.fftSize);
        this.#timer = setInterval(() => {
            analyser.getFloatTimeDomainData(samples);
            this.#levels.push(Math.min(1, samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)));
            told(performance.now() - this.#began, this.#levels);
        }, STEP);
    }

    /** @returns {Promise<{blob: Blob, time: number, levels: number[]}>} The time in milliseconds. */
    async end() {
        clearInterval(this.#timer);
        const time = performance.now() - this.#began;
        const stopped = new Promise((resolve) => this.#recorder.addEventListener('stop', resolve, { once: true }));
        if (this.#recorder.state !== 'inactive') {
            this.#recorder.stop();
            await stopped;
        }
        for (const track of this.#stream.getTracks()) track.stop();
        this.#context.close().catch(() => {});
        return { blob: new Blob(this.#chunks, { type: this.#recorder.mimeType.split(';')[0] }), time, levels: this.#levels };
    }
}
