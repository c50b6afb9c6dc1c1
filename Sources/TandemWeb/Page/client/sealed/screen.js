import { ClientError } from '../client.js';
import { LiveScreen, screenFrameOf, shownFrame } from '../live-screen.js';
import { hex, random } from '../../wire/bytes.js';

/**
 * Opens a live view of a display over the session of this browser.
 *
 * @param {import('../../wire/computer.js').Computer} computer
 * @param {import('../client.js').LiveScreenOptions} options
 * @returns {Promise<LiveScreen>}
 */
export async function openScreen(computer, { display, maxWidth, signal }) {
    const id = hex(random(8));
    const stops = [];
    const stop = () => stops.splice(0).forEach((each) => each());
    const view = new LiveScreen({
        send: (picture, all) => { computer.sendFrame(shownFrame(id, picture, all)).catch(() => {}); },
        close: () => {
            stop();
            // A computer that is away ends the view by itself.
            computer.call('display.unwatch', { viewId: id }, { timeout: 5 }).catch(() => {});
        },
    });
    const end = (how) => { stop(); view.ended(how); };
    stops.push(
        // Its first frames may come before the answer.
        computer.onFrame((bytes) => {
            const frame = screenFrameOf(bytes);
            if (frame?.view !== id) return;
            if (frame.reason) end({ reason: frame.reason });
            else view.take(frame);
        }),
        computer.on('state', (state) => { if (state !== 'ready') end({ error: new ClientError('away') }); }),
        computer.on('restarted', () => end({ error: new ClientError('away') })),
    );
    try {
        view.opened(await computer.call('display.watch', { viewId: id, displayId: display, maxWidth }, { signal }));
        return view;
    } catch (error) {
        stop();
        throw error;
    }
}
