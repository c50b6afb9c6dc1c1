import { changeIcon, h, iconButton, toast } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { keyOf } from './conversation-state.js';
import { secondsText } from './words.js';

/** Bars of one without heights. */
const FLAT = Array.from({ length: 28 }, () => 12);

/** A recording: play and stop, its heights, how long it is, and how far it was sent. */
export function voiceNote(message, { chat, player }) {
    const { voice } = message;
    if (!voice || voice.isExpired) return h('span', { class: 'soft' }, t('chat.voiceExpired'));
    const key = keyOf(message);
    const seconds = voice.seconds ?? 0;
    const words = { play: t('chat.play', { seconds }), stop: t('chat.stopPlaying') };
    const toggle = iconButton({ label: words.play, icon: 'play', press: () => { if (player.isPlaying(key)) player.stop(); else begin(); } });
    const heights = voice.waveform.length > 0 ? voice.waveform.slice(0, 64) : FLAT;
    const bars = heights.map((height) => h('i', { vars: { '--high': String(Math.min(100, Math.max(6, height))) } }));
    const left = h('span', { class: 'voice-time number' }, secondsText(seconds));
    const sent = message.status === 'sending' && message.progress > 0 && h('span', { class: 'small number soft' }, format.percent(message.progress));
    const element = h('div', { class: 'voice' }, toggle, h('span', { class: 'voice-bars', aria: { hidden: true } }, bars), left, sent);

    const moved = (time) => {
        const part = seconds > 0 ? time / seconds : 0;
        bars.forEach((bar, at) => bar.classList.toggle('is-over', at / bars.length < part));
        left.textContent = secondsText(Math.max(0, Math.ceil(seconds - time)));
    };
    const show = (isPlaying) => {
        changeIcon(toggle, isPlaying ? 'stop' : 'play');
        Object.assign(toggle, { title: isPlaying ? words.stop : words.play, ariaLabel: isPlaying ? words.stop : words.play });
        element.classList.toggle('is-playing', isPlaying);
        if (!isPlaying) { bars.forEach((bar) => bar.classList.remove('is-over')); left.textContent = secondsText(seconds); }
    };
    const members = { moved, ended: () => show(false), failed: () => toast(t('chat.voiceFailed'), 'bad') };
    function begin() {
        player.play({ key, address: chat.mediaAddress(message.conversation, message.id), ...members });
        show(true);
    }
    if (player.isPlaying(key)) { player.follow(key, members); show(true); moved(player.time); }
    return element;
}
