import { h, part, svg } from './h.js';

const WIDEST = 800;
const PAUSE = 180;

/** Why a camera does not show anything: `denied`, `none`, `busy`, `insecure`, `failed`. */
export class CameraError extends Error {
    constructor(reason) {
        super(reason);
        this.name = 'CameraError';
        this.reason = reason;
    }
}

const REASONS = {
    NotAllowedError: 'denied', SecurityError: 'denied', NotFoundError: 'none', OverconstrainedError: 'none',
    NotReadableError: 'busy', AbortError: 'busy',
};

/**
 * What the camera sees, with a frame to hold a code into. Only its owner knows how a frame is read.
 *
 * @param {Object} options
 * @param {string} options.label For screen readers.
 * @param {(frame: ImageData) => Promise<string | null>} options.read Null when no code is in it.
 * @param {(text: string) => void} options.found Called once; the camera is off then.
 * @param {(error: Error) => void} options.failed A CameraError, or what `read` failed with again and again.
 * @param {AbortSignal} options.signal Turns the camera off.
 * @returns {HTMLElement & {start(): Promise<{canLight: boolean}>, light(on: boolean): Promise<void>}}
 */
export function viewfinder({ label, read, found, failed, signal }) {
    const video = h('video', { class: 'viewfinder-video', muted: true, playsInline: true, aria: { label } });
    // Muted as an attribute too: else some browsers do not play without a press.
    video.setAttribute('muted', '');
    const element = h('div', { class: 'viewfinder' }, video, corners());
    let stream = null;
    const stop = () => {
        for (const track of stream?.getTracks() ?? []) track.stop();
        stream = null;
        video.srcObject = null;
    };
    signal.addEventListener('abort', stop);
    const start = async () => {
        stream = await open();
        if (signal.aborted) { stop(); throw new CameraError('failed'); }
        video.srcObject = stream;
        await video.play().catch(() => {});
        const track = stream.getVideoTracks()[0];
        track.addEventListener('ended', () => { if (!signal.aborted) failed(new CameraError('busy')); });
        watch({ video, reader: frameReader(read), signal }).then((text) => {
            stop();
            if (text !== null) found(text);
        }, (error) => {
            stop();
            failed(error);
        });
        return { canLight: Boolean(track.getCapabilities?.().torch) };
    };
    const light = (on) => stream?.getVideoTracks()[0].applyConstraints({ advanced: [{ torch: on }] });
    return part(element, { start, light });
}

async function open() {
    if (!navigator.mediaDevices?.getUserMedia) throw new CameraError('insecure');
    try {
        return await navigator.mediaDevices.getUserMedia({
            audio: false, video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } },
        });
    } catch (error) {
        throw new CameraError(REASONS[error.name] ?? 'failed');
    }
}

/** Looks again and again until there is a code; null when it was turned off first. A failure counts once it comes three times in a row. */
async function watch({ video, reader, signal }) {
    let failures = 0;
    while (!signal.aborted) {
        if (!document.hidden && video.readyState >= 2) {
            try {
                const text = await reader(video);
                if (signal.aborted) return null;
                if (text) return text;
                failures = 0;
            } catch (error) {
                failures += 1;
                if (failures >= 3) throw error;
            }
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    return null;
}

/** A frame small and grey: colour says nothing about a code. */
function frameReader(read) {
    const canvas = h('canvas', null);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    return async (video) => {
        const part = Math.min(1, WIDEST / Math.max(video.videoWidth, video.videoHeight));
        canvas.width = Math.round(video.videoWidth * part);
        canvas.height = Math.round(video.videoHeight * part);
        context.filter = 'grayscale(1)';
        context.drawImage(video, 0, 0, canvas.width, canvas.height);
        return read(context.getImageData(0, 0, canvas.width, canvas.height));
    };
}

function corners() {
    return svg('svg', { class: 'viewfinder-corners', viewBox: '0 0 100 100', 'aria-hidden': 'true' },
        svg('path', { d: 'M3 22V9a6 6 0 0 1 6-6h13M78 3h13a6 6 0 0 1 6 6v13M97 78v13a6 6 0 0 1-6 6H78M22 97H9a6 6 0 0 1-6-6V78' }));
}
